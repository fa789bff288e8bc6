/* SPDX-License-Identifier: MIT
 * A table of groups with their totals; energy is laid on them by CPU time. */
#include "groups/groups.h"

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct group_name *name)
{
    const char *id = group_name_id(name);

    return text_hash(id, strlen(id)) + (uint64_t)name->kind;
}

/* A container's and a pod's tell whether it is a user's own, a program's whose processes they are; a job's two
 * hierarchies may name its user or not. */
static bool by_user(const struct group_name *name)
{
    return name->kind == GROUP_CONTAINER || name->kind == GROUP_POD || name->kind == GROUP_PROCESS;
}

static bool is_named(const struct group *group, const struct group_name *name)
{
    return group->name.kind == name->kind && strcmp(group_name_id(&group->name), group_name_id(name)) == 0 &&
           (!by_user(name) || strcmp(group->name.user, name->user) == 0);
}

bool group_name_is_users(const struct group_name *name)
{
    return name->kind != GROUP_SLURM && name->user[0];
}

/* Where the item of this name is in the places, or is to be. */
static size_t *place_of(const struct groups *groups, const struct group_name *name, uint64_t hash)
{
    for (uint64_t i = hash;; i++) {
        size_t *place = &groups->places[i & (groups->place_count - 1)];
        const struct group *group = *place ? &groups->items[*place - 1] : NULL;
        if (!group || (group->hash == hash && is_named(group, name)))
            return place;
    }
}

size_t groups_find(const struct groups *groups, const struct group_name *name)
{
    return groups->count ? *place_of(groups, name, hash_of(name)) - 1 : GROUP_NONE;
}

/* After items have gone from where they were. */
static void place_all(struct groups *groups)
{
    if (groups->places)
        memset(groups->places, 0, groups->place_count * sizeof *groups->places);
    for (size_t i = 0; i < groups->count; i++)
        *place_of(groups, &groups->items[i].name, groups->items[i].hash) = i + 1;
}

static bool has_room(struct groups *groups, const struct group_name *name)
{
    size_t room = groups->room ? 2 * groups->room : 64, place_count = 1;
    struct group *items;
    size_t *places;

    if (group_name_is_users(name) && groups->count >= groups->max - groups->max / 4)
        return false;
    if (groups->count < groups->room)
        return true;
    if (room > groups->max)
        room = groups->max;
    if (groups->count == groups->max)
        return false;
    while (place_count < 2 * room)
        place_count *= 2;
    items = realloc(groups->items, room * sizeof *items);
    if (!items)
        return false;
    groups->items = items;
    places = realloc(groups->places, place_count * sizeof *places);
    if (!places)
        return false;
    groups->places = places;
    groups->place_count = place_count;
    groups->room = room;
    place_all(groups);
    return true;
}

static int compare_out(const void *a, const void *b)
{
    const struct group_out *first = a, *second = b;

    return first->kind != second->kind ? ARRAY_ORDER(first->kind, second->kind)
                                       : ARRAY_ORDER(first->hash, second->hash);
}

static struct group_out out_of(const struct group_name *name)
{
    const uint64_t user = by_user(name) ? text_hash(name->user, strlen(name->user)) : 0;

    return (struct group_out){ .hash = hash_of(name) + user, .kind = name->kind };
}

/* Each once, in order. */
static void sort_out(struct groups_out *out)
{
    size_t stored = 0;

    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare_out);
    for (size_t i = 0; i < out->count; i++)
        if (stored == 0 || compare_out(&out->items[stored - 1], &out->items[i]) != 0)
            out->items[stored++] = out->items[i];
    out->count = stored;
}

static void leave_out(struct groups *groups, const struct group_name *name)
{
    struct groups_out *out = &groups->out;

    out->items = array_room(out->items, &out->room, out->count + 1, sizeof *out->items);
    if (out->count == out->room)
        return;
    out->items[out->count++] = out_of(name);
}

bool groups_was_out(const struct groups *groups, const struct group_name *name)
{
    const struct groups_out *before = &groups->out_before;
    const struct group_out wanted = out_of(name);

    return before->count && bsearch(&wanted, before->items, before->count, sizeof wanted, compare_out);
}

/* The table has names of its own. */
static bool keep_name(const struct group_name *name, struct group_name *stored)
{
    *stored = *name;
    stored->path = name->path ? strdup(name->path) : NULL;
    return !name->path == !stored->path;
}

static void let_go(struct group *group)
{
    free((char *)(uintptr_t)group->name.path);
}

static double sum_of(const double values[COMPONENT_COUNT], const bool has[COMPONENT_COUNT])
{
    double sum = NAN;

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        if ((!has || has[i]) && !isnan(values[i]))
            sum = isnan(sum) ? values[i] : sum + values[i];
    return sum;
}

double group_energy_j(const struct group *group)
{
    return sum_of(group->energy_j, group->has);
}

double group_power_w(const struct group *group)
{
    return sum_of(group->power_w, NULL);
}

double group_own_j(const struct group *group)
{
    return sum_of(group->own_j, group->has_own);
}

double group_own_w(const struct group *group)
{
    return sum_of(group->own_w, NULL);
}

/* What it has used stays in the sum of its kind. */
static void end_group(struct groups *groups, struct group *group)
{
    struct groups_ended *ended = &groups->ended[group->name.kind];
    const double energy_j = group_energy_j(group), own_j = group_own_j(group);

    ended->count++;
    ended->cpu_ns += group->cpu_ns;
    ended->energy_j += isnan(energy_j) ? 0 : energy_j;
    ended->own_j += isnan(own_j) ? 0 : own_j;
    ended->kgco2eq += group->kgco2eq;
    let_go(group);
}

size_t groups_take(struct groups *groups, const struct group_name *name)
{
    const uint64_t hash = hash_of(name);
    const size_t found = groups_find(groups, name);
    struct group_name stored;

    if (found != GROUP_NONE) {
        groups->items[found].seen_ns = groups->walked_ns;
        return found;
    }
    if (!has_room(groups, name) || !keep_name(name, &stored)) {
        leave_out(groups, name);
        return GROUP_NONE;
    }
    groups->items[groups->count] =
        (struct group){ .name = stored, .hash = hash, .begun_ns = groups->walked_ns, .seen_ns = groups->walked_ns };
    *place_of(groups, name, hash) = groups->count + 1;
    return groups->count++;
}

/* Those that have ended give way to those to come: the one that ended first goes first. */
static bool drop_oldest_ended(struct groups *groups)
{
    size_t oldest = GROUP_NONE;

    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i].seen_ns < groups->walked_ns &&
            (oldest == GROUP_NONE || groups->items[i].seen_ns < groups->items[oldest].seen_ns))
            oldest = i;
    if (oldest == GROUP_NONE)
        return false;
    end_group(groups, &groups->items[oldest]);
    groups->items[oldest] = groups->items[--groups->count];
    return true;
}

void groups_begin(struct groups *groups, uint64_t now_ns)
{
    const struct groups_out spare = groups->out_before;
    const size_t before = groups->count;

    sort_out(&groups->out);
    groups->out_before = groups->out;
    groups->out = spare;
    groups->out.count = 0;
    while (groups->count + groups->out_before.count > groups->max && drop_oldest_ended(groups))
        continue;
    if (groups->count < before)
        place_all(groups);
    groups->walked_ns = now_ns;
    groups->unentered = 0;
    memset(groups->left_out, 0, sizeof groups->left_out);
    for (size_t i = 0; i < groups->count; i++)
        memset(groups->items[i].recent_ns, 0, sizeof groups->items[i].recent_ns);
}

void groups_end(struct groups *groups)
{
    sort_out(&groups->out);
    for (size_t i = 0; i < groups->out.count; i++)
        groups->left_out[groups->out.items[i].kind]++;
}

uint64_t group_recent_ns(const struct group *group)
{
    /* a group that is in both hierarchies has the same processes in both; one may lie idle */
    return group->recent_ns[0] > group->recent_ns[1] ? group->recent_ns[0] : group->recent_ns[1];
}

double group_share(uint64_t cpu_ns, uint64_t used_ns, int cpus, uint64_t interval_ns)
{
    const double there_was_ns = (double)cpus * (double)interval_ns, used = (double)used_ns;
    const double whole_ns = used > there_was_ns ? used : there_was_ns;

    return whole_ns > 0 ? (double)cpu_ns / whole_ns : 0;
}

/* Its part of what lies above idle, by its part of the CPU time that was used. */
static void attribute_own(struct group *group, const struct group_interval *interval, double share)
{
    double all_j = 0;

    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const double part_j = interval->own_j[i] * share;
        group->own_w[i] = fmax(0, interval->power_w[i] - interval->idle_w[i]) * share;
        if (isnan(part_j)) {
            group->own_w[i] = NAN;
            continue;
        }
        group->has_own[i] = true;
        group->own_j[i] += part_j;
        all_j += part_j;
    }
    group->own_kgco2eq += footprint_of(all_j, interval->pue, interval->kgco2eq_per_kwh).kgco2eq;
}

static double own_share(uint64_t cpu_ns, uint64_t used_ns, uint64_t busy_ns)
{
    const uint64_t whole_ns = used_ns > busy_ns ? used_ns : busy_ns;

    if (!busy_ns)
        return NAN;
    return (double)cpu_ns / (double)whole_ns;
}

static void attribute_to(struct group *group, const struct group_interval *interval, double share)
{
    double all_j = 0;

    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const double part_j = interval->energy_j[i] * share;
        group->power_w[i] = interval->power_w[i] * share;
        if (isnan(part_j))
            continue;
        group->has[i] = true;
        group->energy_j[i] += part_j;
        all_j += part_j;
    }
    group->kgco2eq += footprint_of(all_j, interval->pue, interval->kgco2eq_per_kwh).kgco2eq;
}

/* The part of the energy for whose CPU time nobody was busy: what is in no group has the rest. */
static void attribute_idle(struct groups *groups, const struct group_interval *interval,
                           const uint64_t used_ns[GROUP_KINDS])
{
    struct groups_idle *idle = &groups->idle;
    uint64_t busy_ns = interval->busy_ns;
    double share;

    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        busy_ns = used_ns[kind] > busy_ns ? used_ns[kind] : busy_ns;
    share = 1 - group_share(busy_ns, busy_ns, interval->cpus, interval->interval_ns);
    idle->known = interval->busy_known && interval->interval_ns > 0;
    idle->power_w = 0;
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const double above_j = interval->energy_j[i] - interval->own_j[i];
        groups->idle_w[i] = interval->idle_w[i];
        groups->own_method[i] = interval->own_method[i];
        idle->idle_j += isnan(above_j) ? 0 : above_j;
        if (!idle->known || isnan(interval->energy_j[i]))
            continue;
        idle->energy_j += interval->energy_j[i] * share;
        idle->power_w += isnan(interval->power_w[i]) ? 0 : interval->power_w[i] * share;
    }
}

void groups_attribute(struct groups *groups, const struct group_interval *interval)
{
    uint64_t used_ns[GROUP_KINDS] = { 0 };

    for (size_t i = 0; i < groups->count; i++)
        used_ns[groups->items[i].name.kind] += group_recent_ns(&groups->items[i]);
    attribute_idle(groups, interval, used_ns);
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        const uint64_t cpu_ns = group_recent_ns(group);
        attribute_to(group, interval,
                     group_share(cpu_ns, used_ns[group->name.kind], interval->cpus, interval->interval_ns));
        attribute_own(group, interval, own_share(cpu_ns, used_ns[group->name.kind], interval->busy_ns));
        group->cpu_ns += cpu_ns;
    }
}

void groups_forget(struct groups *groups, uint64_t now_ns)
{
    size_t stored = 0;

    for (size_t i = 0; i < groups->count; i++)
        if (now_ns - groups->items[i].seen_ns <= groups->linger_ns)
            groups->items[stored++] = groups->items[i];
        else
            end_group(groups, &groups->items[i]);
    if (stored == groups->count)
        return;
    groups->count = stored;
    place_all(groups);
}

void groups_close(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        let_go(&groups->items[i]);
    free(groups->items);
    free(groups->places);
    free(groups->out.items);
    free(groups->out_before.items);
    groups->items = NULL;
    groups->places = NULL;
    groups->count = groups->room = groups->place_count = 0;
    groups->out = groups->out_before = (struct groups_out){ .count = 0 };
}
