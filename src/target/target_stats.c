/* SPDX-License-Identifier: MIT
 * Samples of an engine's stats API, each against the first. */
#include "target/target_stats.h"

#include "base/clock.h"
#include "container/container_stats.h"

#include <stdio.h>
#include <stdlib.h>

/* What it says, and the highest of it that was seen. */
const char *const stats_from[ENGINE_KINDS] = { "docker stats", "podman stats" };
static const char *const samples_from[ENGINE_KINDS] = { "docker stats samples", "podman stats samples" };

struct stats_state {
    struct engine engine;
    char id[80];
    struct container_stats opening;
    struct container_stats last;
    uint64_t last_ns; /* when */
    uint64_t highest_bytes;
    struct usage used;
    bool ended;
};

/* Does not change what is known where the sample does not know it. */
static void grow(struct usage_value *used, struct stats_figure opening, struct stats_figure now, const char *from)
{
    if (opening.known && now.known && now.value >= opening.value)
        *used = (struct usage_value){ .known = true, .value = now.value - opening.value, .from = from };
}

static struct usage_value figure(struct stats_figure now, const char *from)
{
    return now.known ? (struct usage_value){ .known = true, .value = now.value, .from = from }
                     : (struct usage_value){ .known = false };
}

static void take_memory(struct stats_state *state, const struct container_stats *now)
{
    struct usage_value *peak = &state->used.memory_peak_bytes;
    const char *from = stats_from[state->engine.kind];

    state->used.memory_bytes = figure(now->memory_bytes, from);
    state->used.working_set_bytes = figure(now->working_set_bytes, from);
    if (now->memory_bytes.known && now->memory_bytes.value > state->highest_bytes) {
        state->highest_bytes = now->memory_bytes.value;
        if (!peak->known || peak->value < state->highest_bytes)
            *peak = figure(now->memory_bytes, samples_from[state->engine.kind]);
    }
    if (now->memory_peak_bytes.known && now->memory_peak_bytes.value > state->opening.memory_peak_bytes.value)
        *peak = figure(now->memory_peak_bytes, from);
}

static void take_stats(struct stats_state *state, const struct container_stats *now)
{
    const struct container_stats *opening = &state->opening;
    const char *from = stats_from[state->engine.kind];
    struct usage *used = &state->used;

    grow(&used->cpu_ns, opening->cpu_ns, now->cpu_ns, from);
    grow(&used->user_ns, opening->user_ns, now->user_ns, from);
    grow(&used->system_ns, opening->system_ns, now->system_ns, from);
    grow(&used->read_bytes, opening->read_bytes, now->read_bytes, from);
    grow(&used->written_bytes, opening->written_bytes, now->written_bytes, from);
    grow(&used->received_bytes, opening->received_bytes, now->received_bytes, from);
    grow(&used->sent_bytes, opening->sent_bytes, now->sent_bytes, from);
    take_memory(state, now);
}

/* An engine that is just busy has not lost its container. */
static bool has_ended(const struct stats_state *state)
{
    struct container now;
    struct error err = { .kind = ERROR_NONE };

    return container_inspect(&state->engine, state->id, &now, &err) ? !now.running : err.kind == ERROR_ABSENT;
}

static void stats_poll(struct target *target)
{
    struct stats_state *state = target->state;
    struct container_stats now;

    if (state->ended)
        return;
    if (container_stats(&state->engine, state->id, &now, NULL) && now.cpu_ns.known) {
        state->last = now;
        state->last_ns = clock_monotonic_ns();
        take_stats(state, &now);
    } else {
        state->ended = has_ended(state);
    }
}

static void stats_read(const struct target *target, struct usage *so_far)
{
    const struct stats_state *state = target->state;

    *so_far = state->used;
    if (state->ended)
        so_far->memory_bytes = so_far->working_set_bytes = (struct usage_value){ .known = false };
}

static void stats_now(const struct target *target, struct target_now *now)
{
    const struct stats_state *state = target->state;

    *now = (struct target_now){
        .time_ns = state->last_ns,
        .cpu_ns = state->used.cpu_ns,
        .memory_bytes = state->used.memory_bytes,
        .working_set_bytes = state->used.working_set_bytes,
    };
}

static bool stats_ended(const struct target *target)
{
    const struct stats_state *state = target->state;

    return state->ended;
}

static void stats_close(struct target *target)
{
    free(target->state);
}

TARGET_KIND(stats, .read = stats_read, .now = stats_now);

/* All that its engine ever says of one that has just started counts from nothing. */
static struct container_stats nothing(void)
{
    const struct stats_figure zero = { .known = true };

    return (struct container_stats){
        .cpu_ns = zero,
        .user_ns = zero,
        .system_ns = zero,
        .received_bytes = zero,
        .sent_bytes = zero,
        .read_bytes = zero,
        .written_bytes = zero,
    };
}

bool target_open_stats(struct target *target, const struct engine *engine, const char *id, bool since_start,
                       struct error *err)
{
    struct stats_state *state = calloc(1, sizeof *state);

    *target = (struct target){ .fd = -1 };
    if (!state)
        return error_errno(err, "no memory to follow a container");
    state->engine = *engine;
    snprintf(state->id, sizeof state->id, "%s", id);
    if (!container_stats(engine, id, &state->last, err)) {
        free(state);
        return false;
    }
    if (!state->last.cpu_ns.known) {
        error_set(err, ERROR_ABSENT, "the container '%.12s' cannot be followed", id);
        error_why(err, "%s reports no CPU time of it, and its cgroup is not readable here", engine_name(engine->kind));
        free(state);
        return error_fix(err, "call carbon as root, where the control groups of this machine are to be seen");
    }
    state->last_ns = clock_monotonic_ns();
    state->opening = since_start ? nothing() : state->last;
    take_stats(state, &state->last);
    target->state = state;
    target->kind = &stats_kind;
    snprintf(target->name, sizeof target->name, "%.12s", id);
    return true;
}
