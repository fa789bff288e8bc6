/* SPDX-License-Identifier: MIT
 * NVIDIA GPUs through NVML: the card's own energy counter, or its power × time. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "energy/domains.h"
#include "energy/gauge.h"
#include "energy/gpu_seen.h"
#include "energy/nvml_library.h"
#include "energy/own_sensor.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER_DIR "sys/bus/pci/drivers/nvidia"
#define UJ_PER_MJ UINT64_C(1000)
#define COUNTER_UPDATE_NS UINT64_C(100000000) /* 10 to 100 ms, by the card */

struct gpu {
    void *device;
    bool counts;                     /* has an energy counter; otherwise power */
    unsigned long long used_till_us; /* the newest sample of who used it, by NVML's clock */
    struct own_sensor own;
    struct gauge gauge;
};

struct nvml {
    struct nvml_library library;
    struct gpu *gpus; /* domain_count of them */
};

static int read_energy(const struct nvml *nvml, const struct gpu *gpu, uint64_t *energy_uj)
{
    unsigned long long energy_mj;
    const int result = nvml->library.energy(gpu->device, &energy_mj);

    if (result != NVML_DONE)
        return nvml_errno(result);
    if (energy_mj > UINT64_MAX / UJ_PER_MJ)
        return ERANGE;
    *energy_uj = energy_mj * UJ_PER_MJ;
    return 0;
}

/* Returns 0 or an errno. */
static int power_of(const struct nvml *nvml, const struct gpu *gpu, double *power_uw)
{
    unsigned power_mw = 0;
    const int result = nvml->library.power(gpu->device, &power_mw);

    *power_uw = (double)power_mw * (double)UJ_PER_MJ;
    if (result != NVML_DONE)
        return nvml_errno(result);
    return bounds_can_be_power(*power_uw / UJ_PER_J) ? 0 : ERANGE;
}

static void read_power(const struct nvml *nvml, struct gpu *gpu, struct reading *reading)
{
    double power_uw;
    const int number = power_of(nvml, gpu, &power_uw);

    gauge_take(&gpu->gauge, clock_monotonic_ns(), number, power_uw, reading);
}

static void read_counter(const struct nvml *nvml, struct gpu *gpu, struct domain *domain, struct reading *reading)
{
    double power_uw;
    int number;

    if (!gpu->own.left)
        reading->error = read_energy(nvml, gpu, &reading->energy_uj);
    number = power_of(nvml, gpu, &power_uw);
    own_sensor_hold(&gpu->own, domain, clock_monotonic_ns(), number, power_uw, reading);
}

static void nvml_read(struct energy_source *source, struct reading *readings)
{
    struct nvml *nvml = source->state;

    for (size_t i = 0; i < source->domain_count; i++) {
        struct gpu *gpu = &nvml->gpus[i];
        if (source->domains[i].problem.kind != ERROR_NONE)
            readings[i].error = ENODATA;
        else if (gpu->counts)
            read_counter(nvml, gpu, &source->domains[i], &readings[i]);
        else
            read_power(nvml, gpu, &readings[i]);
    }
}

static enum gpu_attribution reported_by(int result)
{
    switch (result) {
    case NVML_DONE:
    case NVML_NOT_FOUND: return GPU_ATTRIBUTED;
    case NVML_NOT_SUPPORTED:
    case NVML_FUNCTION_NOT_FOUND: return GPU_SILENT;
    case NVML_NO_PERMISSION: return GPU_REFUSED;
    default: return GPU_FAILED;
    }
}

/* The mean of a process' samples, of which there are number[i] in users[i]. */
static void take_use(const struct nvml_use *use, struct gpu_user *users, unsigned *number, size_t *count)
{
    size_t i = 0;

    while (i < *count && users[i].pid != (pid_t)use->pid)
        i++;
    if (i == *count) {
        users[(*count)++] = (struct gpu_user){ .pid = (pid_t)use->pid };
        number[i] = 0;
    }
    number[i]++;
    users[i].busy += (use->sm / 100.0 - users[i].busy) / number[i];
}

/* An unused card has no samples. */
static enum gpu_attribution nvml_users(struct energy_source *source, size_t domain,
                                       struct gpu_user users[GPU_MAX_USERS], size_t *count)
{
    struct nvml *nvml = source->state;
    struct gpu *gpu = &nvml->gpus[domain];
    struct nvml_use uses[GPU_MAX_USERS];
    unsigned found = GPU_MAX_USERS, number[GPU_MAX_USERS];
    const unsigned long long since_us = gpu->used_till_us;
    int result;

    *count = 0;
    if (source->domains[domain].partitioned)
        return GPU_PARTITIONED;
    if (!nvml->library.process_use || source->domains[domain].problem.kind != ERROR_NONE)
        return GPU_SILENT;
    result = nvml->library.process_use(gpu->device, uses, &found, since_us);
    for (unsigned i = 0; result == NVML_DONE && i < found && i < GPU_MAX_USERS; i++) {
        if (uses[i].time_us > gpu->used_till_us)
            gpu->used_till_us = uses[i].time_us;
        if (uses[i].time_us > since_us && uses[i].sm <= 100)
            take_use(&uses[i], users, number, count);
    }
    return reported_by(result);
}

/* The path of a card begins with its UUID. */
static int nvml_card_of(struct energy_source *source, const char *part)
{
    const struct nvml_library *library = &((const struct nvml *)source->state)->library;
    char uuid[NVML_TEXT_SIZE];
    void *instance, *card;

    if (!library->by_uuid || !library->card_of || library->by_uuid(part, &instance) != NVML_DONE ||
        library->card_of(instance, &card) != NVML_DONE || library->uuid(card, uuid, sizeof uuid) != NVML_DONE)
        return -1;
    for (size_t i = 0; i < source->domain_count; i++)
        if (strncmp(source->domains[i].path, uuid, strlen(uuid)) == 0)
            return (int)i;
    return -1;
}

/* The counter came with Volta. */
static void choose_meter(const struct nvml *nvml, struct gpu *gpu, struct domain *domain)
{
    const struct nvml_library *library = &nvml->library;
    unsigned long long energy_mj;
    unsigned power_mw;
    int result = library->energy ? library->energy(gpu->device, &energy_mj) : NVML_FUNCTION_NOT_FOUND;

    gpu->counts = result == NVML_DONE;
    if (result == NVML_NOT_SUPPORTED || result == NVML_FUNCTION_NOT_FOUND)
        result = library->power(gpu->device, &power_mw);
    if (result != NVML_DONE) {
        char what[sizeof domain->problem.what];
        snprintf(what, sizeof what, "%s reports neither energy nor power", domain->name);
        nvml_refused(library, result, what, &domain->problem);
    }
    domain->update_ns = gpu->counts ? COUNTER_UPDATE_NS : GAUGE_POLL_NS;
    domain->poll_ns = gpu->counts ? 0 : gauge_poll_ns(domain);
}

static void read_limit(const struct nvml_library *library, const struct gpu *gpu, struct domain *domain)
{
    unsigned min_mw, max_mw;

    if (library->limits && library->limits(gpu->device, &min_mw, &max_mw) == NVML_DONE)
        domain->limit_w = max_mw / 1e3;
}

static void look_at_sharing(struct energy_source *source, const struct gpu *gpu, struct domain *domain)
{
    const struct nvml_library *library = &((struct nvml *)source->state)->library;
    unsigned mode = 0, pending;

    if (library->virtualization && library->virtualization(gpu->device, &mode) == NVML_DONE &&
        mode == NVML_VIRTUALIZATION_VGPU) {
        domain->quality = QUALITY_VIRTUAL;
        snprintf(domain->not_counted, sizeof domain->not_counted, "%s",
                 "a share of a card (vGPU): only its host can read the energy");
    }
    domain->partitioned = library->mig_mode && library->mig_mode(gpu->device, &mode, &pending) == NVML_DONE && mode;
    if (domain->partitioned)
        notice_add(&source->notices, NOTICE_SHARED,
                   "its instances have no meters of their own, and others may use them",
                   "make sure that no other process uses the card",
                   "%s is partitioned (MIG): its energy is the whole card's", domain->name);
}

static void add_gpu(struct energy_source *source, unsigned index)
{
    struct nvml *nvml = source->state;
    const struct nvml_library *library = &nvml->library;
    struct domain *domain = &source->domains[index];
    struct gpu *gpu = &nvml->gpus[index];
    char uuid[NVML_TEXT_SIZE] = "", name[NVML_TEXT_SIZE] = "";
    const int result = library->device(index, &gpu->device);

    *domain = sensor_domain(QUALITY_MEASURED);
    domain->component = COMPONENT_GPU;
    domain->resolution_uj = UJ_PER_MJ;
    gpu->gauge = GAUGE_NONE;
    gpu->own = own_sensor_of(domain, COUNTER_UPDATE_NS);
    snprintf(domain->name, sizeof domain->name, "gpu-%u", index);
    if (result != NVML_DONE) {
        char what[sizeof domain->problem.what];
        snprintf(what, sizeof what, "cannot open %s", domain->name);
        nvml_refused(library, result, what, &domain->problem);
        return;
    }
    if (library->uuid(gpu->device, uuid, sizeof uuid) != NVML_DONE)
        uuid[0] = '\0';
    if (!library->name || library->name(gpu->device, name, sizeof name) != NVML_DONE)
        name[0] = '\0';
    snprintf(domain->path, sizeof domain->path, "%.80s%s%.80s%s", uuid, name[0] ? " (" : "", name, name[0] ? ")" : "");
    choose_meter(nvml, gpu, domain);
    read_limit(library, gpu, domain);
    look_at_sharing(source, gpu, domain);
}

/* The dedicated card of a laptop sleeps until it is used. */
static void notice_asleep(struct energy_source *source, const struct root *root)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, DRIVER_DIR, NULL);
    const struct dirent *entry;
    char path[sizeof DRIVER_DIR + NAME_MAX + 32], status[16];

    while (dir && (entry = readdir(dir))) {
        snprintf(path, sizeof path, DRIVER_DIR "/%s/power/runtime_status", entry->d_name);
        if (strchr(entry->d_name, ':') && root_read_text(root, path, status, sizeof status, NULL) &&
            strcmp(status, "suspended") == 0)
            notice_add(&source->notices, NOTICE_INTRUSIVE,
                       "its driver wakes it to answer, so that it uses power that it would not",
                       "--source with the name of another source lets it sleep",
                       "an NVIDIA GPU was asleep, and measuring keeps it awake");
    }
}

/* The library answers for none of the cards: those that its driver has are there all the same. */
static void list_unread(struct energy_source *source, const struct root *root, const struct error *refusal)
{
    struct gpu_seen seen[GPUS_SEEN_MAX];
    const size_t count = gpus_of_nvidia(root, seen);

    source->domains = count ? calloc(count, sizeof *source->domains) : NULL;
    source->domain_count = source->domains ? count : 0;
    for (size_t i = 0; i < source->domain_count; i++) {
        struct domain *domain = &source->domains[i];
        *domain = sensor_domain(QUALITY_MEASURED);
        domain->component = COMPONENT_GPU;
        domain->problem = *refusal;
        snprintf(domain->name, sizeof domain->name, "gpu-%zu", i);
        snprintf(domain->path, sizeof domain->path, "%.95s (%.15s)", seen[i].path, seen[i].id);
    }
}

static bool open_library(struct energy_source *source, const struct root *root, struct error *err)
{
    struct nvml *nvml = source->state;
    unsigned count = 0;
    int result;

    if (!root->live)
        return error_set(err, ERROR_ABSENT, "recorded: NVIDIA GPUs answer only on the machine itself");
    notice_asleep(source, root);
    if (!nvml_library_open(&nvml->library, err))
        return false;
    result = nvml->library.count(&count);
    if (result != NVML_DONE)
        return nvml_refused(&nvml->library, result, "cannot count the NVIDIA GPUs", err);
    if (!count)
        return error_set(err, ERROR_ABSENT, "no NVIDIA GPU");
    (void)domains_have_room(count - 1, &source->notices, "NVIDIA GPUs");
    source->domain_count = count < ENERGY_MAX_DOMAINS ? count : ENERGY_MAX_DOMAINS;
    source->domains = calloc(source->domain_count, sizeof *source->domains);
    nvml->gpus = calloc(source->domain_count, sizeof *nvml->gpus);
    if (!source->domains || !nvml->gpus) {
        source->domain_count = 0;
        return error_errno(err, "cannot keep %u domains", count);
    }
    for (unsigned i = 0; i < source->domain_count; i++)
        add_gpu(source, i);
    nvml_library_keep_fds(&nvml->library);
    return !domains_refuse(source, err);
}

static bool nvml_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                      struct error *err)
{
    (void)machine; /* a card that was passed to a guest is the card itself */
    source->state = calloc(1, sizeof(struct nvml));
    if (!source->state)
        return error_errno(err, "cannot open NVML");
    if (open_library(source, root, err))
        return true;
    if (!source->domain_count)
        list_unread(source, root, err);
    return false;
}

static void nvml_close(struct energy_source *source)
{
    struct nvml *nvml = source->state;

    if (nvml) {
        nvml_library_close(&nvml->library);
        free(nvml->gpus);
        nvml->gpus = NULL;
    }
    domains_release(source);
}

ENERGY_DRIVER(nvml, "NVIDIA graphics cards and accelerators, through their driver's library",
              .quality = QUALITY_MEASURED, .one_process = true, .users = nvml_users, .card_of = nvml_card_of);
