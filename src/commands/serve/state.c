/* SPDX-License-Identifier: MIT
 * The file of the exporter's state: a JSON document. Whole numbers that must stay exact are texts. */
#include "commands/serve/state.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/json_read.h"
#include "io/json_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct state_time time_now(const struct root *root)
{
    const uint64_t asleep_ns = clock_asleep_ns();
    struct state_time now = { .boottime_ns = clock_monotonic_ns() + asleep_ns, .asleep_ns = asleep_ns };

    if (!root_read_text(root, "proc/sys/kernel/random/boot_id", now.boot_id, sizeof now.boot_id, NULL))
        now.boot_id[0] = '\0';
    return now;
}

static void add_exact(struct tree_node parent, const char *key, uint64_t value)
{
    char number[24];

    snprintf(number, sizeof number, "%" PRIu64, value);
    tree_text(parent, key, number);
}

static uint64_t read_exact(const struct cJSON *object, const char *key)
{
    uint64_t value;

    return text_to_u64(json_text_of(object, key), &value) ? value : 0;
}

static void add_holes(struct tree_node item, const struct collector *collector, size_t i)
{
    const struct tree_node holes = tree_object(item, "unknown_ns");

    for (enum hole hole = HOLE_NONE + 1; hole < HOLE_COUNT; hole++)
        if (collector_hole_ns(collector, i, hole))
            add_exact(holes, hole_name(hole), collector_hole_ns(collector, i, hole));
}

/* Names may repeat from source to source. One that cannot be read now has its total, and no value of its counter. */
static void add_domain(struct tree_node list, const struct collector *collector, size_t i)
{
    const struct meter_domain *state = &collector->meter->domains[i];
    const struct tree_node item = tree_object(list, NULL);

    tree_text(item, "source", state->source->driver->name);
    tree_text(item, "domain", state->domain->name);
    tree_text(item, "path", state->domain->path);
    add_exact(item, "total_uj", collector_total_uj(collector, i));
    add_exact(item, "gaps", collector_gaps(collector, i));
    add_holes(item, collector, i);
    if (collector->cards[i].idle.w > 0)
        tree_number(item, "idle_w", collector->cards[i].idle.w);
    if (!collector_knows(collector, i))
        return;
    add_exact(item, "raw_uj", state->last_raw_uj);
    add_exact(item, "wraps_at_uj", state->domain->wraps_at_uj);
    add_exact(item, "boottime_ns", state->last_time_ns + state->asleep_ns);
    add_exact(item, "asleep_ns", state->asleep_ns);
}

static void add_known(struct tree_node parent, const char *key, const char *value)
{
    if (value[0])
        tree_text(parent, key, value);
}

static void add_own(struct tree_node item, const struct group *group)
{
    const struct tree_node own = tree_object(item, "own_j");

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        if (group->has_own[i])
            tree_number(own, component_name((enum component)i), group->own_j[i]);
    tree_number(item, "own_kgco2eq", group->own_kgco2eq);
}

static void add_group(struct tree_node list, const struct group *group)
{
    const struct tree_node item = tree_object(list, NULL), energy = tree_object(item, "energy_j");

    tree_text(item, "kind", group_kind_name(group->name.kind));
    tree_text(item, "id", group_name_id(&group->name));
    add_known(item, "engine", group->name.engine);
    add_known(item, "user", group->name.user);
    add_known(item, "title", group->title);
    add_known(item, "namespace", group->space);
    tree_bool(item, "named", group->named);
    add_exact(item, "cpu_ns", group->cpu_ns);
    tree_number(item, "kgco2eq", group->kgco2eq);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        if (group->has[i])
            tree_number(energy, component_name((enum component)i), group->energy_j[i]);
    add_own(item, group);
}

static void add_idle(struct tree_node root, const struct own_idle *idle)
{
    const struct tree_node node = tree_object(root, "idle_w");

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        if (idle->components[i].w > 0)
            tree_number(node, component_name((enum component)i), idle->components[i].w);
}

static void fill_state(struct tree *tree, const struct collector *collector)
{
    const struct tree_node root = tree_root(tree);
    const struct state_time now = time_now(collector->root);
    struct tree_node emitted, list;
    char written_at[CLOCK_TEXT_SIZE];

    tree_text(root, "schema", STATE_SCHEMA);
    tree_text(root, "written_at", clock_text(clock_realtime_ns(), written_at));
    add_exact(root, "begun_s", collector->begun_s);
    tree_text(root, "boot_id", now.boot_id);
    emitted = tree_object(root, "emissions");
    tree_text(emitted, "scope", scope_name(collector->scope));
    tree_number(emitted, "factor_kgco2eq_per_kwh", collector->factor.kgco2eq_per_kwh);
    tree_number(emitted, "pue", collector->pue);
    tree_number(emitted, "base_kgco2eq", collector->emitted.kgco2eq);
    add_exact(emitted, "base_uj", collector->emitted.at_uj);
    tree_number(emitted, "kgco2eq", collector_kgco2eq(collector));
    add_exact(emitted, "counted_uj", collector_counted_uj(collector));
    add_idle(root, &collector->idle);
    list = tree_array(root, "domains");
    for (size_t i = 0; i < collector->meter->domain_count; i++)
        if (collector_knows(collector, i) || collector->base_uj[i])
            add_domain(list, collector, i);
    list = tree_array(root, "groups");
    for (size_t i = 0; i < collector->groups.count; i++)
        add_group(list, &collector->groups.items[i]);
}

char *state_text(const struct collector *collector, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    fill_state(&tree, collector);
    return tree_string_line(&tree, "the exporter's state", err);
}

/* By what it is told under: a start of the machine may number the devices, and so their paths, in another order. */
static const struct cJSON *domain_of(const struct cJSON *list, const struct meter_domain *state)
{
    for (const struct cJSON *item = json_first(list); item; item = json_next(item))
        if (strcmp(json_text_of(item, "source"), state->source->driver->name) == 0 &&
            strcmp(json_text_of(item, "domain"), state->domain->name) == 0)
            return item;
    return NULL;
}

/* NAN: it is no amount, so that the file is damaged there. */
static double read_amount(const struct cJSON *object, const char *key)
{
    const double value = json_number_of(object, key);

    return isfinite(value) && value >= 0 ? value : NAN;
}

/* Returns the energy that the domain had when it was left. */
static uint64_t resume_domain(struct collector *collector, size_t i, const struct cJSON *saved, const char *boot_id,
                              const struct state_time *now, struct notices *notices)
{
    const struct meter_domain *state = &collector->meter->domains[i];
    struct state_domain left = {
        .total_uj = read_exact(saved, "total_uj"),
        .raw_uj = read_exact(saved, "raw_uj"),
        .raw_known = !json_is_null(json_member(saved, "raw_uj")) &&
                     strcmp(json_text_of(saved, "path"), state->domain->path) == 0,
        .time = { .boottime_ns = read_exact(saved, "boottime_ns"), .asleep_ns = read_exact(saved, "asleep_ns") },
    };
    const char *why;
    uint64_t between_uj;

    text_copy(left.time.boot_id, sizeof left.time.boot_id, boot_id);
    collector->gaps[i] = read_exact(saved, "gaps");
    for (enum hole hole = HOLE_NONE + 1; hole < HOLE_COUNT; hole++)
        collector->hole_ns[i][hole] = read_exact(json_member(saved, "unknown_ns"), hole_name(hole));
    if (!state_between(&left, state, now, &between_uj, &why)) {
        collector->gaps[i]++;
        notice_add(notices, NOTICE_GAPS, why, "", "energy of %s in a gap between readings is unknown and excluded",
                   state->domain->name);
    }
    collector->base_uj[i] = left.total_uj + between_uj;
    collector->cards[i].idle.w = fmax(0, read_amount(saved, "idle_w"));
    return left.total_uj;
}

/* By the same factor what was kept is what it was; by another one it stands as it is, and what follows emits by the
 * new one. Of another scope nothing was kept: it begins at 0. */
static void resume_emitted(struct collector *collector, const struct cJSON *saved, uint64_t counted_uj)
{
    const bool same = json_number_of(saved, "factor_kgco2eq_per_kwh") == collector->factor.kgco2eq_per_kwh &&
                      json_number_of(saved, "pue") == collector->pue && counted_uj == read_exact(saved, "counted_uj");
    const double stored_kgco2eq = read_amount(saved, same ? "base_kgco2eq" : "kgco2eq");

    collector->emitted = (struct emitted){ .at_uj = counted_uj };
    if (strcmp(json_text_of(saved, "scope"), scope_name(collector->scope)) != 0 || isnan(stored_kgco2eq))
        return;
    collector->emitted =
        (struct emitted){ .kgco2eq = stored_kgco2eq, .at_uj = same ? read_exact(saved, "base_uj") : counted_uj };
}

static void resume_own(struct group *group, const struct cJSON *saved)
{
    const double own_kgco2eq = read_amount(saved, "own_kgco2eq");

    group->own_kgco2eq = isnan(own_kgco2eq) ? 0 : own_kgco2eq;
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const double own_j = read_amount(json_member(saved, "own_j"), component_name((enum component)i));
        group->has_own[i] = !isnan(own_j);
        group->own_j[i] = group->has_own[i] ? own_j : 0;
    }
}

/* The lowest power seen stays the lowest. */
static void resume_idle(struct own_idle *idle, const struct cJSON *saved)
{
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const double w = read_amount(saved, component_name((enum component)i));
        idle->components[i].w = w > 0 ? w : 0;
    }
}

static void resume_group(struct groups *groups, const struct cJSON *saved)
{
    struct group_name name = { .kind = GROUP_CGROUP };
    struct group *group;
    size_t at;

    while (name.kind < GROUP_KINDS && strcmp(json_text_of(saved, "kind"), group_kind_name(name.kind)) != 0)
        name.kind++;
    if (name.kind == GROUP_KINDS || !groups->wanted[name.kind])
        return;
    if (name.kind == GROUP_CGROUP)
        group_name_by_path(json_text_of(saved, "id"), &name);
    else
        text_copy(name.id, sizeof name.id, json_text_of(saved, "id"));
    text_copy(name.engine, sizeof name.engine, json_text_of(saved, "engine"));
    text_copy(name.user, sizeof name.user, json_text_of(saved, "user"));
    at = groups_take(groups, &name);
    if (at == GROUP_NONE)
        return;
    group = &groups->items[at];
    text_copy(group->title, sizeof group->title, json_text_of(saved, "title"));
    text_copy(group->space, sizeof group->space, json_text_of(saved, "namespace"));
    group->named = json_is_true(saved, "named");
    group->cpu_ns = read_exact(saved, "cpu_ns");
    group->kgco2eq = read_amount(saved, "kgco2eq");
    if (isnan(group->kgco2eq))
        group->kgco2eq = 0;
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        const double energy_j = read_amount(json_member(saved, "energy_j"), component_name((enum component)i));
        group->has[i] = !isnan(energy_j);
        group->energy_j[i] = group->has[i] ? energy_j : 0;
        group->power_w[i] = NAN;
    }
    resume_own(group, saved);
}

static void resume(struct collector *collector, const struct cJSON *saved, struct notices *notices)
{
    const struct state_time now = time_now(collector->root);
    const struct cJSON *list = json_member(saved, "domains");
    uint64_t counted_uj = 0;

    collector->begun_s = read_exact(saved, "begun_s");
    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        const struct cJSON *item = domain_of(list, &collector->meter->domains[i]);
        uint64_t left_uj;
        if (!item)
            continue;
        left_uj = resume_domain(collector, i, item, json_text_of(saved, "boot_id"), &now, notices);
        counted_uj += collector->counting->is_counted[i] ? left_uj : 0;
    }
    resume_emitted(collector, json_member(saved, "emissions"), counted_uj);
    resume_idle(&collector->idle, json_member(saved, "idle_w"));
    collector->groups.walked_ns = clock_monotonic_ns();
    for (const struct cJSON *item = json_first(json_member(saved, "groups")); item; item = json_next(item))
        resume_group(&collector->groups, item);
}

bool state_read(const char *path, struct collector *collector, struct notices *notices, struct error *err)
{
    struct error problem = { .kind = ERROR_NONE };
    struct cJSON *document = json_read(path, &problem);
    bool good;

    if (!document && problem.kind == ERROR_ABSENT)
        return true;
    good = document && json_is_form(document, path, STATE_SCHEMA, &problem);
    if (good) {
        resume(collector, document, notices);
    } else if (err) {
        *err = problem;
        error_fix(err, "name another file with --state, or remove this one: the counters then begin at 0");
    }
    json_close(document);
    return good;
}
