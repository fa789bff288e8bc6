/* SPDX-License-Identifier: MIT
 * The groups of a pod's containers as one target: their usage is added. */
#include "target/target_parts.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "target/pod_group.h"
#include "target/target_groups.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char samples[] = "cgroup samples";

struct target_parts_part {
    char *folder; /* its name */
    struct target target;
};

struct parts_state {
    char above[PATH_MAX], uid[64];
    struct target_parts_part *parts;
    size_t count;
    struct usage_value peak_bytes; /* the most that they had together at a look */
};

/* For several containers: figures of each process, and of the kernel's actions on them. */
static const size_t additive[] = {
    offsetof(struct usage, cpu_ns),     offsetof(struct usage, user_ns),       offsetof(struct usage, system_ns),
    offsetof(struct usage, read_bytes), offsetof(struct usage, written_bytes), offsetof(struct usage, oom_kills),
};

static const struct usage_value *field_of(const struct usage *usage, size_t offset)
{
    return (const void *)((const char *)usage + offset);
}

static bool is_known(const struct parts_state *state, const char *folder)
{
    for (size_t i = 0; i < state->count; i++)
        if (strcmp(state->parts[i].folder, folder) == 0)
            return true;
    return false;
}

/* False: it cannot be followed, as one that has gone again. */
static bool add_part(struct parts_state *state, const char *folder, enum groups_from from, struct error *err)
{
    struct target_parts_part *more = reallocarray(state->parts, state->count + 1, sizeof *more);
    struct target_parts_part *part = more ? &more[state->count] : NULL;
    char path[PATH_MAX + NAME_MAX];

    state->parts = more ? more : state->parts;
    if (!part || !(part->folder = strdup(folder)))
        return error_errno(err, "no memory to follow a pod");
    snprintf(path, sizeof path, "%s/%s", state->above, folder);
    if (target_open_group(&part->target, path, from, err)) {
        state->count++;
        return true;
    }
    free(part->folder);
    return false;
}

static void find_parts(struct parts_state *state, enum groups_from from, struct error *err)
{
    AUTO_CLOSEDIR DIR *dir = opendir(state->above);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (entry->d_type == DT_DIR && pod_is_part(entry->d_name, state->uid) && !is_known(state, entry->d_name))
            IGNORED(add_part(state, entry->d_name, from, err), "a part that cannot be opened is looked for again");
}

/* A value that one of them lacks is unknown for all. */
static void add_up(struct usage_value *sum, const struct usage_value *one, bool first)
{
    if (first) {
        *sum = *one;
        return;
    }
    sum->known &= one->known;
    sum->value += one->value;
}

/* Of those that have ended nothing is in use. */
static bool is_in_use(const struct target_parts_part *part)
{
    return !target_ended(&part->target);
}

static void note_memory(struct parts_state *state)
{
    struct usage_value now_bytes = { .known = false };
    bool first = true;

    for (size_t i = 0; i < state->count; i++) {
        struct usage used;
        if (!is_in_use(&state->parts[i]))
            continue;
        target_fill(&state->parts[i].target, &used);
        add_up(&now_bytes, &used.memory_bytes, first);
        first = false;
    }
    if (now_bytes.known && (!state->peak_bytes.known || now_bytes.value > state->peak_bytes.value))
        state->peak_bytes = (struct usage_value){ .known = true, .value = now_bytes.value, .from = samples };
}

static void parts_poll(struct target *target)
{
    struct parts_state *state = target->state;

    find_parts(state, GROUPS_SINCE_MADE, NULL);
    for (size_t i = 0; i < state->count; i++)
        target_look(&state->parts[i].target);
    note_memory(state);
}

static void parts_read(const struct target *target, struct usage *so_far)
{
    const struct parts_state *state = target->state;
    bool first = true;

    for (size_t i = 0; i < state->count; i++) {
        struct usage used;
        target_fill(&state->parts[i].target, &used);
        for (size_t f = 0; f < sizeof additive / sizeof additive[0]; f++)
            add_up((struct usage_value *)field_of(so_far, additive[f]), field_of(&used, additive[f]), i == 0);
        if (!is_in_use(&state->parts[i]))
            continue;
        add_up(&so_far->memory_bytes, &used.memory_bytes, first);
        add_up(&so_far->working_set_bytes, &used.working_set_bytes, first);
        first = false;
    }
    so_far->memory_peak_bytes = state->peak_bytes;
}

static void parts_now(const struct target *target, struct target_now *now)
{
    const struct parts_state *state = target->state;
    bool first = true;

    for (size_t i = 0; i < state->count; i++) {
        const struct target *part = &state->parts[i].target;
        struct target_now one = { .time_ns = now->time_ns };
        struct usage last;
        if (is_in_use(&state->parts[i])) {
            target_fill_now(part, &one);
            add_up(&now->memory_bytes, &one.memory_bytes, first);
            add_up(&now->working_set_bytes, &one.working_set_bytes, first);
            first = false;
        } else {
            target_fill(part, &last);
            one.cpu_ns = last.cpu_ns;
        }
        add_up(&now->cpu_ns, &one.cpu_ns, i == 0);
        now->cpu_roundings += one.cpu_roundings;
        now->time_ns = clock_earlier_ns(now->time_ns, one.time_ns);
    }
}

static bool parts_ended(const struct target *target)
{
    const struct parts_state *state = target->state;

    for (size_t i = 0; i < state->count; i++)
        if (is_in_use(&state->parts[i]))
            return false;
    return true;
}

static enum target_member parts_has(const struct target *target, pid_t pid)
{
    const struct parts_state *state = target->state;

    for (size_t i = 0; i < state->count; i++)
        if (target_has(&state->parts[i].target, pid) == TARGET_HAS)
            return TARGET_HAS;
    return TARGET_NOT;
}

static void parts_close(struct target *target)
{
    struct parts_state *state = target->state;

    for (size_t i = 0; i < state->count; i++) {
        target_close(&state->parts[i].target);
        free(state->parts[i].folder);
    }
    free(state->parts);
    free(state);
}

TARGET_KIND(parts, .read = parts_read, .now = parts_now, .has = parts_has);

bool target_open_parts(struct target *target, const char *above, const char *uid, struct error *err)
{
    struct parts_state *state = calloc(1, sizeof *state);

    *target = (struct target){ .fd = -1 };
    if (!state)
        return error_errno(err, "no memory to follow a pod");
    target->kind = &parts_kind;
    target->state = state;
    text_copy(state->above, sizeof state->above, above);
    text_copy(state->uid, sizeof state->uid, uid);
    find_parts(state, GROUPS_SINCE_NOW, err);
    if (state->count)
        return true;
    target_close(target);
    return false;
}
