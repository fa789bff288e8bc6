/* SPDX-License-Identifier: MIT
 * Cray nodes (XC, EX): the blade's controller counts the joules of the node, its processors, its memory and each of its
 * accelerators, and shows them in sysfs ("1234 J 1717671234567890 us"), ten times a second and to all users. Files:
 * docs-csm, "User Access to Compute Node Power Data". */
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/domains.h"
#include "energy/own_sensor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTERS_DIR "sys/cray/pm_counters"
#define UJ_PER_J_INT UINT64_C(1000000)
#define SCAN_HZ 10 /* where no file says how often they are refreshed */
#define NO_RULE "nothing says what this counter covers"

struct counter {
    struct domain domain; /* first: sorted as a domain */
    int fd;               /* -1: cannot be read */
    int power_fd;         /* of the same, in W; -1: there is none */
    struct own_sensor own;
};

struct cray {
    struct counter counters[ENERGY_MAX_DOMAINS];
    size_t count;
};

/* What a scan carries around. */
struct cray_scan {
    struct cray *cray;
    struct notices *notices;
    const struct root *root;
    uint64_t update_ns;
};

static const struct counter_rule {
    const char *name;
    enum component component;
    bool part; /* one of several */
} rules[] = {
    { "energy", COMPONENT_MACHINE, false },
    { "cpu_energy", COMPONENT_PACKAGE, false },
    { "memory_energy", COMPONENT_MEMORY, false },
    { "accel_energy", COMPONENT_GPU, false },
};

static int read_uj(int fd, uint64_t *energy_uj)
{
    uint64_t energy_j;
    const int number = fd_read_u64(fd, &energy_j);

    if (number)
        return number;
    if (energy_j > UINT64_MAX / UJ_PER_J_INT)
        return ERANGE;
    *energy_uj = energy_j * UJ_PER_J_INT;
    return 0;
}

/* A figure of another unit would be wrong by orders of magnitude. */
static bool tells_unit(const struct root *root, const char *path, char unit)
{
    char text[64];
    const char *end;

    if (!root_read_text(root, path, text, sizeof text, NULL))
        return true; /* its reader reports it */
    end = text + strcspn(text, " ");
    return end[0] == ' ' && end[1] == unit && (end[2] == ' ' || !end[2]);
}

static int read_uw(int fd, double *power_uw)
{
    uint64_t power_w;
    const int number = fd_read_u64(fd, &power_w);

    *power_uw = number ? 0 : (double)power_w * UJ_PER_J;
    return number ? number : bounds_can_be_power((double)power_w) ? 0 : ERANGE;
}

/* "accel3_energy" has the power of the same in "accel3_power". */
static void open_power(const struct cray_scan *scan, struct counter *counter)
{
    const char *path = counter->domain.path;
    char power[sizeof counter->domain.path];

    snprintf(power, sizeof power, "%.*spower", (int)(strlen(path) - strlen("energy")), path);
    if (!tells_unit(scan->root, power, 'W'))
        return;
    counter->power_fd = root_open_file(scan->root, power, NULL);
    if (counter->power_fd >= 0)
        counter->own = own_sensor_of(&counter->domain, scan->update_ns);
}

static void open_counter(const struct cray_scan *scan, struct counter *counter, uint64_t *energy_uj)
{
    struct domain *domain = &counter->domain;
    int number;

    *energy_uj = 0;
    counter->fd = root_open_file(scan->root, domain->path, &domain->problem);
    if (counter->fd < 0)
        return;
    number = tells_unit(scan->root, domain->path, 'J') ? read_uj(counter->fd, energy_uj) : EBADMSG;
    if (!number) {
        open_power(scan, counter);
        return;
    }
    domain_cannot_read(domain, scan->root, number);
    if (number == EBADMSG)
        error_why(&domain->problem, "it does not hold a number of joules ('1234 J ...')");
    close(counter->fd);
    counter->fd = -1;
}

/* "accel3_energy": 3; -1: it is none of those. */
static int accelerator_of(const char *entry)
{
    int index = -1, end = 0;

    return sscanf(entry, "accel%3d_energy%n", &index, &end) == 1 && end > 0 && !entry[end] && index >= 0 ? index : -1;
}

static void classify(const char *entry, struct domain *domain)
{
    const int accelerator = accelerator_of(entry);

    domain->component = COMPONENT_RAIL;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(entry, rules[i].name) == 0) {
            domain->component = rules[i].component;
            domain_name(domain);
            return;
        }
    if (accelerator >= 0) {
        domain->component = COMPONENT_GPU;
        domain->part = true;
        snprintf(domain->name, sizeof domain->name, "gpu-%d", accelerator);
        return;
    }
    text_copy(domain->not_counted, sizeof domain->not_counted, NO_RULE);
    domain_name_after(domain, "cray", entry);
}

static void close_counter(const struct counter *counter)
{
    if (counter->fd >= 0)
        close(counter->fd);
    if (counter->power_fd >= 0)
        close(counter->power_fd);
}

static void add_counter(const struct cray_scan *scan, const char *entry)
{
    struct cray *cray = scan->cray;
    struct counter counter = { .domain = sensor_domain(QUALITY_MEASURED), .fd = -1, .power_fd = -1 };
    struct domain *domain = &counter.domain;
    uint64_t energy_uj;

    if (!domains_have_room(cray->count, scan->notices, "counters"))
        return;
    domain->resolution_uj = UJ_PER_J_INT;
    domain->update_ns = scan->update_ns;
    snprintf(domain->path, sizeof domain->path, COUNTERS_DIR "/%.64s", entry);
    classify(entry, domain);
    open_counter(scan, &counter, &energy_uj);
    /* a node without accelerators has their files, and 0 J in them */
    if (counter.fd >= 0 && energy_uj == 0 && domain->component != COMPONENT_MACHINE) {
        close_counter(&counter);
        return;
    }
    cray->counters[cray->count++] = counter;
}

static bool is_energy(const char *entry)
{
    static const char suffix[] = "_energy";
    const size_t length = strlen(entry);

    return strcmp(entry, "energy") == 0 ||
           (length > sizeof suffix - 1 && strcmp(entry + length - (sizeof suffix - 1), suffix) == 0);
}

static uint64_t update_ns_of(const struct root *root)
{
    uint64_t hz;

    if (!root_read_u64(root, COUNTERS_DIR "/raw_scan_hz", &hz, NULL) || hz == 0 || hz > 1000)
        hz = SCAN_HZ;
    return NS_PER_S_INT / hz;
}

static bool cray_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                      struct error *err)
{
    struct cray *cray = source->state = calloc(1, sizeof *cray);
    const struct cray_scan scan = { cray, &source->notices, root, update_ns_of(root) };
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, COUNTERS_DIR, NULL);

    (void)machine;
    if (!cray)
        return error_errno(err, "cannot open cray");
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (is_energy(entry->d_name))
            add_counter(&scan, entry->d_name);
    return domains_offer(source, cray->counters, cray->count, sizeof cray->counters[0],
                         "no energy counter of a Cray node", err);
}

static void read_counter(struct counter *counter, struct domain *domain, struct reading *reading)
{
    double power_uw;
    int number;

    if (!counter->own.left)
        reading->error = counter->fd < 0 ? ENODATA : read_uj(counter->fd, &reading->energy_uj);
    if (counter->power_fd < 0)
        return;
    number = read_uw(counter->power_fd, &power_uw);
    own_sensor_hold(&counter->own, domain, clock_monotonic_ns(), number, power_uw, reading);
}

static void cray_read(struct energy_source *source, struct reading *readings)
{
    struct cray *cray = source->state;

    for (size_t i = 0; i < cray->count; i++)
        read_counter(&cray->counters[i], &source->domains[i], &readings[i]);
}

static void cray_close(struct energy_source *source)
{
    struct cray *cray = source->state;

    for (size_t i = 0; cray && i < cray->count; i++)
        close_counter(&cray->counters[i]);
    domains_release(source);
}

ENERGY_DRIVER(cray, "nodes of Cray's: the node, its processors, memory and accelerators, through sysfs",
              .quality = QUALITY_MEASURED, .covers_all = true,
              .paths = PATHS(COUNTERS_DIR "/energy", COUNTERS_DIR "/*_energy", COUNTERS_DIR "/power",
                             COUNTERS_DIR "/*_power", COUNTERS_DIR "/raw_scan_hz"),
              .paths_title = "counters of the node");
