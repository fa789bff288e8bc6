/* SPDX-License-Identifier: MIT
 * RAPL through perf events: any PMU called power* that counts energy. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/pfm_names.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/domains.h"
#include "energy/perf_event.h"
#include "energy/perf_pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEVICES_DIR "sys/bus/event_source/devices"

/* A guest's counter must move within this time to be believed (P56, P58); QEMU's does so once a second. */
#define PROOF_NS UINT64_C(120000000)
#define PROOF_QEMU_NS UINT64_C(1500000000)
#define PROOF_STEP_NS 10000000

struct event {
    struct domain domain; /* first: sorted as a domain */
    struct pmu pmu;
    struct perf_event event;
};

struct perf {
    const struct root *root;
    const struct machine *machine;
    struct event events[ENERGY_MAX_DOMAINS];
    size_t count;
    uint64_t next_search_ns; /* next search for events whose CPU has gone */
};

/* What a scan carries around. */
struct perf_scan {
    struct perf *perf;
    struct notices *notices;
    struct pfm_names pfm; /* opened with the first event that is */
    bool pfm_wanted, pfm_asked;
};

static void explain_denial(const struct root *root, struct error *err)
{
    char paranoid[16];
    double level = 0;

    if (!root_read_text(root, "proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid, NULL))
        snprintf(paranoid, sizeof paranoid, "unknown");
    /* Debian's and Ubuntu's kernels know levels above the kernel's own, at which a capability is not enough */
    error_why(err, "kernel.perf_event_paranoid is %s; these events need 0 or less, or %sCAP_PERFMON", paranoid,
              text_to_number(paranoid, &level) && level > 2 ? "2 or less and " : "");
    error_fix(err, "run carbon as root; or give the program the right (CAP_PERFMON), or every user: "
                   "'carbon sources --grant' prints how");
}

static void open_event(const struct perf_scan *scan, const struct pmu *pmu, const struct pmu_event *description,
                       struct event *event)
{
    struct error *problem = &event->domain.problem;
    int number;

    if (!scan->perf->root->live && !pmu_is_static(pmu)) {
        error_set(problem, ERROR_ABSENT, "recorded: '%s/%s/' is an event of another machine", pmu->name,
                  description->name);
        error_why(problem, "PMU type numbers differ between kernels: type %u would be another PMU here", pmu->type);
        return;
    }
    event->event.count.uj_per_count = (long double)description->j_per_count * 1e6L;
    event->event.config = description->config;
    number = perf_event_start(&event->event);
    if (!number)
        return;
    errno = number;
    error_errno(problem, "cannot open the perf event '%s/%s/' on CPU %d", pmu->name, description->name,
                event->event.cpu);
    if (problem->kind == ERROR_DENIED)
        explain_denial(scan->perf->root, problem);
    /* a table or an old kernel may list what the processor does not have (P35, P37) */
    else if (number == EINVAL || number == EOPNOTSUPP)
        problem->kind = ERROR_ABSENT;
}

/* libpfm4 looks at the machine that this is, and loading it takes as long as all the rest of a start
 * (7 ms). Where powercap can be read, perf only cross-checks what counts, and that is not worth it. */
static bool want_pfm(const struct root *root)
{
    AUTO_CLOSE int fd = root->live ? root_open_file(root, "sys/class/powercap/intel-rapl:0/energy_uj", NULL) : -1;

    return root->live && fd < 0;
}

/* The kernel's own description decides; libpfm4 is a second opinion on the meaning of its numbers. */
static void ask_pfm(struct perf_scan *scan, const struct pmu *pmu, const struct pmu_event *description)
{
    uint32_t type;
    uint64_t config;

    if (!scan->pfm_wanted || !description->pfm_name[0])
        return;
    if (!scan->pfm_asked)
        pfm_names_open(&scan->pfm);
    scan->pfm_asked = true;
    if (pfm_names_encode(&scan->pfm, description->pfm_name, &type, &config) &&
        (type != pmu->type || config != description->config))
        notice_add(scan->notices, NOTICE_INCONSISTENT,
                   "its tables may be older than this machine; the kernel's own description is used", "",
                   "libpfm4 takes '%s' for event %#llx of type %u, the kernel for %#llx of type %u",
                   description->pfm_name, (unsigned long long)config, type, (unsigned long long)description->config,
                   pmu->type);
}

static void does_not_move(struct domain *domain, const char *reason)
{
    text_copy(domain->not_counted, sizeof domain->not_counted, reason);
    domain->not_counted_kind = NOTICE_NOT_MOVING;
}

static void doubt(const struct perf_scan *scan, const struct pmu *pmu, const struct pmu_event *description,
                  struct domain *domain)
{
    const bool one_counter = package_has_one_counter(scan->perf->machine);

    if (one_counter && strcmp(description->name, "energy-core") == 0)
        text_copy(domain->not_counted, sizeof domain->not_counted,
                  "one core's counter, not all cores; inside the package");
    else if (one_counter && description->component != COMPONENT_PACKAGE) /* P35 */
        does_not_move(domain, "AMD has no such counter; kernels before 5.17 list it all the same");
    else if (scan->perf->machine->guest && !scan->perf->root->live && !pmu_is_static(pmu))
        does_not_move(domain, "a guest's counter that has not moved so far");
}

static void add_event(struct perf_scan *scan, const struct pmu *pmu, const struct pmu_event *description,
                      const struct pmu_place *place)
{
    struct perf *perf = scan->perf;
    struct event event = { .pmu = *pmu, .event = { .fd = -1, .type = pmu->type, .cpu = place->cpu } };
    struct domain *domain = &event.domain;

    if (!domains_have_room(perf->count, scan->notices, "perf events"))
        return;
    *domain = (struct domain){
        .component = description->component,
        .access = ACCESS_PERF,
        .package = place->package,
        .die = place->die,
        .quality = scan->perf->machine->guest ? QUALITY_VIRTUAL : QUALITY_MEASURED,
        .resolution_uj = (uint64_t)(description->j_per_count * UJ_PER_J) + 1,
        .update_ns = rapl_update_ns(scan->perf->machine),
        .low_ratio = 1,
        .high_ratio = 1,
    };
    /* as powercap has it: on a machine with one package its psys belongs to none */
    if (domain->component == COMPONENT_PLATFORM && scan->perf->machine->packages == 1)
        domain->package = -1;
    text_copy(domain->path, sizeof domain->path, description->path);
    domain_name(domain);
    doubt(scan, pmu, description, domain);
    open_event(scan, pmu, description, &event);
    perf->events[perf->count++] = event;
    if (event.event.fd >= 0)
        ask_pfm(scan, pmu, description);
}

static void add_pmu(struct perf_scan *scan, const char *name)
{
    char path[128];
    struct pmu pmu;
    struct pmu_event event;
    struct pmu_places places;
    struct error fault = { .kind = ERROR_NONE };
    const struct dirent *entry;
    AUTO_CLOSEDIR DIR *dir = NULL;

    snprintf(path, sizeof path, DEVICES_DIR "/%.64s/events", name);
    dir = root_open_dir(scan->perf->root, path, &fault);
    if (!dir || !pmu_read(&pmu, scan->perf->root, name, &fault) ||
        !pmu_read_places(&pmu, scan->perf->root, scan->perf->machine, &places, &fault)) {
        notice_add(scan->notices, NOTICE_LEFT_OUT, fault.what, "", "the perf PMU '%.64s' is left out", name);
        return;
    }
    if (places.left_out)
        notice_add(scan->notices, NOTICE_LEFT_OUT, "it has more packages than carbon has room for", "",
                   "the perf PMU '%s' is read in part", pmu.name);
    while ((entry = readdir(dir))) {
        if (strncmp(entry->d_name, "energy-", 7) != 0 || strchr(entry->d_name, '.'))
            continue;
        if (!pmu_read_event(&pmu, scan->perf->root, entry->d_name, &event, &fault)) {
            notice_add(scan->notices, NOTICE_LEFT_OUT, fault.what, "", "the perf event '%s/%.64s/' is left out: %.100s",
                       pmu.name, entry->d_name, fault.why);
            continue;
        }
        for (size_t i = 0; i < places.count; i++)
            add_event(scan, &pmu, &event, &places.places[i]);
    }
}

static void scan_devices(struct perf_scan *scan)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(scan->perf->root, DEVICES_DIR, NULL);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (strncmp(entry->d_name, "power", 5) == 0)
            add_pmu(scan, entry->d_name);
}

/* Events that are open and have not moved yet. */
static size_t count_still(const struct perf *perf)
{
    size_t still = 0;

    for (size_t i = 0; i < perf->count; i++)
        still += perf->events[i].event.fd >= 0 && !perf->events[i].event.count.energy_uj;
    return still;
}

/* A hypervisor may show counters that it does not feed: they open, and stay where they are. */
static void prove_movement(struct perf *perf)
{
    const struct timespec pause = { .tv_nsec = PROOF_STEP_NS };
    const uint64_t until_ns =
        clock_monotonic_ns() + (strcmp(perf->machine->hypervisor, "KVM") == 0 ? PROOF_QEMU_NS : PROOF_NS);

    while (count_still(perf) && clock_monotonic_ns() < until_ns) {
        nanosleep(&pause, NULL);
        for (size_t i = 0; i < perf->count; i++)
            if (perf->events[i].event.fd >= 0)
                IGNORED(perf_event_read(&perf->events[i].event), "only its movement counts here");
    }
    for (size_t i = 0; i < perf->count; i++)
        if (perf->events[i].event.fd >= 0 && !perf->events[i].event.count.energy_uj)
            does_not_move(&perf->events[i].domain, "a guest's counter that does not move");
}

static bool explain_absence(const struct machine *machine, struct error *err)
{
    error_set(err, ERROR_ABSENT, "no energy event (PMU 'power')");
    if (machine->guest)
        return error_why(err, "there is no PMU called power; a virtual machine seldom has one");
    if (!strstr(machine->cpu_vendor, "Intel") && !package_has_one_counter(machine))
        return error_why(err, "there is no PMU called power; Intel and AMD processors have one");
    error_why(err,
              "there is no PMU called power: the driver rapl is not loaded, or it does not know this CPU "
              "(family %d model %d)",
              machine->cpu_family, machine->cpu_number);
    return error_fix(err, "'modprobe rapl' loads the driver");
}

static bool perf_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                      struct error *err)
{
    struct perf *perf = source->state = calloc(1, sizeof *perf);
    struct perf_scan scan = { .perf = perf, .notices = &source->notices };

    if (!perf)
        return error_errno(err, "cannot open perf events");
    perf->root = root;
    perf->machine = machine;
    scan.pfm_wanted = want_pfm(root);
    scan_devices(&scan);
    if (scan.pfm_asked)
        pfm_names_close(&scan.pfm);
    if (machine->guest)
        prove_movement(perf);
    if (!domains_publish(source, perf->events, perf->count, sizeof perf->events[0], err))
        return false;
    if (!perf->count)
        return explain_absence(machine, err);
    return !domains_refuse(source, err);
}

/* A CPU to open the event on, or -1. Never one that the PMU does not name: Linux 6.1 (Debian 6.1.192) crashes
 * when a package without an online CPU is asked (arch/x86/events/rapl.c takes CPU -1 for it). */
static int cpu_for(const struct perf *perf, const struct event *event)
{
    struct pmu_places places;

    if (!pmu_read_places(&event->pmu, perf->root, perf->machine, &places, NULL))
        return -1;
    for (size_t i = 0; i < places.count; i++)
        if (event->domain.package < 0 || (places.places[i].package == event->domain.package &&
                                          (event->domain.die < 0 || places.places[i].die == event->domain.die)))
            return places.places[i].cpu;
    return -1;
}

/* Its package may have a CPU again; a new event counts from 0. */
static void find_again(const struct perf *perf, struct event *event, struct reading *reading)
{
    const int cpu = cpu_for(perf, event);

    if (cpu < 0 || !perf_event_restart(&event->event, cpu))
        return;
    reading->error = 0;
    reading->restarted = true;
}

static void perf_read(struct energy_source *source, struct reading *readings)
{
    struct perf *perf = source->state;
    bool gone = false;
    uint64_t now_ns;

    for (size_t i = 0; i < perf->count; i++) {
        struct perf_event *event = &perf->events[i].event;
        readings[i].error = event->fd < 0 ? ENODATA : perf_event_read(event);
        readings[i].energy_uj = event->count.energy_uj;
        gone |= readings[i].error == ENODEV;
    }
    if (!gone || (now_ns = clock_monotonic_ns()) < perf->next_search_ns)
        return;
    perf->next_search_ns = now_ns + NS_PER_S_INT;
    for (size_t i = 0; i < perf->count; i++)
        if (readings[i].error == ENODEV)
            find_again(perf, &perf->events[i], &readings[i]);
}

static void perf_close(struct energy_source *source)
{
    struct perf *perf = source->state;

    for (size_t i = 0; perf && i < perf->count; i++)
        perf_event_stop(&perf->events[i].event);
    domains_release(source);
}

ENERGY_DRIVER(perf, "the processor's energy counters (RAPL), through perf events", .quality = QUALITY_MEASURED,
              .paths = PATHS("sys/bus/event_source/devices/power*/type", "sys/bus/event_source/devices/power*/cpumask",
                             "sys/bus/event_source/devices/power*/format/*",
                             "sys/bus/event_source/devices/power*/events/energy-*"),
              .paths_title = "perf events for energy");
