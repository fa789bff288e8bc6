/* SPDX-License-Identifier: MIT
 * carbon measure: runs a command and reports its energy and carbon. */
#include "cli/command.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "cli/emission_options.h"
#include "cli/measure_files.h"
#include "cli/terminal.h"
#include "measure/workload.h"
#include "report/report.h"
#include "run/cpus.h"
#include "run/privileges.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static bool check_cpus(const char *text, struct error *err)
{
    struct cpus cpus;

    return cpus_of_list(text, &cpus, err);
}

static const struct option_spec option_baseline = {
    .name = "baseline",
    .letter = 'b',
    .kind = OPTION_NUMBER,
    .argument = "<s>",
    .group = "Measuring",
    .help = "watch the idle machine first, 0 for none",
    .standard = "5",
    .least = 0,
    .most = 86400,
};
static const struct option_spec option_runs = {
    .name = "runs",
    .letter = 'r',
    .kind = OPTION_COUNT,
    .argument = "<n>",
    .group = "Measuring",
    .help = "run the command n times, a baseline before each",
    .standard = "1",
    .least = 1,
    .most = 10000,
};
static const struct option_spec option_warmup = {
    .name = "warmup",
    .letter = 'w',
    .kind = OPTION_COUNT,
    .argument = "<n>",
    .group = "Measuring",
    .help = "runs before that, left out of the result",
    .standard = "0",
    .least = 0,
    .most = 1000,
};
static const struct option_spec option_cpus = {
    .name = "cpus",
    .kind = OPTION_TEXT,
    .argument = "<list>",
    .group = "Measuring",
    .help = "hold the command to these CPUs",
    .check = check_cpus,
};
static const struct option_spec option_ignore_failure = {
    .name = "ignore-failure",
    .kind = OPTION_FLAG,
    .group = "Measuring",
    .help = "go on when a run exits other than 0",
};
static const struct option_spec option_samples = {
    .name = "samples",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write the time series as CSV while it runs",
};
/* Everything one call works with. */
struct measure {
    const struct settings *settings;
    struct root root;
    struct machine machine;
    struct meter meter;
    struct counting counting;
    struct measurement measurement;
    struct report report, partial;
    struct measure_files files;
    struct environment environment; /* of the job */
    struct cpus job_cpus;
    bool pins_job; /* the job is given job_cpus */
    bool progress;
};

/* A random UUID (RFC 9562, version 4). */
static void make_id(char id[40])
{
    unsigned char bytes[16];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        memset(bytes, 0, sizeof bytes);
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    snprintf(id, 40, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", bytes[0], bytes[1],
             bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10], bytes[11],
             bytes[12], bytes[13], bytes[14], bytes[15]);
}

/* The carbon side: looked up first, so that a mistyped zone costs nobody a run. */
static bool find_factor(struct measure *work, struct error *err)
{
    struct report *report = &work->report;
    struct emission_options options;

    if (!emission_options_read(work->settings, report->started_realtime_ns, &options, &report->notices, err))
        return false;
    report->pue = options.pue;
    report->pue_quality = options.pue_quality;
    report->factor = options.factor;
    report->hours_per_year = options.hours_per_year;
    report->hours_quality = options.hours_quality;
    return true;
}

static bool is_modelled(const struct measure *work)
{
    for (size_t i = 0; i < work->meter.domain_count; i++)
        if (work->counting.counts[i] && work->meter.domains[i].domain->quality == QUALITY_MODELLED)
            return true;
    return false;
}

/* A figure that had to be modelled although there is a sensor says why, and what would change it. */
static void note_sources(struct measure *work)
{
    const bool modelled = is_modelled(work);

    for (size_t i = 0; i < work->meter.refusal_count; i++)
        if (modelled && work->meter.refusals[i].error.kind != ERROR_ABSENT)
            notice_add_error(&work->report.notices, &work->meter.refusals[i].error);
    for (size_t i = 0; i < work->meter.source_count; i++)
        for (size_t j = 0; j < work->meter.sources[i].notices.count; j++)
            notice_add_error(&work->report.notices, &work->meter.sources[i].notices.item[j]);
}

static bool open_meter(struct measure *work, struct error *err)
{
    const char *source = settings_text(work->settings, &option_source);
    struct meter_options options = {
        .only = strcmp(source, "auto") == 0 ? NULL : source,
        .measured_only = settings_flag(work->settings, &option_require_measured),
    };
    enum scope scope;

    if (!scope_of(settings_text(work->settings, &option_scope), &scope))
        return error_set(err, ERROR_USAGE, "unknown scope");
    work->report.scope = scope;
    options.whole_machine = scope == SCOPE_MACHINE;
    if (work->root.live && !privileges_raise(err))
        return false;
    if (!meter_open(&work->meter, &work->root, &work->machine, &options, err))
        return false;
    if (!scope_count(&work->meter, scope, &work->counting, &work->report.notices, err))
        return false;
    note_sources(work);
    return true;
}

/* Rights beyond the user's serve to open the counters of this machine, and nothing else: what follows reads
 * and writes files that the command line names, and runs the command. A recorded machine is one of those. */
static bool open_machine(struct measure *work, struct error *err)
{
    struct root *root = &work->root;

    if (!root_open(root, settings_text(work->settings, &option_root), err) ||
        (!root->live && !privileges_drop(&work->environment, err)))
        return false;
    work->report.recorded_tree = !root->live;
    machine_read(&work->machine, root);
    return open_meter(work, err) && (!root->live || privileges_drop(&work->environment, err));
}

static bool choose_cpus(struct measure *work, struct error *err)
{
    const char *list = settings_text(work->settings, &option_cpus);
    struct report *report = &work->report;
    bool moved;

    if (list) {
        report->cpus_from = "--cpus";
        if (!cpus_of_list(list, &work->job_cpus, err) || !cpus_are_online(&work->job_cpus, &work->root, err))
            return false;
    } else {
        if (!cpus_inherited(&work->job_cpus, err))
            return false;
        report->cpus_from =
            CPU_COUNT_S(CPUS_SIZE, &work->job_cpus.set) < sysconf(_SC_NPROCESSORS_ONLN) ? "inherited" : "all";
    }
    cpus_list(&work->job_cpus, report->cpus, sizeof report->cpus);
    moved = cpus_keep_off(&work->job_cpus, &work->root);
    /* where carbon stayed where it was, the job inherits what it would have without carbon */
    work->pins_job = list || moved;
    return true;
}

static void on_sample(void *context, enum workload_phase phase, size_t number, const struct sample *sample)
{
    struct measure *work = context;

    measure_files_sample(&work->files, &work->meter, phase, number, sample);
}

/* Brings the partial record up to date, so that a kill loses at most the last 10 s. */
static void on_progress(void *context, enum workload_phase phase, size_t number, const struct measurement *so_far)
{
    struct measure *work = context;
    uint64_t begun_ns;

    (void)phase;
    (void)number;
    if (!measure_files_want_progress(&work->files))
        return;
    begun_ns = clock_monotonic_ns();
    work->partial = work->report;
    work->partial.measurement = so_far;
    work->partial.ended_realtime_ns = clock_realtime_ns();
    report_finish(&work->partial);
    measure_files_progress(&work->files, &work->partial, begun_ns);
}

/* Only while nothing of the command runs: then the terminal is the command's. */
static void on_tick(void *context, enum workload_phase phase, size_t number, uint64_t elapsed_ns)
{
    struct measure *work = context;
    const double baseline_s = settings_number(work->settings, &option_baseline);

    if (phase == PHASE_BASELINE)
        terminal_progress("watching the idle machine, run %zu: %.0f s left", number,
                          ceil(baseline_s - s_from_ns(elapsed_ns)));
}

static bool run_workload(struct measure *work, const struct command_line *line, struct workload_end *end,
                         struct error *err)
{
    const struct settings *settings = work->settings;
    const struct workload_options options = {
        .argv = line->operands,
        .environment = work->environment.variables,
        .baseline_ns = (uint64_t)(settings_number(settings, &option_baseline) * NS_PER_S),
        .warmups = (size_t)settings_number(settings, &option_warmup),
        .runs = (size_t)settings_number(settings, &option_runs),
        .interval_ns = work->files.has_samples ? (uint64_t)(settings_number(settings, &option_interval) * NS_PER_S) : 0,
        .ignore_failure = settings_flag(settings, &option_ignore_failure),
        .cpus = work->pins_job ? &work->job_cpus.set : NULL,
        .cpus_size = CPUS_SIZE,
    };
    const struct workload_watch watch = {
        .context = work,
        .on_sample = on_sample,
        .on_progress = on_progress,
        .on_tick = work->progress ? on_tick : NULL,
        .tick_ns = work->progress ? NS_PER_S_INT / 4 : 0,
    };
    const bool done = workload_run(&work->meter, &work->counting, &options, &watch, &work->measurement, end, err);

    /* the job's SIGPIPE is its own business; a closed pipe of carbon's is an error to report */
    signal(SIGPIPE, SIG_IGN);
    if (work->progress)
        terminal_progress_done();
    return done;
}

/* In one piece: standard error is unbuffered, and a report between others' lines is hard to read. */
static int print_report(struct measure *work, int status)
{
    const struct table_style style = { .colour = terminal_colour(work->settings, stderr) };
    const bool quiet = settings_flag(work->settings, &option_quiet);
    AUTO_FREE char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    struct error err;
    bool written;

    if (!out)
        return STATUS_CARBON_FAILED;
    written = quiet ? brief_format.write(&work->report, out, &err) : table_write(&work->report, &style, out, &err);
    written = fclose(out) == 0 && written && fwrite(text, 1, length, stderr) == length;
    /* nobody can be told that standard error is closed */
    return written ? status : STATUS_CARBON_FAILED;
}

static void report_failed_run(const struct measure *work, const struct workload_end *end)
{
    struct error err;
    size_t finished = 0;

    for (size_t i = 0; i < work->measurement.run_count; i++)
        finished += work->measurement.runs[i].ended && !work->measurement.runs[i].warmup;
    error_set(&err, ERROR_SYSTEM, "'%s' failed in run %zu", work->report.command[0], end->failed_number);
    error_why(&err, "it ended with status %d", end->exit_status);
    error_fix(&err,
              "its own messages are above; %zu finished runs are reported below; --ignore-failure goes on regardless",
              finished);
    terminal_fail(&err, 0);
}

/* Reports what was measured. Returns the status of the whole. */
static int conclude(struct measure *work, const struct workload_end *end)
{
    work->report.ended_realtime_ns = clock_realtime_ns();
    work->report.measurement = &work->measurement;
    work->report.complete = !work->measurement.interrupted && !end->failed_run;
    if (!end->ran) {
        struct error err;

        error_set(&err, ERROR_SYSTEM, "interrupted before the command was run");
        measure_files_keep(&work->files);
        return terminal_fail(&err, end->exit_status);
    }
    if (end->failed_run)
        report_failed_run(work, end);
    report_finish(&work->report);
    return measure_files_write(&work->files, &work->report, print_report(work, end->exit_status));
}

static int measure(struct measure *work, const struct command_line *line)
{
    const struct measure_paths paths = {
        .json = settings_text(work->settings, &option_json),
        .csv = settings_text(work->settings, &option_csv),
        .samples = settings_text(work->settings, &option_samples),
        .append = settings_flag(work->settings, &option_append),
    };
    struct workload_end end;
    struct error err;

    work->report.started_realtime_ns = clock_realtime_ns();
    work->report.command = line->operands;
    work->report.machine = &work->machine;
    make_id(work->report.id);
    if (!open_machine(work, &err) || !find_factor(work, &err) ||
        !measure_files_open(&work->files, &paths, &work->meter, &err) || !choose_cpus(work, &err)) {
        measure_files_discard(&work->files);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (!run_workload(work, line, &end, &err)) {
        if (end.ran)
            measure_files_keep(&work->files);
        else
            measure_files_discard(&work->files);
        return terminal_fail(&err, end.cannot_run ? end.exit_status : STATUS_CARBON_FAILED);
    }
    return conclude(work, &end);
}

static int run_measure(const struct command_line *line)
{
    struct measure *work = calloc(1, sizeof *work);
    int status;

    if (!work) {
        struct error err;
        error_errno(&err, "cannot start");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    work->root.fd = -1;
    work->settings = &line->settings;
    work->progress = isatty(STDERR_FILENO) && !settings_flag(&line->settings, &option_quiet);
    status = measure(work, line);
    measurement_close(&work->measurement);
    environment_close(&work->environment);
    meter_close(&work->meter);
    root_close(&work->root);
    free(work);
    return status;
}

static const struct option_spec *const options[] = {
    &option_baseline,
    &option_runs,
    &option_warmup,
    &option_cpus,
    &option_ignore_failure,
    &option_source,
    &option_scope,
    &option_require_measured,
    &option_root,
    &option_zone,
    &option_pue,
    &option_year,
    &option_basis,
    &option_intensity,
    &option_factors,
    &option_share_alike,
    &option_duty,
    &option_json,
    &option_csv,
    &option_append,
    &option_samples,
    &option_interval,
    &option_color,
    &option_quiet,
    &option_help,
    &option_version,
    NULL,
};

static const char *const examples[] = {
    "carbon measure -- make -j8",
    "carbon measure --runs 5 --zone FR --json run.json -- ./job --size 4",
    NULL,
};

const struct command cmd_measure = {
    .name = "measure",
    .purpose = "run a command and report its energy and carbon",
    .synopsis = "[options] -- command [argument ...]",
    .about = "Watch the idle machine, run the command, and report its energy and carbon.",
    .options = options,
    .examples = examples,
    .least_operands = 1,
    .most_operands = -1,
    .runs_command = true,
    .run = run_measure,
};
