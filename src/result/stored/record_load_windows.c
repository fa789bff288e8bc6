/* SPDX-License-Identifier: MIT
 * Baselines and runs, with their phases and what the job used, from a record. */
#include "result/stored/record_load.h"

#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "measurement/slices.h"
#include "result/energy_fields.h"
#include "result/record_fields.h"
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

bool record_load_energy(const struct loaded_record *loaded, const struct cJSON *energies, uint64_t *energy_uj,
                        uint8_t *known)
{
    const struct cJSON *item = json_first(energies);

    if (json_count(energies) != loaded->meter.domain_count)
        return false;
    for (size_t i = 0; i < loaded->meter.domain_count; i++, item = json_next(item)) {
        known[i] = json_kind(item) == JSON_NUMBER;
        energy_uj[i] = whole_of(item);
    }
    return true;
}

/* A record from before there were any has none. */
static bool take_holes(const struct loaded_record *loaded, const struct cJSON *holes, uint64_t *unknown_ns,
                       uint8_t *reasons)
{
    for (const struct cJSON *item = json_first(holes); item; item = json_next(item)) {
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
    const struct cJSON *busy = WINDOW_ITEM(node, mask_busy_ns);

    if (json_is_null(busy))
        window->mask_cpus = 0;
    if (!busy && window->machine_busy_known && loaded->report.job_cpus == loaded->machine.cpus_online) {
        window->mask_busy_ns = window->machine_busy_ns;
        window->mask_cpus = (unsigned)loaded->machine.cpus_online;
    }
}

static bool take_window(const struct loaded_record *loaded, const struct cJSON *node, struct window *window)
{
    const double start_s = json_number(FIELD_ITEM(node, window_fields, struct window_view, start_ns));

    *window = (struct window){ .start_ns = field_ns(start_s) };
    fields_take(node, &window_own_fields, window);
    take_mask(loaded, node, window);
    return !isnan(start_s) &&
           take_holes(loaded, FIELD_MADE(node, window_fields, record_window_holes), window->unknown_ns, window->hole) &&
           record_load_energy(loaded, FIELD_MADE(node, window_fields, record_window_energies), window->energy_uj,
                              window->known);
}

static bool take_baseline(const struct loaded_record *loaded, const struct cJSON *node, struct window *window)
{
    const struct cJSON *parts = FIELD_MADE(node, baseline_fields, record_window_parts);

    if (!take_window(loaded, node, window) || json_kind(parts) != JSON_ARRAY || json_count(parts) > BASELINE_PARTS)
        return false;
    for (const struct cJSON *part = json_first(parts); part; part = json_next(part))
        window->parts_w[window->part_count++] = json_number(part);
    return true;
}

static void take_figure(const struct usage_figure *figure, bool is_time, struct usage_value *value)
{
    value->known = figure->value >= 0 && figure->value < MAX_WHOLE;
    value->value = !value->known ? 0 : is_time ? field_ns(figure->value) : (uint64_t)figure->value;
    value->from = !value->known ? NULL : figure->from ? figure->from : "";
}

static void take_usage(const struct cJSON *run, struct usage *used)
{
    struct usage_summary of;

    fields_take(RUN_ITEM(run, summary.usage), &usage_fields, &of);
    take_figure(&of.cpu_s, true, &used->cpu_ns);
    take_figure(&of.user_s, true, &used->user_ns);
    take_figure(&of.system_s, true, &used->system_ns);
    take_figure(&of.memory_peak_bytes, false, &used->memory_peak_bytes);
    take_figure(&of.memory_bytes, false, &used->memory_bytes);
    take_figure(&of.working_set_bytes, false, &used->working_set_bytes);
    take_figure(&of.read_bytes, false, &used->read_bytes);
    take_figure(&of.written_bytes, false, &used->written_bytes);
    take_figure(&of.received_bytes, false, &used->received_bytes);
    take_figure(&of.sent_bytes, false, &used->sent_bytes);
    take_figure(&of.voluntary_switches, false, &used->voluntary_switches);
    take_figure(&of.involuntary_switches, false, &used->involuntary_switches);
    take_figure(&of.minor_faults, false, &used->minor_faults);
    take_figure(&of.major_faults, false, &used->major_faults);
    take_figure(&of.cpu_stall_s, true, &used->cpu_stall_ns);
    take_figure(&of.memory_stall_s, true, &used->memory_stall_ns);
    take_figure(&of.io_stall_s, true, &used->io_stall_ns);
    take_figure(&of.cycles, false, &used->cycles);
    take_figure(&of.instructions, false, &used->instructions);
    take_figure(&of.cache_misses, false, &used->cache_misses);
    take_figure(&of.touched_bytes, false, &used->touched_bytes);
    take_figure(&of.cache_bytes, false, &used->cache_bytes);
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
    for (const struct cJSON *node = json_first(FIELD_MADE(run, run_fields, record_phases)); node;
         node = json_next(node)) {
        struct phase *phase = &phases->items[phases->count++];
        fields_take(node, &phase_own_fields, phase);
        if (!take_holes(loaded, FIELD_MADE(node, phase_fields, record_phase_holes), phase->unknown_ns, phase->hole) ||
            !record_load_energy(loaded, FIELD_MADE(node, phase_fields, record_phase_energies), phase->energy_uj,
                                phase->known))
            return false;
    }
    for (const struct cJSON *node = json_first(FIELD_MADE(run, run_fields, record_marks)); node;
         node = json_next(node)) {
        struct phase_mark *mark = &phases->marks[phases->mark_count++];
        mark->phase = phase_named(phases, json_text(MARK_ITEM(node, name)));
        mark->at_ns = field_ns(json_number(MARK_ITEM(node, at_ns)));
        if (mark->phase == phases->count)
            return false;
    }
    phases->origins[MARK_WRITTEN] = phases->mark_count + whole_of(RUN_ITEM(run, marks_left_out));
    return true;
}

/* They belong to the measurement, which frees them. False: malformed, or no memory. */
static bool take_phases(struct loaded_record *loaded, const struct cJSON *node, struct run *run)
{
    const struct cJSON *array = FIELD_MADE(node, run_fields, record_phases);
    const size_t count = json_count(array), marks = json_count(FIELD_MADE(node, run_fields, record_marks));
    struct phases *phases;

    if (json_kind(array) != JSON_ARRAY)
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
        if (!slice.realtime_ns ||
            !record_load_energy(loaded, FIELD_MADE(node, slice_fields, record_slice_energies), energy_uj, known) ||
            !slices_add(slices, &slice))
            return false;
        for (size_t i = 0; i < slices->domain_count; i++)
            slices_give(slices, i, energy_uj[i]);
    }
    return true;
}

/* Reads slices, like phases. */
static bool take_slices(struct loaded_record *loaded, const struct cJSON *node, struct run *run)
{
    const struct cJSON *array = FIELD_MADE(node, run_fields, record_slices);
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
    for (const struct cJSON *item = json_first(FIELD_MADE(run_node, run_fields, record_gpus)); item;
         item = json_next(item)) {
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
    const double status = json_number(RUN_ITEM(node, exit_status));

    if (!take_window(loaded, node, &run->window))
        return false;
    fields_take(node, &run_own_fields, run);
    run->left_out = !run->warmup && !json_truth(RUN_ITEM(node, counted));
    run->end.exit_status = status >= 0 && status < 256 ? (int)status : 0;
    run->end.signal = (int)(whole_of(RUN_ITEM(node, signal)) & 0xff);
    run->end.core_dumped = json_truth(RUN_ITEM(node, core_dumped));
    run->start_gap_ns = field_ns(json_number(RUN_ITEM(node, start_gap_ns)));
    run->end_gap_ns = field_ns(json_number(RUN_ITEM(node, end_gap_ns)));
    run->orphans = whole_of(RUN_ITEM(node, orphans));
    run->orphans_unseen = json_is_null(RUN_ITEM(node, orphans));
    text_copy(run->orphan_names, sizeof run->orphan_names, json_text(RUN_ITEM(node, orphan_names)));
    take_usage(node, &run->usage);
    return take_gpus(loaded, node, run) && take_phases(loaded, node, run) && take_slices(loaded, node, run);
}

bool record_load_windows(struct loaded_record *loaded, const char *path, struct error *err)
{
    const struct cJSON *baselines = RECORD_MADE(loaded->document, record_baselines);
    const struct cJSON *runs = RECORD_MADE(loaded->document, record_runs);
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
