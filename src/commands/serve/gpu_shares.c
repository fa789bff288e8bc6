/* SPDX-License-Identifier: MIT
 * Processes that used a card, to the groups that they are in. */
#include "commands/serve/gpu_shares.h"

#include "base/auto.h"
#include "base/units.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* PROC_PID_INIT_INO (include/linux/proc_ns.h): the namespace whose numbers the driver tells */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCU

static bool sees_all_processes(const struct root *root)
{
    struct stat own;

    return !root->live || (stat("/proc/self/ns/pid", &own) == 0 && own.st_ino == FIRST_PID_NAMESPACE);
}

/* The path of a process' control group in the hierarchy whose paths are told. */
static bool path_of(const struct group_scan *scan, const struct root *root, pid_t pid, char path[PATH_MAX])
{
    char file[48], line[PATH_MAX + 128];

    snprintf(file, sizeof file, "proc/%d/cgroup", (int)pid);
    const int fd = root_open_file(root, file, NULL);
    AUTO_FCLOSE FILE *lines = fd < 0 ? NULL : fdopen(fd, "r");
    while (lines && fgets(line, sizeof line, lines)) {
        const char *controllers = strchr(line, ':'), *name = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!name)
            continue;
        const bool unified = name == controllers + 1;
        const bool cpu = !unified && memmem(controllers, (size_t)(name - controllers), "cpuacct", strlen("cpuacct"));
        if (scan->paths_of == 0 ? !unified : !cpu)
            continue;
        snprintf(path, PATH_MAX, "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
        return true;
    }
    return false;
}

static double gpu_j_of(double energy_j, double busy, double all_busy)
{
    return energy_j * busy / fmax(1, all_busy);
}

static void add(struct group *group, double energy_j, const struct group_interval *interval)
{
    group->energy_j[COMPONENT_GPU] += energy_j;
    if (interval->interval_ns)
        group->power_w[COMPONENT_GPU] += energy_j / s_from_ns(interval->interval_ns);
    group->kgco2eq += footprint_of(energy_j, interval->pue, interval->kgco2eq_per_kwh).kgco2eq;
}

/* False: its driver does not tell. */
static bool share_card(struct groups *groups, const struct group_scan *scan, const struct root *root,
                       struct energy_source *source, size_t index, double energy_j,
                       const struct group_interval *interval)
{
    struct gpu_user users[GPU_MOST_USERS];
    double all_busy = 0;
    size_t count;

    if (!source->driver->users || source->driver->users(source, index, users, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        all_busy += users[i].busy;
    for (size_t i = 0; i < count; i++) {
        size_t owners[GROUP_KINDS];
        char path[PATH_MAX];
        if (!path_of(scan, root, users[i].pid, path))
            continue;
        group_scan_owners(groups, path, owners);
        for (size_t kind = 0; kind < GROUP_KINDS; kind++)
            if (owners[kind] != GROUP_NONE)
                add(&groups->items[owners[kind]], gpu_j_of(energy_j, users[i].busy, all_busy), interval);
    }
    return true;
}

static struct energy_source *source_of(struct meter *meter, size_t domain)
{
    for (size_t i = 0; i < meter->source_count; i++)
        if (&meter->sources[i] == meter->domains[domain].source)
            return &meter->sources[i];
    return NULL;
}

void gpu_shares_attribute(struct groups *groups, const struct group_scan *scan, const struct root *root,
                          struct meter *meter, const struct gpu_part *parts, size_t count,
                          const struct group_interval *interval)
{
    bool all = count > 0 && sees_all_processes(root), any = false;

    for (size_t i = 0; i < groups->count; i++)
        groups->items[i].power_w[COMPONENT_GPU] = interval->interval_ns ? 0 : NAN;
    for (size_t i = 0; i < count && sees_all_processes(root); i++) {
        struct energy_source *source = source_of(meter, parts[i].domain);
        const size_t index = (size_t)(meter->domains[parts[i].domain].domain - source->domains);
        const bool told = share_card(groups, scan, root, source, index, parts[i].energy_j, interval);
        all &= told;
        any |= told;
    }
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        group->has[COMPONENT_GPU] |= any;
        if (!all)
            group->power_w[COMPONENT_GPU] = NAN;
    }
}
