/* SPDX-License-Identifier: MIT
 * RAPL through the powercap class of sysfs. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/domains.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS_DIR "sys/class/powercap"

struct powercap_zone {
    struct domain domain; /* first: sorted as a domain */
    int fd;               /* energy_uj, kept open; -1: not readable */
};

struct powercap {
    const struct root *root;
    struct powercap_zone zones[ENERGY_MAX_DOMAINS];
    size_t count;
    size_t masked; /* class links that lead nowhere */
    bool class_seen;
    bool type_seen;          /* the control type, which comes with the driver, whether it finds a zone or not */
    uint64_t next_search_ns; /* next search for zones that have vanished */
};

/* What a scan carries around. */
struct powercap_scan {
    struct powercap *powercap;
    struct notices *notices;
    const struct root *root;
    const struct machine *machine;
};

/* "intel-rapl:0:a": a control type and one hexadecimal id per level. The class also lists the control
 * types themselves and those of other drivers (dtpm), which have no counters. */
static bool is_zone(const char *name, enum access *access)
{
    static const char msr[] = "intel-rapl:", mmio[] = "intel-rapl-mmio:";
    const char *ids = NULL;

    if (strncmp(name, msr, sizeof msr - 1) == 0)
        ids = name + sizeof msr - 1;
    else if (strncmp(name, mmio, sizeof mmio - 1) == 0)
        ids = name + sizeof mmio - 1;
    *access = ids && ids - name == sizeof mmio - 1 ? ACCESS_MMIO : ACCESS_MSR;
    return ids && *ids && strspn(ids, "0123456789abcdef:") == strlen(ids);
}

/* "package-1", "package-1-die-0". */
static bool parse_package(const char *name, int *package, int *die)
{
    int length = 0;

    *die = -1;
    if (sscanf(name, "package-%d%n", package, &length) != 1)
        return false;
    if (name[length] && (sscanf(name + length, "-die-%d%n", die, &length) != 1 || *die < 0))
        return false;
    return *package >= 0;
}

/* What a zone is comes from its name file; a child's package from its parent's (P19, P20). */
static bool identify(const struct root *root, const char *zone, const char *name, struct domain *domain)
{
    char path[256], parent[64];
    const char *cut = strrchr(zone, ':');

    if (parse_package(name, &domain->package, &domain->die)) {
        domain->component = COMPONENT_PACKAGE;
        return true;
    }
    domain->package = domain->die = -1;
    if (strcmp(name, "psys") == 0 || (sscanf(name, "psys-%d", &domain->package) == 1 && domain->package >= 0)) {
        domain->component = COMPONENT_PLATFORM;
        return true;
    }
    if (strcmp(name, "core") == 0)
        domain->component = COMPONENT_CORES;
    else if (strcmp(name, "uncore") == 0)
        domain->component = COMPONENT_UNCORE;
    else if (strcmp(name, "dram") == 0)
        domain->component = COMPONENT_MEMORY;
    else
        return false;
    snprintf(path, sizeof path, CLASS_DIR "/%.*s/name", (int)(cut - zone), zone);
    if (!root_read_text(root, path, parent, sizeof parent, NULL) ||
        !parse_package(parent, &domain->package, &domain->die))
        domain->package = domain->die = -1;
    return true;
}

/* max_energy_range_uj is the largest reading, 2^32 - 1 hardware units; the counter returns to 0 one
 * unit later (P01). Each zone has its own. */
static void read_modulus(const struct powercap_scan *scan, struct domain *domain)
{
    const uint64_t units = UINT32_MAX;
    char path[256];
    uint64_t range_uj, unit_uj;

    domain->resolution_uj = 1;
    snprintf(path, sizeof path, "%s/max_energy_range_uj", domain->path);
    if (!root_read_u64(scan->root, path, &range_uj, NULL) || range_uj == 0 || range_uj >= UINT64_MAX - units) {
        domain->wrap_unknown = true;
        return;
    }
    unit_uj = (range_uj + units / 2) / units;
    domain->wraps_at_uj = range_uj + (unit_uj ? unit_uj : 1);
    domain->resolution_uj = (range_uj + units - 1) / units;
}

/* The highest of the zone's constraints: for long and short terms, as they are set, and as far as they may be. */
static double read_limit_w(const struct powercap_scan *scan, const struct domain *domain)
{
    static const char *const files[] = { "power_limit_uw", "max_power_uw" };
    double limit_w = 0;

    for (int constraint = 0; constraint < 3; constraint++)
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            char path[256];
            uint64_t limit_uw;
            snprintf(path, sizeof path, "%s/constraint_%d_%s", domain->path, constraint, files[i]);
            if (root_read_u64(scan->root, path, &limit_uw, NULL))
                limit_w = fmax(limit_w, (double)limit_uw / UJ_PER_J);
        }
    return limit_w;
}

/* A driver's -EIO reaches us as EINVAL, which may be a passing fault (P54). */
static int read_energy(int fd, uint64_t *energy_uj)
{
    const int number = fd_read_u64(fd, energy_uj);

    return number == EINVAL ? fd_read_u64(fd, energy_uj) : number;
}

static void explain_denial(struct error *err)
{
    if (geteuid() == 0) {
        error_why(err, "permission denied, although this is root: root of a container or of a user namespace has no "
                       "right over files of users outside it");
        error_fix(err, "measure on the host; or let the host give this container's root user the right to read them");
        return;
    }
    error_why(err, "permission denied: since Linux 5.10 only root may read RAPL counters");
    error_fix(err, "sudo carbon ..., or run 'carbon sources --grant' for a udev rule that allows a group");
}

static void open_counter(const struct powercap_scan *scan, struct powercap_zone *zone)
{
    struct error *problem = &zone->domain.problem;
    char path[256], typed[512];
    uint64_t energy_uj;
    int number;

    snprintf(path, sizeof path, "%s/energy_uj", zone->domain.path);
    zone->fd = root_open_file(scan->root, path, problem);
    if (zone->fd >= 0) {
        number = read_energy(zone->fd, &energy_uj);
        if (number) {
            root_typed_path(scan->root, path, typed, sizeof typed);
            errno = number;
            error_errno(problem, "cannot read '%.200s'", typed);
            if (number == EBADMSG)
                error_why(problem, "it does not hold a number");
            close(zone->fd);
            zone->fd = -1;
        }
    }
    if (problem->kind == ERROR_DENIED)
        explain_denial(problem);
}

static void add_zone(const struct powercap_scan *scan, const char *id, enum access access)
{
    struct powercap *powercap = scan->powercap;
    struct domain domain = {
        .access = access, .update_ns = rapl_update_ns(scan->machine), .low_ratio = 1, .high_ratio = 1
    };
    char path[256], name[64];

    snprintf(domain.path, sizeof domain.path, CLASS_DIR "/%.64s", id);
    snprintf(path, sizeof path, "%s/.", domain.path);
    if (!root_exists(scan->root, path)) {
        powercap->masked++;
        return;
    }
    snprintf(path, sizeof path, "%s/name", domain.path);
    if (!root_read_text(scan->root, path, name, sizeof name, NULL) || !identify(scan->root, id, name, &domain)) {
        notice_add(scan->notices, NOTICE_LEFT_OUT, "its name file says nothing that is known", "",
                   "the powercap zone '%.64s' is left out", id);
        return;
    }
    if (!domains_have_room(powercap->count, scan->notices, "powercap zones"))
        return;
    domain.quality = scan->machine->guest ? QUALITY_VIRTUAL : QUALITY_MEASURED;
    if (domain.component == COMPONENT_CORES && package_has_one_counter(scan->machine))
        text_copy(domain.not_counted, sizeof domain.not_counted,
                  "one core's register, not all cores; inside the package"); /* P17 */
    domain_name(&domain);
    read_modulus(scan, &domain);
    domain.limit_w = read_limit_w(scan, &domain);
    powercap->zones[powercap->count] = (struct powercap_zone){ .domain = domain, .fd = -1 };
    open_counter(scan, &powercap->zones[powercap->count++]);
}

/* Only the class directory is listed: the nested view under /sys/devices shows the same zones again. */
static bool scan_class(const struct powercap_scan *scan, struct error *err)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(scan->root, CLASS_DIR, err);
    const struct dirent *entry;
    enum access access;

    if (!dir)
        return false;
    scan->powercap->class_seen = true;
    scan->powercap->type_seen = root_exists(scan->root, CLASS_DIR "/intel-rapl/.");
    while ((entry = readdir(dir)))
        if (is_zone(entry->d_name, &access))
            add_zone(scan, entry->d_name, access);
    return true;
}

/* No zone at all: the cause, and a possible remedy (P55, P56, P60). */
static bool explain_absence(const struct powercap_scan *scan, struct error *err)
{
    const struct machine *machine = scan->machine;
    const bool x86 = strstr(machine->cpu_vendor, "Intel") || package_has_one_counter(machine);
    char typed[512];

    root_typed_path(scan->root, CLASS_DIR, typed, sizeof typed);
    error_set(err, ERROR_ABSENT, "no RAPL counter in '%.200s'", typed);
    if (scan->powercap->masked ||
        (machine->container && scan->powercap->class_seen && !scan->powercap->type_seen && !machine->guest)) {
        error_notice(err, NOTICE_MASKED);
        error_why(err, "the container engine hides the counters of the machine (powercap is masked)");
        return error_fix(err, "measure on the host; or start the container with '--security-opt "
                              "systempaths=unconfined', or bind-mount the host's /sys/devices/virtual/powercap for "
                              "reading");
    }
    if (machine->guest) {
        error_notice(err, NOTICE_VIRTUAL_MACHINE);
        error_why(err, "virtual machine%s%s%s: the hypervisor does not expose RAPL", machine->hypervisor[0] ? " (" : "",
                  machine->hypervisor, machine->hypervisor[0] ? ")" : "");
        return error_fix(err, "measure on the host, or use --source model");
    }
    if (!x86) {
        error_notice(err, NOTICE_NO_COUNTER);
        error_why(err, "such counters (RAPL) are part of Intel and AMD processors");
        return false;
    }
    if (scan->powercap->type_seen) {
        error_notice(err, NOTICE_KERNEL_TOO_OLD);
        error_why(
            err,
            "the driver intel_rapl is there and finds no counter: the processor (family %d model %d) is newer than "
            "this kernel%s%s",
            machine->cpu_family, machine->cpu_number, machine->kernel[0] ? ", " : "", machine->kernel);
        return error_fix(err, "install a newer kernel; until then use --source model");
    }
    error_notice(err, NOTICE_NO_COUNTER);
    error_why(err, "the driver intel_rapl is not loaded, or this kernel's does not know this CPU (family %d model %d)",
              machine->cpu_family, machine->cpu_number);
    return error_fix(err, "'modprobe intel_rapl_msr' loads the driver; AMD processors need Linux 5.11 or later");
}

static bool powercap_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                          struct error *err)
{
    struct powercap *powercap = source->state = calloc(1, sizeof *powercap);
    const struct powercap_scan scan = { powercap, &source->notices, root, machine };
    struct error fault = { .kind = ERROR_NONE };

    if (!powercap)
        return error_errno(err, "cannot open powercap");
    powercap->root = root;
    if (!scan_class(&scan, &fault) && fault.kind != ERROR_ABSENT) {
        if (err)
            *err = fault;
        return false;
    }
    if (!domains_publish(source, powercap->zones, powercap->count, sizeof powercap->zones[0], err))
        return false;
    if (!powercap->count)
        return explain_absence(&scan, err);
    if (powercap->masked)
        notice_add(&source->notices, NOTICE_MASKED, "their links in " CLASS_DIR " lead nowhere", "measure on the host",
                   "%zu powercap zones are hidden by the container engine", powercap->masked);
    return !domains_refuse(source, err);
}

/* A package's zone goes with its last CPU, or with the driver, and comes back under another id (P38). */
static bool is_gone(int number)
{
    return number == ENODEV || number == ENOENT || number == EINVAL;
}

/* Whether the zone of this id is the one that has vanished. */
static bool is_it(const struct root *root, const char *id, const struct domain *gone)
{
    struct domain domain;
    char path[256], name[64];
    enum access access;

    snprintf(path, sizeof path, CLASS_DIR "/%.64s/name", id);
    return is_zone(id, &access) && access == gone->access && root_read_text(root, path, name, sizeof name, NULL) &&
           identify(root, id, name, &domain) && domain.component == gone->component &&
           domain.package == gone->package && domain.die == gone->die;
}

/* A zone of the same id that has only failed for a while (EINVAL) is still the same counter. */
static void find_again(const struct root *root, struct powercap_zone *zone, struct reading *reading)
{
    const int number = reading->error;
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, CLASS_DIR, NULL);
    const struct dirent *entry;
    char path[256];

    while (dir && (entry = readdir(dir))) {
        int fd;
        if (!is_it(root, entry->d_name, &zone->domain))
            continue;
        snprintf(path, sizeof path, CLASS_DIR "/%.64s/energy_uj", entry->d_name);
        fd = root_open_file(root, path, NULL);
        if (fd >= 0 && read_energy(fd, &reading->energy_uj) == 0) {
            close(zone->fd);
            zone->fd = fd;
            path[strlen(path) - strlen("/energy_uj")] = '\0';
            reading->error = 0;
            reading->restarted = number != EINVAL || strcmp(path, zone->domain.path) != 0;
            text_copy(zone->domain.path, sizeof zone->domain.path, path);
            return;
        }
        if (fd >= 0)
            close(fd);
    }
}

static void powercap_read(struct energy_source *source, struct reading *readings)
{
    struct powercap *powercap = source->state;
    bool gone = false;
    uint64_t now_ns;

    for (size_t i = 0; i < powercap->count; i++) {
        const int fd = powercap->zones[i].fd;
        readings[i].error = fd < 0 ? ENODATA : read_energy(fd, &readings[i].energy_uj);
        gone |= is_gone(readings[i].error);
    }
    if (!gone || (now_ns = clock_monotonic_ns()) < powercap->next_search_ns)
        return;
    powercap->next_search_ns = now_ns + NS_PER_S_INT;
    for (size_t i = 0; i < powercap->count; i++)
        if (is_gone(readings[i].error))
            find_again(powercap->root, &powercap->zones[i], &readings[i]);
}

static void powercap_close(struct energy_source *source)
{
    struct powercap *powercap = source->state;

    for (size_t i = 0; powercap && i < powercap->count; i++)
        if (powercap->zones[i].fd >= 0)
            close(powercap->zones[i].fd);
    domains_release(source);
}

ENERGY_DRIVER(powercap, "the processor's energy counters (RAPL), through sysfs", .quality = QUALITY_MEASURED,
              .paths = PATHS("sys/class/powercap/intel-rapl/enabled", "sys/class/powercap/intel-rapl*:*/name",
                             "sys/class/powercap/intel-rapl*:*/max_energy_range_uj",
                             "sys/class/powercap/intel-rapl*:*/energy_uj",
                             "sys/class/powercap/intel-rapl*:*/constraint_*_name",
                             "sys/class/powercap/intel-rapl*:*/constraint_*_power_limit_uw",
                             "sys/class/powercap/intel-rapl*:*/constraint_*_max_power_uw"),
              .paths_title = "powercap zones");
