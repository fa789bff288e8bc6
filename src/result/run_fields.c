/* SPDX-License-Identifier: MIT
 * The runs of a record, with usage of the job, phases and slices. */
#include "base/units.h"
#include "result/energy_fields.h"
#include "result/report.h"
#include "result/session_fields.h"
#include "result/window_fields.h"

#include <math.h>

static const char *users_word(int value)
{
    return gpu_attribution_name((enum gpu_attribution)value);
}

#define OF struct gpu_fields
const struct fields record_gpu = FIELDS({
    FIELD_COUNT(domain, "its place in domains, from 0"),
    FIELD_WORD(int, users, users_word, GPU_NOT_ASKED, GPU_ATTRIBUTION_COUNT,
               "whether its driver reported its users. Otherwise: its driver never does; not for this card; it is "
               "partitioned (MIG); not to this user; it failed; carbon does not see all processes of the machine; "
               "nothing was reported in a run this short; the owners of the processes are hidden"),
    FIELD_NUMBER(own_j, "of the job's processes", .flags = FIELD_FROM_0),
    FIELD_NUMBER(used_j, "of all processes; the rest of its energy has no user", .flags = FIELD_FROM_0),
    FIELD_NUMBER(lost_j, "of used_j, energy of processes that ended between two readings", .flags = FIELD_FROM_0),
});
#undef OF

/* Phases. */

void record_phase_energies(struct tree_node array, const void *of)
{
    const struct phase_view *view = of;
    const uint8_t *in_run = view->run->window.known;
    uint8_t known[ENERGY_MAX_DOMAINS];

    for (size_t i = 0; i < view->measurement->meter->domain_count; i++)
        known[i] = view->phase->known[i] && in_run[i];
    record_energies(array, view->measurement->meter->domain_count, view->phase->energy_uj, known);
}

void record_phase_holes(struct tree_node array, const void *of)
{
    const struct phase_view *view = of;

    record_holes(array, view->measurement->meter->domain_count, view->phase->unknown_ns, view->phase->hole);
}

#define OF struct phase
static const struct fields phase_times_fields = FIELDS({
    FIELD_TEXT(name, "as the job gave it; (before the first mark), (no phase) and (other phases) are carbon's",
               .flags = FIELD_FULL),
    FIELD_U64(times, "how often it was entered", .flags = FIELD_FROM_1),
    FIELD_SECONDS_AS("duration_s", duration_ns, "how long the run was in it, in seconds"),
});

static const struct fields phase_cpu_fields = FIELDS({
    FIELD_SECONDS_AS("cpu_s", cpu_ns, "CPU time of the job in it, in seconds; those of all phases add up to the run's",
                     FIELD_WHERE(cpu_known)),
});

const struct fields phase_own_fields = FIELDS({ FIELD_SAME(&phase_times_fields), FIELD_SAME(&phase_cpu_fields) });
#undef OF

#define OF struct energies
const struct fields energies_fields = FIELDS({
    FIELD_NUMBER(gross_j, "all energy in it, in joules"),
    FIELD_NUMBER(idle_j, "idle power under the run times its duration, in joules"),
    FIELD_NUMBER(net_j, "gross_j less idle_j; may be negative"),
});
#undef OF

#define OF struct phase_view
const struct fields phase_fields = FIELDS_NAMED("phase", "all the times that a run was in one phase")({
    FIELD_VALUES(
        "energy_uj", record_phase_energies, FIELD_IS_U64,
        "energy in the phase, in microjoules, exact: one for each entry of domains, in that order; null: not known",
        .flags = FIELD_ITEMS_NULLABLE),
    FIELD_EACH("holes", record_phase_holes, &record_hole,
               "times that are not in energy_uj, nor in gross_j then; net_j is null", .flags = FIELD_LATER),
    FIELD_PART(const struct phase *, phase, &phase_times_fields, FIELD_BEHIND),
    FIELD_PART(struct energies, energies, &energies_fields, 0),
    FIELD_PART(const struct phase *, phase, &phase_cpu_fields, FIELD_BEHIND),
    FIELD_NUMBER(own_j, "the job's own energy in it, by the rules of the run's, in joules"),
});
#undef OF

#define OF struct mark_view
const struct fields mark_fields = FIELDS_NAMED("mark", "the moment when a phase began")({
    FIELD_NAME(name, "the phase", .flags = FIELD_FULL),
    FIELD_SECONDS_AS("at_s", at_ns, "since the run's opening sample, in seconds"),
});
#undef OF

/* Slices. */

void record_slice_energies(struct tree_node array, const void *of)
{
    const struct slice_view *view = of;

    for (size_t d = 0; d < view->slices->domain_count; d++)
        tree_integer(array, NULL, slice_energy_uj(view->slices, view->i)[d]);
}

#define OF struct slice
const struct fields slice_times_fields = FIELDS({
    FIELD_TIME_AS("started_at", realtime_ns, "when it began, UTC", .flags = FIELD_KNOWN),
    FIELD_SECONDS_AS("start_s", start_ns, "since the run's opening sample, in seconds"),
    FIELD_SECONDS_AS("duration_s", duration_ns, "how long it is, in seconds"),
});
#undef OF

#define OF struct slice_view
const struct fields slice_fields = FIELDS_NAMED("slice", "usage in a piece of a run")({
    FIELD_VALUES("energy_uj", record_slice_energies, FIELD_IS_U64,
                 "in microjoules, one entry for each domain, in their order"),
    FIELD_PART(const struct slice *, slice, &slice_times_fields, FIELD_BEHIND),
});
#undef OF

/* Runs. */

static bool has_phases(const void *view)
{
    return ((const struct run_view *)view)->run->phases;
}

static bool has_slices(const void *view)
{
    const struct slices *slices = ((const struct run_view *)view)->run->slices;

    return slices && slices->count;
}

void record_phases(struct tree_node array, const void *of)
{
    const struct run_view *view = of;
    const struct report *report = view->report;
    const struct phases *phases = view->run->phases;

    for (size_t i = 0; i < phases->count; i++) {
        const struct phase *phase = &phases->items[i];
        const struct phase_view item = {
            .measurement = report->measurement,
            .run = view->run,
            .phase = phase,
            .energies = phase_energies(report->measurement, view->run, phase),
            .own_j = phase_own(report->measurement, &report->summary.own_basis, view->run, phase).own_j,
        };
        fields_json(tree_object(array, NULL), &phase_fields, &item);
    }
}

void record_marks(struct tree_node array, const void *of)
{
    const struct phases *phases = ((const struct run_view *)of)->run->phases;

    for (size_t m = 0; m < phases->mark_count; m++) {
        const struct mark_view item = { phases->items[phases->marks[m].phase].name, phases->marks[m].at_ns };
        fields_json(tree_object(array, NULL), &mark_fields, &item);
    }
}

void record_slices(struct tree_node array, const void *of)
{
    const struct slices *slices = ((const struct run_view *)of)->run->slices;

    for (size_t i = 0; i < slices->count; i++) {
        const struct slice_view item = { slices, i, &slices->items[i] };
        fields_json(tree_object(array, NULL), &slice_fields, &item);
    }
}

void record_gpus(struct tree_node array, const void *of)
{
    const struct run *run = ((const struct run_view *)of)->run;

    for (size_t i = 0; i < run->gpu_count; i++) {
        const struct gpu_use *use = &run->gpus[i];
        struct gpu_fields item = { use->domain, (int)use->reported, NAN, NAN, NAN };
        if (use->reported == GPU_ATTRIBUTED) {
            item.own_j = j_from_uj(use->own_uj);
            item.used_j = j_from_uj(use->used_uj);
            item.lost_j = j_from_uj(use->lost_uj);
        }
        fields_json(tree_object(array, NULL), &record_gpu, &item);
    }
}

#define OF struct run
static const struct fields run_begin_fields = FIELDS({
    FIELD_BOOL(warmup, "left out of the result"),
});

static const struct fields run_ended_fields = FIELDS({
    FIELD_BOOL(ended, "false: was still going on when the record was written"),
});

const struct fields run_own_fields = FIELDS({ FIELD_SAME(&run_begin_fields), FIELD_SAME(&run_ended_fields) });
#undef OF

#define OF struct run_summary
static const struct fields run_energies_fields = FIELDS({
    FIELD_NUMBER(gross_j, "all energy of the counted domains in this run, in joules"),
    FIELD_NUMBER(idle_j, "power in the baselines around this run × its duration, in joules"),
    FIELD_NUMBER(net_j, "gross_j less idle_j; may be negative"),
    FIELD_NUMBER(own_j, "the job's own energy in this run, in joules"),
    FIELD_NUMBER(own_idle_j, "idle part of gross_j, in joules", .flags = FIELD_LATER),
    FIELD_NUMBER(own_others_j, "energy of other processes: the rest of gross_j, in joules", .flags = FIELD_LATER),
    FIELD_NUMBER(share_j, "the job's part of net_j by CPU time"),
    FIELD_NUMBER_AS("others_cores", background_cores,
                    "cores that other processes kept busy beyond what they did in the baselines",
                    .flags = FIELD_FROM_0),
    FIELD_NUMBER(machine_share, "the part of the machine's busy CPU time that was what ran already and was watched",
                 .flags = FIELD_FROM_0, .max = 1),
    FIELD_NUMBER(attributed_j, "gross_j × machine_share; of graphics cards that report it the job's part",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(gpu_own_j, "the job's part of the counted graphics cards", .flags = FIELD_FROM_0),
});
#undef OF

#define OF struct run_view
const struct fields run_fields = FIELDS_NAMED("run", "a window with the workload in it")({
    FIELD_PART(struct window_view, window, &window_fields, 0),
    FIELD_PART(const struct run *, run, &run_begin_fields, FIELD_BEHIND),
    FIELD_BOOL(counted, "in the result; neither a warm-up nor a failure after others that were none"),
    FIELD_PART(const struct run *, run, &run_ended_fields, FIELD_BEHIND),
    FIELD_PART(struct run_summary, summary, &run_energies_fields, 0),
    FIELD_EACH("gpus", record_gpus, &record_gpu,
               "one for each counted graphics card: energy of its processes, by their time on it"),
    FIELD_INT(exit_status, "exit status of the command; 128 + n when signal n ended it; null: not ended",
              .flags = FIELD_NULL_NEGATIVE, .max = 255),
    FIELD_INT(signal, "the signal that ended it", .flags = FIELD_NULL_0),
    FIELD_BOOL(core_dumped, "it left a core dump"),
    FIELD_SECONDS_AS("start_gap_s", start_gap_ns, "from the opening sample to the start of the command, in seconds",
                     FIELD_WHERE(is_command)),
    FIELD_SECONDS_AS(
        "end_gap_s", end_gap_ns,
        "from its end, or where carbon did not run then from when it may have been, to the closing sample, in seconds",
        FIELD_WHERE(has_end)),
    FIELD_INT_AS(
        "left_behind", orphans,
        "processes of the command still alive at its end. null: the kernel did not let carbon adopt orphans, and "
        "no control group had them",
        .flags = FIELD_NULL_NEGATIVE),
    FIELD_NAME_AS("left_behind_names", orphan_names, "their names", .flags = FIELD_NULL_EMPTY),
    FIELD_EACH("phases", record_phases, &phase_fields,
               "phases of the run by the job's marks; they add up to it. null: not requested, or not ended",
               .flags = FIELD_FULL, .known = has_phases, .max = PHASES_MAX + 1),
    FIELD_EACH("marks", record_marks, &mark_fields, "the marks in their order, the first thousand", .known = has_phases,
               .max = PHASE_MARKS_MAX),
    FIELD_U64(marks_left_out, "marks beyond those; they divide the run as well", .known = has_phases),
    FIELD_EACH(
        "slices", record_slices, &slice_fields,
        "the run cut at full minutes of UTC; they add up to it. null: no edge came before its end, and it is one",
        .flags = FIELD_FULL, .known = has_slices, .max = SLICES_MAX),
    FIELD_OBJECT_AS("usage", struct usage_summary, summary.usage, &usage_fields, "usage of this run"),
    FIELD_OBJECT_AS("bound", struct bottleneck_verdict, summary.bottleneck, &bottleneck_fields, "its bottleneck"),
});
#undef OF

static uint64_t marks_left_out(const struct phases *phases)
{
    uint64_t sum = 0;

    for (size_t i = 0; phases && i < MARK_ORIGINS; i++)
        sum += phases->origins[i];
    return phases ? sum - phases->mark_count : 0;
}

void record_runs(struct tree_node array, const void *of)
{
    const struct report *report = of;
    const struct measurement *measurement = report->measurement;
    const bool is_command = report->command[0];

    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        const struct run_view view = {
            .window = window_view_of(measurement, &run->window),
            .report = report,
            .run = run,
            .counted = run_is_counted(run),
            .summary = run_summary_of(report, i),
            .exit_status = run->ended && is_command ? run->end.exit_status : -1,
            .signal = run->ended ? run->end.signal : 0,
            .core_dumped = run->ended && run->end.core_dumped,
            .is_command = is_command,
            .has_end = run->ended && is_command,
            .start_gap_ns = run->start_gap_ns,
            .end_gap_ns = run->end_gap_ns,
            .marks_left_out = marks_left_out(run->phases),
            .orphans = run->orphans_unseen ? -1 : (int)run->orphans,
            .orphan_names = run->orphan_names,
        };
        fields_json(tree_object(array, NULL), &run_fields, &view);
    }
}

#define OF struct phase_summary
const struct fields phase_summary_fields = FIELDS_NAMED("phases", "one phase over the runs")({
    FIELD_TEXT(name, "as in the runs", .flags = FIELD_FULL),
    FIELD_COUNT(runs, "counted runs that have it", .flags = FIELD_FROM_1),
    FIELD_NUMBER(times, "how often it was entered in each of them, on average", .flags = FIELD_KNOWN | FIELD_FROM_1),
    FIELD_SPREAD(duration_s, "how long a run was in it, in seconds"),
    FIELD_SPREAD(gross_j, "all energy in it, in joules"),
    FIELD_SPREAD(idle_j, "idle power under the run times its duration, in joules"),
    FIELD_SPREAD(net_j, "gross less idle, in joules; may be negative"),
    FIELD_NUMBER(cpu_s, "CPU time of the job in it, mean over the runs, in seconds", .flags = FIELD_FROM_0),
    FIELD_SPREAD(own_j, "the job's own energy in it, in joules"),
    FIELD_OWN_METHOD(own_method, "method of own_j, the weakest of its runs and domains; unknown: none applies"),
    FIELD_NUMBER(own_low_j, "its range, or where it is unknown its lower bound, in joules; null: it has none"),
    FIELD_NUMBER(own_high_j, "likewise, the upper end"),
    FIELD_NUMBER(gross_w, "mean gross energy over mean duration, in watts; null where it is below resolution"),
    FIELD_NUMBER(net_w, "mean net energy over mean duration, in watts; null where it is below resolution"),
    FIELD_NUMBER(own_w, "mean own energy over mean duration, in watts; null where it is below resolution"),
    FIELD_BOOL(below_resolution,
               "its stays are shorter than ten updates of the counters, on average: its energy is rough"),
    FIELD_BOOL(at_least, "a part of it is not known: gross_j is a lower bound, and net_j null", .flags = FIELD_LATER),
});
#undef OF
