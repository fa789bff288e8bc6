/* SPDX-License-Identifier: MIT
 * The windows of a record and their strides. */
#include "result/window_fields.h"

#include "base/units.h"
#include "own/strides.h"
#include "result/report.h"

static const char *hole_word(int value)
{
    return hole_name((enum hole)value);
}

#define OF struct hole_fields
const struct fields record_hole = FIELDS({
    FIELD_COUNT(domain, "its place in domains, from 0"),
    FIELD_NUMBER(unknown_s, "how long, in seconds of the window", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_WORD(int, reason, hole_word, HOLE_NONE + 1, HOLE_COUNT,
               "of the last one: its counter was reset, the machine was suspended, its counter was unavailable, was "
               "not read, was stuck while the machine ran, or reported impossible values"),
});
#undef OF

void record_energies(struct tree_node array, size_t count, const uint64_t energy_uj[], const uint8_t known[])
{
    for (size_t i = 0; i < count; i++)
        if (known[i])
            tree_integer(array, NULL, energy_uj[i]);
        else
            tree_null(array, NULL);
}

void record_holes(struct tree_node array, size_t count, const uint64_t unknown_ns[], const uint8_t hole[])
{
    for (size_t i = 0; i < count; i++) {
        const struct hole_fields fields = { i, s_from_ns(unknown_ns[i]), hole[i] };
        if (unknown_ns[i])
            fields_json(tree_object(array, NULL), &record_hole, &fields);
    }
}

/* Strides. */

static bool is_counted_stride(const void *stride)
{
    return ((const struct stride *)stride)->counted;
}

void record_stride_energies(struct tree_node array, const void *of)
{
    const struct stride_view *view = of;

    for (size_t d = 0; d < view->strides->domain_count; d++)
        tree_integer(array, NULL, stride_energy_uj(view->strides, view->i)[d]);
}

#define OF struct stride
const struct fields stride_times_fields = FIELDS({
    FIELD_SECONDS_AS("duration_s", duration_ns, "how long it is, in seconds"),
    FIELD_SECONDS_AS("machine_busy_s", busy_ns, "CPU time of everything on the machine, in seconds"),
    FIELD_SECONDS_AS("job_cpu_s", job_ns, "CPU time of the job, in seconds; 0 in a baseline"),
    FIELD_UNSIGNED(job_cpu_roundings, "number of figures in it that are in whole clock ticks; 0: it is exact",
                   .flags = FIELD_LATER),
    FIELD_U64_AS("cycles", all.cycles, "of all processors, whoever used them; null: not counted",
                 .known = is_counted_stride),
    FIELD_U64_AS("instructions", all.instructions, "likewise", .known = is_counted_stride),
    FIELD_U64_AS("cache_misses", all.misses, "likewise, of the last level", .known = is_counted_stride),
});
#undef OF

#define OF struct stride_view
const struct fields stride_fields = FIELDS_NAMED("stride", "usage, and its users, in a piece of a window")({
    FIELD_VALUES("energy_uj", record_stride_energies, FIELD_IS_U64,
                 "in microjoules, one entry for each domain, in their order"),
    FIELD_SECONDS_AS("start_s", start_ns, "since the window's opening sample, in seconds"),
    FIELD_PART(const struct stride *, stride, &stride_times_fields, FIELD_BEHIND),
});
#undef OF

static bool has_strides(const void *of)
{
    const struct strides *strides = ((const struct window_view *)of)->measurement->strides;

    return strides && strides->concurrent;
}

void record_strides(struct tree_node array, const void *of)
{
    const struct window_view *view = of;
    const struct strides *strides = view->measurement->strides;

    for (size_t i = 0; i < strides->count; i++)
        if (stride_is_in(&strides->items[i], view->window)) {
            const struct stride *stride = &strides->items[i];
            const struct stride_view item = { strides, i, stride, stride->start_ns - view->window->start_ns };
            fields_json(tree_object(array, NULL), &stride_fields, &item);
        }
}

/* Windows. */

void record_window_energies(struct tree_node array, const void *of)
{
    const struct window_view *view = of;

    record_energies(array, view->measurement->meter->domain_count, view->window->energy_uj, view->window->known);
}

void record_window_holes(struct tree_node array, const void *of)
{
    const struct window_view *view = of;

    record_holes(array, view->measurement->meter->domain_count, view->window->unknown_ns, view->window->hole);
}

void record_window_parts(struct tree_node array, const void *of)
{
    const struct window *window = ((const struct window_view *)of)->window;

    for (size_t i = 0; i < window->part_count; i++)
        tree_number(array, NULL, window->parts_w[i]);
}

static bool is_busy_known(const void *window)
{
    return ((const struct window *)window)->machine_busy_known;
}

static bool is_mask_known(const void *window)
{
    return ((const struct window *)window)->mask_cpus > 0;
}

#define OF struct window
static const struct fields window_start_fields = FIELDS({
    FIELD_TIME_AS("started_at", realtime_ns, "when the window was opened, UTC"),
});

static const struct fields window_times_fields = FIELDS({
    FIELD_SECONDS_AS("duration_s", duration_ns, "how long it lasted, in seconds of CLOCK_MONOTONIC"),
    FIELD_SECONDS_AS("suspended_s", suspended_ns, "how long the machine slept besides, in seconds"),
    FIELD_SECONDS_AS("reading_s", span_ns,
                     "how long the longer of its two readings of all counters took, in seconds; not in records of "
                     "minor 2 and before",
                     .flags = FIELD_LATER),
    FIELD_SECONDS_AS("machine_busy_s", machine_busy_ns,
                     "CPU time of everything on the machine in the window, in seconds",
                     FIELD_WHERE(machine_busy_known)),
    FIELD_SECONDS_AS("machine_lost_s", machine_lost_ns,
                     "CPU time that the kernel counted neither as idle nor as busy, in seconds; not in records of "
                     "minor 7 and before",
                     .flags = FIELD_LATER, .known = is_busy_known),
    FIELD_SECONDS_AS("mask_busy_s", mask_busy_ns, "the same on the CPUs that the command may run on",
                     .known = is_mask_known),
    FIELD_UNSIGNED(mask_cpus, "how many these are; null: unknown", .flags = FIELD_NULL_0),
    FIELD_SECONDS_AS("carbon_busy_s", carbon_busy_ns,
                     "CPU time of carbon itself in the window, in seconds; 0 where the machine is a recorded one"),
});

const struct fields window_own_fields = FIELDS({ FIELD_SAME(&window_start_fields), FIELD_SAME(&window_times_fields) });
#undef OF

#define OF struct window_view
const struct fields window_fields = FIELDS({
    FIELD_VALUES(
        "energy_uj", record_window_energies, FIELD_IS_U64,
        "energy in the window, in microjoules, exact: one for each entry of domains, in that order; null: not known",
        .flags = FIELD_ITEMS_NULLABLE),
    FIELD_EACH("holes", record_window_holes, &record_hole, "times that are not in energy_uj", .flags = FIELD_LATER),
    FIELD_PART(const struct window *, window, &window_start_fields, FIELD_BEHIND),
    FIELD_SECONDS_AS("start_s", start_ns,
                     "when it was opened, in seconds of CLOCK_MONOTONIC since the first window was"),
    FIELD_PART(const struct window *, window, &window_times_fields, FIELD_BEHIND),
    FIELD_EACH("strides", record_strides, &stride_fields,
               "the window in strides, where others than the job were busy in one of them; null: they were not, or "
               "nothing could be learnt from it",
               .flags = FIELD_LATER, .known = has_strides, .max = STRIDES_MAX),
});

const struct fields baseline_fields = FIELDS_NAMED("baseline", "a window with the machine left alone")({
    FIELD_SAME(&window_fields),
    FIELD_VALUES("parts_w", record_window_parts, FIELD_IS_NUMBER,
                 "mean power of the counted domains in each part of it, in watts", .flags = FIELD_ITEMS_NULLABLE,
                 .max = BASELINE_PARTS),
});
#undef OF

/* Of the windows the one that began first. */
static uint64_t first_start_ns(const struct measurement *measurement)
{
    uint64_t first_ns = UINT64_MAX;

    if (measurement->baseline_count)
        first_ns = measurement->baselines[0].start_ns;
    if (measurement->run_count && measurement->runs[0].window.start_ns < first_ns)
        first_ns = measurement->runs[0].window.start_ns;
    return first_ns;
}

struct window_view window_view_of(const struct measurement *measurement, const struct window *window)
{
    return (struct window_view){ measurement, window, window->start_ns - first_start_ns(measurement) };
}

void record_baselines(struct tree_node array, const void *of)
{
    const struct measurement *measurement = ((const struct report *)of)->measurement;

    for (size_t i = 0; i < measurement->baseline_count; i++) {
        const struct window_view view = window_view_of(measurement, &measurement->baselines[i]);
        fields_json(tree_object(array, NULL), &baseline_fields, &view);
    }
}
