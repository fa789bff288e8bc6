/* SPDX-License-Identifier: MIT
 * Processes that used a card, to the groups that they are in. */
#include "groups/gpu_shares.h"

#include "base/auto.h"
#include "base/units.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The path of a process' control group in the hierarchy whose paths are reported. */
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

/* A part of what a card used. */
struct share {
    double energy_j, own_j; /* own_j above idle; NAN unknown */
    uint64_t over_ns;
};

static void add(struct group *group, const struct share *share, const struct group_interval *interval)
{
    const double over_s = s_from_ns(share->over_ns);

    group->energy_j[COMPONENT_GPU] += share->energy_j;
    group->kgco2eq += footprint_of(share->energy_j, interval->pue, interval->kgco2eq_per_kwh).kgco2eq;
    if (share->over_ns)
        group->power_w[COMPONENT_GPU] += share->energy_j / over_s;
    if (isnan(share->own_j))
        return;
    group->own_j[COMPONENT_GPU] += share->own_j;
    group->own_kgco2eq += footprint_of(share->own_j, interval->pue, interval->kgco2eq_per_kwh).kgco2eq;
    if (share->over_ns)
        group->own_w[COMPONENT_GPU] += share->own_j / over_s;
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

/* What one card used. What lies above its idle power belongs to those who used it, each by his time of it. */
static void add_parts(struct groups *groups, const struct gpu_walks *walks, const struct root *root,
                      const struct gpu_parts *parts, double own_j, const struct group_interval *interval)
{
    double used_j = 0;

    for (size_t i = 0; i < parts->count; i++)
        used_j += parts->items[i].energy_j;
    for (size_t i = 0; i < parts->count; i++) {
        const double part_j = parts->items[i].energy_j;
        const struct share share = { part_j, used_j > 0 ? own_j * part_j / used_j : 0, parts->over_ns };
        size_t owners[GROUP_KINDS];
        find_owners(groups, walks, root, parts->items[i].pid, owners);
        for (size_t kind = 0; kind < GROUP_KINDS; kind++)
            if (owners[kind] != GROUP_NONE)
                add(&groups->items[owners[kind]], &share, interval);
    }
    groups->idle.energy_j += parts->of_j - used_j;
    if (parts->over_ns)
        groups->idle.power_w += (parts->of_j - used_j) / s_from_ns(parts->over_ns);
}

static double idle_w_of(const struct card_use *card)
{
    return card->idle.w > 0 ? card->idle.w : NAN;
}

/* The idle energy of the interval waits with its energy. */
static void take_idle(struct card_use *card, const struct gpu_used *used)
{
    const double known_s = used->power_w > 0 ? used->energy_j / used->power_w : NAN;

    lowest_power_take(&card->idle, used->energy_j, known_s);
    if (isfinite(known_s))
        card->waiting_idle_j += idle_w_of(card) * known_s;
}

/* What lies above idle; NAN: the idle power is not known. */
static double take_own_j(struct groups *groups, struct card_use *card, const struct gpu_parts *parts)
{
    const double idle_j = card->waiting_idle_j;

    card->waiting_idle_j = 0;
    if (isnan(idle_j))
        return NAN;
    groups->idle.idle_j += fmin(idle_j, parts->of_j);
    return fmax(0, parts->of_j - idle_j);
}

/* Idle power of a card now, no more than it draws. */
static void add_idle_w(struct groups *groups, const struct card_use *card, double power_w)
{
    double *sum_w = &groups->idle_w[COMPONENT_GPU];
    const double w = fmin(idle_w_of(card), power_w);

    if (!isnan(power_w) && !isnan(idle_w_of(card)))
        *sum_w = isnan(*sum_w) ? w : *sum_w + w;
}

/* What is known of all cards together. */
struct known {
    bool any, any_own; /* one of them at least */
    bool power, own_power;
};

static void take_card(struct groups *groups, const struct gpu_walks *walks, struct meter *meter, struct card_use *card,
                      const struct gpu_used *used, const struct group_interval *interval, struct known *known)
{
    struct gpu_parts parts;
    double own_j = 0;

    take_idle(card, used);
    const bool reported = gpu_split_take(meter, used->domain, used->energy_j, interval->interval_ns, &card->split,
                                         &parts) == GPU_ATTRIBUTED;
    const bool taken = reported && parts.over_ns > 0;
    if (reported)
        add_idle_w(groups, card, used->power_w);
    if (taken)
        own_j = take_own_j(groups, card, &parts);
    else if (!reported)
        card->waiting_idle_j = 0;
    known->any |= reported;
    known->any_own |= taken && !isnan(own_j);
    known->power &= taken;
    known->own_power &= taken && !isnan(own_j);
    if (reported)
        add_parts(groups, walks, meter->root, &parts, own_j, interval);
}

void gpu_shares_attribute(struct groups *groups, const struct gpu_walks *walks, struct meter *meter,
                          struct card_use *cards, const struct gpu_used *used, size_t count,
                          const struct group_interval *interval)
{
    struct known known = { .power = count > 0 && interval->interval_ns > 0, .own_power = true };

    groups->own_method[COMPONENT_GPU] = OWN_SHARE;
    for (size_t i = 0; i < groups->count; i++)
        groups->items[i].power_w[COMPONENT_GPU] = groups->items[i].own_w[COMPONENT_GPU] = 0;
    for (size_t i = 0; i < count; i++)
        take_card(groups, walks, meter, &cards[used[i].domain], &used[i], interval, &known);
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        group->has[COMPONENT_GPU] |= known.any;
        group->has_own[COMPONENT_GPU] |= known.any_own;
        if (!known.power)
            group->power_w[COMPONENT_GPU] = NAN;
        if (!known.power || !known.own_power)
            group->own_w[COMPONENT_GPU] = NAN;
    }
}
