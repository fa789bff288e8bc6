/* SPDX-License-Identifier: MIT
 * Processes that used a card, to the groups that they are in. */
#include "groups/gpu_shares.h"

#include "base/auto.h"
#include "base/units.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void add(struct group *group, double energy_j, uint64_t over_ns, const struct group_interval *interval)
{
    group->energy_j[COMPONENT_GPU] += energy_j;
    if (over_ns)
        group->power_w[COMPONENT_GPU] += energy_j / s_from_ns(over_ns);
    group->kgco2eq += footprint_of(energy_j, interval->pue, interval->kgco2eq_per_kwh).kgco2eq;
}

/* Whose a process is, of each kind. */
static void find_owners(struct groups *groups, const struct gpu_walks *walks, const struct root *root, pid_t pid,
                        size_t owners[GROUP_KINDS])
{
    char path[PATH_MAX];

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        owners[kind] = GROUP_NONE;
    if (path_of(walks->scan, root, pid, path))
        group_scan_owners(walks->scan, groups, path, owners);
    process_scan_owners(walks->processes, groups, pid, owners);
}

/* What one card used. */
static void add_parts(struct groups *groups, const struct gpu_walks *walks, const struct root *root,
                      const struct gpu_parts *parts, const struct group_interval *interval)
{
    double idle_j = parts->of_j;

    for (size_t i = 0; i < parts->count; i++) {
        size_t owners[GROUP_KINDS];
        idle_j -= parts->items[i].energy_j;
        find_owners(groups, walks, root, parts->items[i].pid, owners);
        for (size_t kind = 0; kind < GROUP_KINDS; kind++)
            if (owners[kind] != GROUP_NONE)
                add(&groups->items[owners[kind]], parts->items[i].energy_j, parts->over_ns, interval);
    }
    groups->idle.energy_j += idle_j;
    if (parts->over_ns)
        groups->idle.power_w += idle_j / s_from_ns(parts->over_ns);
}

void gpu_shares_attribute(struct groups *groups, const struct gpu_walks *walks, struct meter *meter,
                          struct gpu_split *splits, const struct gpu_used *used, size_t count,
                          const struct group_interval *interval)
{
    bool any = false, power_known = count > 0 && interval->interval_ns > 0;

    for (size_t i = 0; i < groups->count; i++)
        groups->items[i].power_w[COMPONENT_GPU] = 0;
    for (size_t i = 0; i < count; i++) {
        struct gpu_parts parts;
        const enum gpu_attribution reported = gpu_split_take(meter, used[i].domain, used[i].energy_j,
                                                             interval->interval_ns, &splits[used[i].domain], &parts);
        any |= reported == GPU_ATTRIBUTED;
        power_known &= reported == GPU_ATTRIBUTED && parts.over_ns > 0;
        add_parts(groups, walks, meter->root, &parts, interval);
    }
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        group->has[COMPONENT_GPU] |= any;
        if (!power_known)
            group->power_w[COMPONENT_GPU] = NAN;
    }
}
