/* SPDX-License-Identifier: MIT
 * carbon profile: runs a command and reports the energy of its functions. */
#include "app/attach_options.h"
#include "app/command_work.h"
#include "app/ledger_options.h"
#include "app/options/command.h"
#include "app/options/naming_options.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/profile/profile_files.h"
#include "commands/profile/profile_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const events[] = { "cpu-clock", "cycles", NULL };
static const char *const call_graphs[] = { "fp", "dwarf", NULL };
static const char *const parts[] = { "function", "thread", "library", "phase", NULL };

static bool check_ring(const char *text, struct error *err)
{
    const unsigned long kib = strtoul(text, NULL, 10);

    return (kib & (kib - 1)) == 0 || error_set(err, ERROR_USAGE, "it must be a power of two");
}

static const struct option_spec option_frequency =
    OPTION(COUNT, "Sampling", "frequency", .short_name = 'F', .argument = "<Hz>",
           .help = "samples in each second of a busy CPU", .default_text = "99", .min = 1, .max = 10000);
static const struct option_spec option_event =
    OPTION(CHOICE, "Sampling", "event", .argument = "<name>", .help = "event that is sampled",
           .default_text = "cpu-clock", .choices = events);
static const struct option_spec option_ring =
    OPTION(COUNT, "Sampling", "ring", .argument = "<KiB>", .help = "memory of the samples of each CPU",
           .default_text = "256", .min = RING_KIB_MIN, .max = RING_KIB_MAX, .check = check_ring);
static const struct option_spec option_call_graph =
    OPTION(CHOICE, "Sampling", "call-graph", .argument = "<how>",
           .help = "how callers are found: by frame pointers, or by DWARF (.eh_frame)", .default_text = "fp",
           .choices = call_graphs);
static const struct option_spec option_stack =
    OPTION(COUNT, "Sampling", "stack", .argument = "<KiB>", .help = "of each stack with --call-graph dwarf",
           .default_text = "8", .min = 1, .max = 56);
static const struct option_spec option_profile_interval =
    OPTION(NUMBER, "Sampling", "interval", .short_name = 'i', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "time between two readings of the energy (default: 10 updates of the slowest meter)", .min = 0.001,
           .max = 10);
static const struct option_spec option_debuginfod =
    OPTION(FLAG, "Sampling", "debuginfod", .help = "fetch missing debug information from $DEBUGINFOD_URLS");
static const struct option_spec option_by =
    OPTION(CHOICE, "Output", "by", .argument = "<what>", .help = "rows of the table", .default_text = "function",
           .choices = parts);
static const struct option_spec option_top =
    OPTION(COUNT, "Output", "top", .argument = "<n>", .help = "rows of the table; 0: all", .default_text = "20",
           .min = 0, .max = 1000000);
static const struct option_spec option_annotate =
    OPTION(TEXT, "Output", "annotate", .argument = "<function>", .help = "also print a function by line of source");

const struct option_spec option_no_table =
    OPTION(FLAG, "Output", "quiet", .short_name = 'q', .help = "print no table");

/* Below this part of the samples that a job's CPU time would have, of this many at least, it is said. */
#define SAMPLES_PART_MIN 0.7
#define SAMPLES_DUE_MIN 20.0
#define SAMPLES_OFTEN_HZ 4999

/* Everything one call works with. */
struct profile_work_state {
    struct session session;
    struct attach_options attach;
    struct profile_run run;
    struct measurement measurement;
    struct report report;
    struct profile_files files;
    struct symbols symbols;
    struct profile profile;
};

static enum profile_by by_of(const char *word)
{
    return strcmp(word, "thread") == 0    ? BY_THREAD
           : strcmp(word, "library") == 0 ? BY_LIBRARY
           : strcmp(word, "phase") == 0   ? BY_PHASE
                                          : BY_FUNCTION;
}

static int print_profile(const struct profile_work_state *work, int status)
{
    const struct settings *settings = work->session.settings;
    const struct profile_style style = {
        .colour = terminal_colour(settings, stderr),
        .by = by_of(settings_text(settings, &option_by)),
        .max = (size_t)settings_number(settings, &option_top),
    };
    const char *function = settings_text(settings, &option_annotate);
    struct terminal_piece piece;
    struct error err;

    if (settings_flag(settings, &option_quiet))
        return status;
    if (!terminal_piece_open(&piece, settings))
        return STATUS_CARBON_FAILED;
    status = terminal_piece_print(&piece, profile_table(&work->profile, &style, piece.out, &err), status);
    if (!function)
        return status;
    if (!terminal_piece_open(&piece, settings))
        return STATUS_CARBON_FAILED;
    if (!profile_annotate(&work->profile, function, piece.out, &err)) {
        terminal_piece_print(&piece, true, status);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return terminal_piece_print(&piece, true, status);
}

/* The number of samples that the job's CPU time gives (its user time where the kernel is not sampled); NAN unknown. */
static double samples_due(const struct profile_work_state *work)
{
    const struct measurement *measurement = &work->measurement;
    const struct usage *usage = measurement->run_count ? &measurement->runs[0].usage : NULL;
    const struct usage_value *cpu_ns = !usage                                      ? NULL
                                       : work->run.sampler.rings.without_kernel ? &usage->user_ns
                                                                                 : &usage->cpu_ns;

    return cpu_ns && cpu_ns->known ? s_from_ns(cpu_ns->value) * work->run.rings.frequency_hz : NAN;
}

/* The kernel begins a new period with each process and each thread: what ends within a period has no sample. */
static void note_unsampled(struct profile_work_state *work)
{
    const struct sampler *sampler = &work->run.sampler;
    struct notices *notices = &work->report.own_notices;
    const double due = samples_due(work), got = (double)(sampler->samples + sampler->lost_records);

    if (due >= SAMPLES_DUE_MIN && got < SAMPLES_PART_MIN * due)
        notice_add(notices, NOTICE_LEFT_OUT,
                   "processes and threads that end within a period of sampling have none, nor has a program that this "
                   "user may run and not read, or that runs as another user (setuid)",
                   work->run.rings.frequency_hz < SAMPLES_OFTEN_HZ ? "--frequency 4999; or run carbon as that user"
                                                                   : "",
                   "samples cover only %.0f %% of the job's CPU time",
                   100 * got / due);
    else if (!sampler->samples)
        notice_add(notices, NOTICE_UNKNOWN, "it was on no CPU when samples were taken", "--frequency 999, a longer job",
                   "the command has no samples");
}

/* What was sampled says something, and how much of it. */
static void note_sampling(struct profile_work_state *work)
{
    const struct sampler *sampler = &work->run.sampler;
    struct notices *notices = &work->report.own_notices;

    if (sampler->lost_records)
        notice_add(notices, NOTICE_LEFT_OUT, "a ring was full: the energy of lost samples is shared among the others",
                   "--ring 1024, or a lower --frequency", "%llu records of the sampling were lost",
                   (unsigned long long)sampler->lost_records);
    if (sampler->short_stacks)
        notice_add(notices, NOTICE_LEFT_OUT, "they go on beyond what is copied of each", "--stack 32",
                   "%llu stacks end before their first function", (unsigned long long)sampler->short_stacks);
    if (sampler->rings.without_kernel)
        notice_add(notices, NOTICE_DENIED, "this user may not look into it", "sudo sysctl kernel.perf_event_paranoid=1",
                   "time in the kernel was not sampled: its energy is shared among the other samples");
    if (sampler->tree.cut)
        notice_add(notices, NOTICE_TOO_MANY, "64 MiB of stacks are kept", "",
                   "%llu samples are known by their threads alone", (unsigned long long)sampler->tree.cut);
    note_unsampled(work);
}

static bool make_profile(struct profile_work_state *work, struct error *err)
{
    const struct settings *settings = work->session.settings;
    struct profile *profile = &work->profile;
    struct report *report = &work->report;
    const struct symbols_options options = { .debuginfod = settings_flag(settings, &option_debuginfod) };

    measurement_cross_check(&work->session.meter, &work->measurement, report->scope, &work->session.counting,
                            &report->own_notices);
    note_sampling(work);
    attach_options_note(&work->attach, &report->own_notices);
    if (!symbols_open(&work->symbols, &work->run.sampler, &options, &report->own_notices, err))
        return false;
    report_finish(report);
    *profile = (struct profile){
        .report = report,
        .event = settings_text(settings, &option_event),
        .frequency_hz = work->run.rings.frequency_hz,
        .interval_s = work->run.interval_s,
        .ring_kib = work->run.rings.ring_kib,
        .stack_bytes = work->run.rings.stack_bytes,
        .sampler = &work->run.sampler,
        .symbols = &work->symbols,
        .duration_s = report->summary.duration_s.mean,
        .kgco2eq_per_j = footprint_of(1, report->pue, report->factor.kgco2eq_per_kwh).kgco2eq,
        .notices = &report->all_notices,
    };
    profile->weights = profile_weights(&work->run, report, &profile->within);
    return tally_open(&profile->tally, profile->sampler, profile->symbols, &profile->weights, err);
}

static int conclude(struct profile_work_state *work, const struct command_end *end)
{
    const struct report *const reports = &work->report;
    int status = end->exit_status;
    struct error err;

    work->report.ended_realtime_ns = clock_realtime_ns();
    work->report.measurement = &work->measurement;
    work->report.complete = !work->measurement.interrupted || attach_options_await_signal(&work->attach, &work->report);
    if (!end->ran) {
        error_set(&err, ERROR_SYSTEM, "interrupted before the command was run");
        profile_files_discard(&work->files);
        return terminal_fail(&err, status);
    }
    if (!make_profile(work, &err)) {
        profile_files_discard(&work->files);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    status = profile_files_write(&work->files, &work->profile, print_profile(work, status));
    return ledger_options_keep(work->session.settings, &work->session.environment, &reports, 1, status);
}

static bool check_phases(const struct profile_work_state *work, const struct settings *settings, struct error *err)
{
    if (by_of(settings_text(settings, &option_by)) != BY_PHASE || work->run.marks.written || work->run.marks.matched)
        return true;
    error_set(err, ERROR_USAGE, "--by phase needs --marks or --phase");
    return error_why(err, "the command marks its phases");
}

static bool open_work(struct profile_work_state *work, const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;

    work->run.session = &work->session;
    work->run.interval_s = settings_number(settings, &option_profile_interval);
    work->run.ring_fits = settings_origin(settings, &option_ring) == ORIGIN_STANDARD;
    work->run.rings = (struct rings_options){
        .frequency_hz = settings_number(settings, &option_frequency),
        .ring_kib = (size_t)settings_number(settings, &option_ring),
        .stack_bytes = strcmp(settings_text(settings, &option_call_graph), "dwarf") == 0
                           ? (size_t)settings_number(settings, &option_stack) * BYTES_PER_KIB
                           : 0,
        .cycles = strcmp(settings_text(settings, &option_event), "cycles") == 0,
    };
    if (!attach_options_check(line, err) || !attach_options_marks(&work->run.marks, settings, err) ||
        !check_phases(work, settings, err) || !session_open(&work->session, settings, err) ||
        !attach_options_open(&work->attach, settings, err))
        return false;
    report_copy(&work->report, &work->session.report);
    work->report.command = line->operands;
    attach_options_name(&work->attach, &work->report);
    if (work->attach.attached) {
        work->run.target = &work->attach.target;
        work->run.for_ns = work->attach.for_ns;
    }
    return profile_files_open(&work->files, settings, err);
}

static int profile_job(void *context, const struct command_line *line)
{
    struct profile_work_state *work = context;
    struct command_end end = { .exit_status = STATUS_CARBON_FAILED };
    struct error err;

    if (!open_work(work, line, &err) || !profile_run(&work->run, line->operands, &work->measurement, &end, &err)) {
        profile_files_discard(&work->files);
        return terminal_fail(&err, work->attach.not_there ? STATUS_NO_TARGET
                                   : end.cannot_run       ? end.exit_status
                                                          : STATUS_CARBON_FAILED);
    }
    return conclude(work, &end);
}

static void close_work(void *context)
{
    struct profile_work_state *work = context;

    tally_close(&work->profile.tally);
    symbols_close(&work->symbols);
    profile_run_close(&work->run);
    pattern_close(work->run.marks.pattern);
    attach_options_close(&work->attach);
    measurement_close(&work->measurement);
    report_close(&work->report);
    session_close(&work->session);
}

static int run_profile(const struct command_line *line)
{
    if (!line->dashed && line->operand_count && strcmp(line->operands[0], "diff") == 0)
        return profile_diff(line);
    return command_run_with(sizeof(struct profile_work_state), line, profile_job, close_work);
}

const struct command cmd_profile = {
    .name = "profile",
    .purpose = "run a command and report the energy of each function",
    .synopsis = "[options] -- command [argument ...]\n"
                "[options] --pid n | --cgroup c | --container c | --pod p\n"
                "diff before.json after.json",
    .options =
        OPTIONS(&option_frequency, &option_event, &option_call_graph, &option_stack, &option_profile_interval,
                &option_ring, &option_debuginfod, TARGET_OPTIONS, &option_for, &option_marks, &option_phase,
                &option_baseline, PACE_OPTIONS, METER_OPTIONS, CARBON_OPTIONS, &option_by, &option_top,
                &option_annotate, &option_output, &option_json, &option_html, &option_flamegraph, &option_folded,
                &option_speedscope, &option_pprof, &option_label, KEEPING_OPTIONS, &option_color, &option_no_table,
                HELP_OPTIONS),
    .common = COMMON("frequency", "by", "top", "annotate", "flamegraph", "output", "pprof", "baseline", "pid",
                     "container", "for", "zone"),
    .examples = EXAMPLES("carbon profile -- ./job",
                         "carbon profile --frequency 999 --flamegraph job.svg --json job.json -- ./job",
                         "carbon profile -- python3 -X perf job.py", "carbon profile --container web --for 60s",
                         "carbon profile diff before.json after.json"),
    .run = run_profile,
    OPERANDS(0, -1, OPERAND_FILE),
    .runs_command = true,
    .first_file = 1,
    .schemas = SCHEMAS(&profile_schema, &profile_difference_schema),
    .about = "Run the command, sample its stacks, and share its own energy among its functions by when they ran.",
};
