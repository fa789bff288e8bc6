/* SPDX-License-Identifier: MIT
 * Baselines and runs, with their phases and what the job used, from a record. */
#include "result/stored/record_load.h"

#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "measurement/slices.h"
#include "result/window_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than any count or energy of a record; doubles are whole below it. */
#define MAX_WHOLE 9007199254740992.0
#define MAX_S 9e9

static uint64_t whole_of(const struct cJSON *item)
{
    const double value = json_number(item);

    return value > 0 && value < MAX_WHOLE ? (uint64_t)value : 0;
}

bool record_load_energy(const struct loaded_record *loaded, const struct cJSON *node, uint64_t *energy_uj,
                        uint8_t *known)
{
    const struct cJSON *energies = json_member(node, "energy_uj"), *item = json_first(energies);

    if (json_count(energies) != loaded->meter.domain_count)
        return false;
    for (size_t i = 0; i < loaded->meter.domain_count; i++, item = json_next(item)) {
        known[i] = json_kind(item) == JSON_NUMBER;
        energy_uj[i] = whole_of(item);
    }
    return true;
}

/* A record from before there were any has none. */
static bool take_holes(const struct loaded_record *loaded, const struct cJSON *node, uint64_t *unknown_ns,
                       uint8_t *reasons)
{
    for (const struct cJSON *item = json_first(json_member(node, "holes")); item; item = json_next(item)) {
        struct hole_fields hole;
        if (!fields_read(item, &record_hole, &hole) || hole.domain >= loaded->meter.domain_count)
            return false;
        unknown_ns[hole.domain] = field_ns(hole.unknown_s);
        reasons[hole.domain] = (uint8_t)hole.reason;
    }
    return true;
}

/* An older record says only which CPUs the job might use: where they were all, theirs is the machine's. */
static void take_mask(const struct loaded_record *loaded, const struct cJSON *node, struct window *window)
{
    const struct cJSON *busy = json_member(node, "mask_busy_s");

    if (json_is_null(busy))
        window->mask_cpus = 0;
    if (!busy && window->machine_busy_known && loaded->report.job_cpus == loaded->machine.cpus_online) {
        window->mask_busy_ns = window->machine_busy_ns;
        window->mask_cpus = (unsigned)loaded->machine.cpus_online;
    }
}

static bool take_window(const struct loaded_record *loaded, const struct cJSON *node, struct window *window)
{
    *window = (struct window){ .start_ns = field_ns(json_number_of(node, "start_s")) };
    fields_take(node, &window_own_fields, window);
    take_mask(loaded, node, window);
    return !isnan(json_number_of(node, "start_s")) && take_holes(loaded, node, window->unknown_ns, window->hole) &&
           record_load_energy(loaded, node, window->energy_uj, window->known);
}

static bool take_baseline(const struct loaded_record *loaded, const struct cJSON *node, struct window *window)
{
    const struct cJSON *parts = json_member(node, "parts_w");

    if (!take_window(loaded, node, window) || json_kind(parts) != JSON_ARRAY || json_count(parts) > BASELINE_PARTS)
        return false;
    for (const struct cJSON *part = json_first(parts); part; part = json_next(part))
        window->parts_w[window->part_count++] = json_number(part);
    return true;
}

static void take_figure(const struct cJSON *usage, const char *key, double unit, struct usage_value *figure)
{
    const struct cJSON *node = json_member(usage, key);
    const double value = json_number_of(node, "value");

    figure->known = value >= 0 && value < MAX_WHOLE;
    figure->value = !figure->known ? 0 : unit > 1 ? field_ns(value) : (uint64_t)value;
    figure->from = figure->known ? json_text_of(node, "from") : NULL;
}

static void take_usage(const struct cJSON *run, struct usage *used)
{
    static const struct {
        const char *key;
        size_t offset;
        double unit;
    } figures[] = {
        { "cpu_s", offsetof(struct usage, cpu_ns), NS_PER_S },
        { "user_s", offsetof(struct usage, user_ns), NS_PER_S },
        { "system_s", offsetof(struct usage, system_ns), NS_PER_S },
        { "memory_peak_bytes", offsetof(struct usage, memory_peak_bytes), 1 },
        { "memory_bytes", offsetof(struct usage, memory_bytes), 1 },
        { "working_set_bytes", offsetof(struct usage, working_set_bytes), 1 },
        { "read_bytes", offsetof(struct usage, read_bytes), 1 },
        { "written_bytes", offsetof(struct usage, written_bytes), 1 },
        { "received_bytes", offsetof(struct usage, received_bytes), 1 },
        { "sent_bytes", offsetof(struct usage, sent_bytes), 1 },
        { "voluntary_switches", offsetof(struct usage, voluntary_switches), 1 },
        { "involuntary_switches", offsetof(struct usage, involuntary_switches), 1 },
        { "minor_faults", offsetof(struct usage, minor_faults), 1 },
        { "major_faults", offsetof(struct usage, major_faults), 1 },
        { "cpu_stall_s", offsetof(struct usage, cpu_stall_ns), NS_PER_S },
        { "memory_stall_s", offsetof(struct usage, memory_stall_ns), NS_PER_S },
        { "io_stall_s", offsetof(struct usage, io_stall_ns), NS_PER_S },
        { "cycles", offsetof(struct usage, cycles), 1 },
        { "instructions", offsetof(struct usage, instructions), 1 },
        { "cache_misses", offsetof(struct usage, cache_misses), 1 },
        { "touched_bytes", offsetof(struct usage, touched_bytes), 1 },
        { "cache_bytes", offsetof(struct usage, cache_bytes), 1 },
    };
    const struct cJSON *usage = json_member(run, "usage");

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        take_figure(usage, figures[i].key, figures[i].unit, (void *)((char *)used + figures[i].offset));
}

static size_t phase_named(const struct phases *phases, const char *name)
{
    size_t place = 0;

    while (place < phases->count && strcmp(phases->items[place].name, name) != 0)
        place++;
    return place;
}

static bool fill_phases(const struct loaded_record *loaded, const struct cJSON *run, struct phases *phases)
{
    for (const struct cJSON *node = json_first(json_member(run, "phases")); node; node = json_next(node)) {
        struct phase *phase = &phases->items[phases->count++];
        fields_take(node, &phase_own_fields, phase);
        if (!take_holes(loaded, node, phase->unknown_ns, phase->hole) ||
            !record_load_energy(loaded, node, phase->energy_uj, phase->known))
            return false;
    }
    for (const struct cJSON *node = json_first(json_member(run, "marks")); node; node = json_next(node)) {
        struct phase_mark *mark = &phases->marks[phases->mark_count++];
        mark->phase = phase_named(phases, json_text_of(node, "name"));
        mark->at_ns = field_ns(json_number_of(node, "at_s"));
        if (mark->phase == phases->count)
            return false;
    }
    phases->origins[MARK_WRITTEN] = phases->mark_count + whole_of(json_member(run, "marks_left_out"));
    return true;
}

/* They belong to the measurement, which frees them. False: malformed, or no memory. */
static bool take_phases(struct loaded_record *loaded, const struct cJSON *node, struct run *run)
{
    const size_t count = json_count(json_member(node, "phases")), marks = json_count(json_member(node, "marks"));
    struct phases *phases;

    if (json_kind(json_member(node, "phases")) != JSON_ARRAY)
        return true;
    if (count > PHASES_MAX + 1 || marks > PHASE_MARKS_MAX)
        return false;
    phases = calloc(1, sizeof *phases);
    if (!phases)
        return false;
    phases->next = loaded->measurement.phases;
    loaded->measurement.phases = phases;
    phases->items = calloc(count + 1, sizeof *phases->items);
    phases->marks = calloc(marks + 1, sizeof *phases->marks);
    run->phases = phases;
    return phases->items && phases->marks && fill_phases(loaded, node, phases);
}

static bool fill_slices(const struct loaded_record *loaded, const struct cJSON *array, struct slices *slices)
{
    for (const struct cJSON *node = json_first(array); node; node = json_next(node)) {
        struct slice slice;
        uint64_t energy_uj[ENERGY_MAX_DOMAINS];
        uint8_t known[ENERGY_MAX_DOMAINS];

        fields_take(node, &slice_times_fields, &slice);
        if (!slice.realtime_ns || !record_load_energy(loaded, node, energy_uj, known) || !slices_add(slices, &slice))
            return false;
        for (size_t i = 0; i < slices->domain_count; i++)
            slices_give(slices, i, energy_uj[i]);
    }
    return true;
}

/* Reads slices, like phases. */
static bool take_slices(struct loaded_record *loaded, const struct cJSON *node, struct run *run)
{
    const struct cJSON *array = json_member(node, "slices");
    const size_t count = json_count(array);

    if (!count)
        return true;
    if (count > SLICES_MAX)
        return false;
    run->slices = slices_new(loaded->meter.domain_count, count, SLICE_STANDARD_S * NS_PER_S_INT);
    if (!run->slices)
        return false;
    run->slices->next = loaded->measurement.slices;
    loaded->measurement.slices = run->slices;
    return fill_slices(loaded, array, run->slices);
}

static uint64_t uj_of(double energy_j)
{
    return energy_j < MAX_WHOLE / UJ_PER_J ? (uint64_t)llround(energy_j * UJ_PER_J) : 0;
}

static bool take_gpus(const struct loaded_record *loaded, const struct cJSON *run_node, struct run *run)
{
    for (const struct cJSON *item = json_first(json_member(run_node, "gpus")); item; item = json_next(item)) {
        struct gpu_fields gpu;
        if (!fields_read(item, &record_gpu, &gpu) || gpu.domain >= loaded->meter.domain_count ||
            run->gpu_count == GPU_USES_MAX)
            return false;
        run->gpus[run->gpu_count++] = (struct gpu_use){
            .domain = gpu.domain,
            .reported = (enum gpu_attribution)gpu.users,
            .own_uj = uj_of(gpu.own_j),
            .used_uj = uj_of(gpu.used_j),
            .lost_uj = uj_of(gpu.lost_j),
        };
    }
    return true;
}

static bool take_run(struct loaded_record *loaded, const struct cJSON *node, struct run *run)
{
    const double status = json_number_of(node, "exit_status");

    if (!take_window(loaded, node, &run->window))
        return false;
    fields_take(node, &run_own_fields, run);
    run->left_out = !run->warmup && !json_is_true(node, "counted");
    run->end.exit_status = status >= 0 && status < 256 ? (int)status : 0;
    run->end.signal = (int)(whole_of(json_member(node, "signal")) & 0xff);
    run->end.core_dumped = json_is_true(node, "core_dumped");
    run->start_gap_ns = field_ns(json_number_of(node, "start_gap_s"));
    run->end_gap_ns = field_ns(json_number_of(node, "end_gap_s"));
    run->orphans = whole_of(json_member(node, "left_behind"));
    run->orphans_unseen = json_is_null(json_member(node, "left_behind"));
    text_copy(run->orphan_names, sizeof run->orphan_names, json_text_of(node, "left_behind_names"));
    take_usage(node, &run->usage);
    return take_gpus(loaded, node, run) && take_phases(loaded, node, run) && take_slices(loaded, node, run);
}

bool record_load_windows(struct loaded_record *loaded, const char *path, struct error *err)
{
    const struct cJSON *windows = json_member(loaded->document, "windows");
    const struct cJSON *baselines = json_member(windows, "baselines"), *runs = json_member(windows, "runs");
    struct measurement *measurement = &loaded->measurement;

    measurement->baselines = calloc(json_count(baselines) + 1, sizeof *measurement->baselines);
    measurement->runs = calloc(json_count(runs) + 1, sizeof *measurement->runs);
    if (!measurement->baselines || !measurement->runs)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    for (const struct cJSON *node = json_first(baselines); node; node = json_next(node))
        if (!take_baseline(loaded, node, &measurement->baselines[measurement->baseline_count++]))
            return record_load_fail(path, "windows.baselines", err);
    for (const struct cJSON *node = json_first(runs); node; node = json_next(node))
        if (!take_run(loaded, node, &measurement->runs[measurement->run_count++]))
            return record_load_fail(path, "windows.runs", err);
    return record_load_strides(loaded, baselines, runs) || record_load_fail(path, "windows.strides", err);
}
