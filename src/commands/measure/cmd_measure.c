/* SPDX-License-Identifier: MIT
 * carbon measure: runs a command and reports its energy and carbon. */
#include "app/attach_options.h"
#include "app/ci_options.h"
#include "app/command_files.h"
#include "app/command_work.h"
#include "app/ledger_options.h"
#include "app/options/gate_options.h"
#include "app/options/hourly_options.h"
#include "app/options/live_options.h"
#include "app/options/naming_options.h"
#include "app/options/otlp_options.h"
#include "app/options/sci_options.h"
#include "app/record_files.h"
#include "app/run_options.h"
#include "app/session.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/measure/measure_gate.h"
#include "commands/measure/measure_push.h"
#include "commands/measure/slurm_names.h"
#include "result/record_fields.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const struct option_spec option_samples =
    OPTION(FILE, "Output", "samples", .file = FILE_WRITTEN, .argument = "<file>",
           .help = "write the time series as CSV during the run");
static const struct option_spec option_codecarbon =
    OPTION(FILE, "Output", "codecarbon", .file = FILE_ADDED, .argument = "<file>",
           .help = "append a row to a CodeCarbon emissions.csv");
/* Everything one call works with. */
struct measure_measure {
    struct session session;
    struct schedule schedule;
    struct marks_options marks;
    struct attach_options attach;
    struct run_options run;
    bool never_began;                /* its container could not be started */
    struct workload_command command; /* the one */
    struct measurement measurement;
    struct report partial;
    struct record_files files;
    struct hourly_wanted hourly;
    struct ci_files ci;
    struct otlp_collector collector;
    char file_names[5][SLURM_NAME_SIZE]; /* of those that name the job or the task */
};

static void on_sample(void *context, const struct workload_place *place, const struct sample *sample,
                      const struct target_now *used)
{
    struct measure_measure *work = context;

    (void)used;
    record_files_sample(&work->files, &work->session.meter, place, sample);
}

/* What counts, by all that was measured so far. */
static void judge(struct measure_measure *work)
{
    measurement_cross_check(&work->session.meter, &work->measurement, work->session.report.scope,
                            &work->session.counting, &work->session.report.own_notices);
}

/* Brings the partial record up to date, so that a kill loses at most the last 10 s. */
static void on_progress(void *context, const struct workload_place *place, const struct measurement *so_far)
{
    struct measure_measure *work = context;
    uint64_t begun_ns;

    const bool wanted = record_files_want_progress(&work->files);
    struct budget *budget = &work->session.report.budget;
    const bool watched = budget->stop && !budget->stopped && place->phase == PHASE_RUN;

    if (!wanted && !watched)
        return;
    begun_ns = clock_monotonic_ns();
    judge(work);
    report_copy(&work->partial, &work->session.report);
    work->partial.measurement = so_far;
    session_end(&work->session, &work->partial);
    report_finish(&work->partial);
    if (watched)
        budget->stopped = measure_gate_exceeded(&work->partial.budget);
    if (wanted)
        record_files_progress(&work->files, &work->partial, begun_ns);
}

static void on_tick(void *context, const struct workload_place *place)
{
    const struct measure_measure *work = context;
    char what[64] = "";

    if (work->schedule.count > 1)
        snprintf(what, sizeof what, "; next: run %zu of %zu", place->step + 1, work->schedule.count);
    if (place->step == work->schedule.count)
        snprintf(what, sizeof what, "; the last baseline");
    session_progress(place, what);
}

static bool make_container(void *context, const struct workload_place *place, struct error *err)
{
    struct measure_measure *work = context;

    (void)place;
    return container_job_make(&work->run.job, &work->command, err);
}

static bool remove_container(void *context, const struct workload_place *place, const struct run *run)
{
    struct measure_measure *work = context;

    (void)place;
    work->never_began = run && run->end.exit_status != 0 && container_job_never_began(&work->run.job);
    run_options_end(&work->run, run, &work->session.report.own_notices);
    return !work->never_began;
}

static bool run_workload(struct measure_measure *work, struct command_end *end, struct error *err)
{
    const struct session *session = &work->session;
    const struct settings *settings = session->settings;
    struct workload_options options = {
        .commands = &work->command,
        .command_count = 1,
        .schedule = work->schedule,
        .interval_ns =
            work->files.samples.file ? (uint64_t)(settings_number(settings, &option_interval) * NS_PER_S) : 0,
        .slice_ns = (uint64_t)settings_number(settings, &option_slice) * NS_PER_S_INT,
        .failure = settings_flag(settings, &option_ignore_failure) ? FAILURE_IGNORED : FAILURE_STOPS,
        .marks = work->marks.written || work->marks.matched ? &work->marks : NULL,
    };
    const struct workload_watch watch = {
        .context = work,
        .on_sample = on_sample,
        .on_progress = on_progress,
        .looks = session->report.budget.stop,
        .progress_ns = session->report.budget.stop ? NS_PER_S_INT / 2 : 0,
        .before_run = work->run.image ? make_container : NULL,
        .after_run = work->run.image ? remove_container : NULL,
        .on_tick = session->progress ? on_tick : NULL,
        .tick_ns = session->progress ? NS_PER_S_INT / 4 : 0,
    };
    bool done;

    work->command = session_command(session, work->session.report.command);
    work->command.made_later = work->run.image != NULL;
    work->command.stop = session->report.budget.stop ? &session->report.budget.stopped : NULL;
    if (work->attach.attached) {
        work->command.target = &work->attach.target;
        work->command.for_ns = work->attach.for_ns;
    }
    session_windows(session, &options);
    done = workload_run(&work->session.meter, &session->counting, &options, &watch, &work->measurement, end, err);
    /* the job's SIGPIPE is its own business; a closed pipe of carbon's is an error to report */
    signal(SIGPIPE, SIG_IGN);
    if (session->progress)
        terminal_progress_done();
    return done;
}

static bool write_report(const void *of, const struct table_style *style, FILE *out, struct error *err)
{
    const struct measure_measure *work = of;

    if (!report_write_text(&work->session.report, style, out, err))
        return false;
    measure_gate_print(&work->session.report.budget, out);
    return true;
}

static void report_failed_run(const struct measure_measure *work, const struct command_end *end)
{
    struct error err;
    size_t finished = 0;

    for (size_t i = 0; i < work->measurement.run_count; i++)
        finished += work->measurement.runs[i].end.exit_status == 0 && work->measurement.runs[i].ended &&
                    !work->measurement.runs[i].warmup;
    error_set(&err, ERROR_SYSTEM, "'%s' failed in run %zu", work->session.report.command[0], end->failed_number);
    error_why(&err, "exit status %d", end->exit_status);
    error_fix(
        &err,
        "its messages are above, the results of %zu completed runs below; --ignore-failure continues after a failure",
        finished);
    terminal_fail(&err, 0);
}

/* The job's own, but where a signal to carbon kept runs from being done. */
static int status_of(const struct measure_measure *work, const struct command_end *end)
{
    const struct measurement *measurement = &work->measurement;
    const bool short_of_runs = measurement->interrupted && measurement->run_count < work->schedule.count;

    return short_of_runs && end->exit_status == 0 ? 128 + measurement->interrupted : end->exit_status;
}

/* After the job has ended, so that nothing of it disturbs the measurement; what was measured is in the partial record
 * by then. */
static void work_out_by_hour(struct measure_measure *work)
{
    struct report *report = &work->session.report;
    struct error err;
    bool good;

    report_finish(report);
    work->files.next_progress_ns = 0;
    if (record_files_want_progress(&work->files))
        record_files_progress(&work->files, report, clock_monotonic_ns());
    if (work->session.progress && work->hourly.service)
        terminal_progress("asking for the intensities of the grid");
    report->by_hour.first_notice = report->own_notices.count;
    good = hourly_fetch(&work->hourly, report, &err);
    if (work->session.progress)
        terminal_progress_done();
    hourly_apply(&work->hourly, report, good ? NULL : &err);
}

/* Reports what was measured. Returns the status of the whole. */
static int conclude(struct measure_measure *work, const struct command_end *end)
{
    const struct report *const reports = &work->session.report;
    int status;

    session_end(&work->session, &work->session.report);
    work->session.report.measurement = &work->measurement;
    work->session.report.complete =
        (!work->measurement.interrupted || attach_options_await_signal(&work->attach, &work->session.report)) &&
        !end->failed && !work->session.report.budget.stopped;
    if (!end->ran) {
        struct error err;

        error_set(&err, ERROR_SYSTEM, "interrupted before the command was run");
        record_files_keep(&work->files);
        return terminal_fail(&err, end->exit_status);
    }
    if (end->failed)
        report_failed_run(work, end);
    attach_options_note(&work->attach, &work->session.report.own_notices);
    judge(work);
    if (work->hourly.wanted)
        work_out_by_hour(work);
    report_finish(&work->session.report);
    status = measure_gate_status(&work->session.report.budget, status_of(work, end));
    status = record_files_write(&work->files, &work->session.report,
                                style_print(work->session.settings, write_report, work, status));
    status = measure_gate_write(&work->ci, &work->session.report, status);
    status = ledger_options_keep(work->session.settings, &work->session.environment, &reports, 1, status);
    measure_push(&work->collector, &work->session.report, &work->session.root, work->session.settings);
    return status;
}

/* False: a name gets too long. */
static bool name_files(struct measure_measure *work, struct record_paths *paths, struct error *err)
{
    const struct {
        const char **name, *called;
        enum file_use use;
    } files[] = {
        { &paths->json, "--json", FILE_WRITTEN },
        { &paths->csv, "--csv", paths->append ? FILE_ADDED : FILE_WRITTEN },
        { &paths->html, "--html", FILE_WRITTEN },
        { &paths->samples, "--samples", FILE_WRITTEN },
        { &paths->codecarbon, "--codecarbon", FILE_ADDED },
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *given = *files[i].name;

        *files[i].name = slurm_file_name(&work->session.report.job, given, work->file_names[i], err);
        if (given && !*files[i].name)
            return false;
        if (given != *files[i].name &&
            !command_files_add(work->session.settings, files[i].use, files[i].called, *files[i].name, err))
            return false;
    }
    return true;
}

static bool open_work(struct measure_measure *work, const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;
    struct record_paths paths = {
        .json = settings_text(settings, &option_json),
        .csv = settings_text(settings, &option_csv),
        .html = settings_text(settings, &option_html),
        .samples = settings_text(settings, &option_samples),
        .csv_safe = settings_flag(settings, &option_csv_safe),
        .append = settings_flag(settings, &option_append),
        .codecarbon = settings_text(settings, &option_codecarbon),
    };
    /* else something that runs already */
    const bool job = line->operand_count > 0 || settings_text(settings, &option_run);

    if (!run_options_check(line, err) || !attach_options_check(line, err) ||
        !attach_options_marks(&work->marks, settings, err) || !session_open(&work->session, settings, err) ||
        !schedule_make(&work->schedule, 1, job ? (size_t)settings_number(settings, &option_warmup) : 0,
                       job ? (size_t)settings_number(settings, &option_runs) : 1, ORDER_INTERLEAVED, 0, err))
        return false;
    if (!run_options_open(&work->run, line, work->session.report.id, work->session.progress, err))
        return false;
    work->session.report.command = work->run.image ? (char *const *)work->run.words : line->operands;
    if (!attach_options_open(&work->attach, settings, err))
        return false;
    attach_options_name(&work->attach, &work->session.report);
    if (!sci_options_read(settings, ORIGIN_STANDARD, sci_share_of(&work->session.report), &work->session.report.sci,
                          err) ||
        !equivalents_option_read(settings, &work->session.report.equivalents, err) ||
        !hourly_options_read(settings, &work->session.report, &work->hourly, err))
        return false;
    if (!otlp_options_read(settings, &work->collector, err))
        return false;
    slurm_notices(&work->session.report.job, work->session.report.command, &work->session.report.own_notices);
    return measure_gate_open(&work->session.report.budget, &work->ci, settings,
                             !work->attach.attached && work->schedule.count == 1, err) &&
           name_files(work, &paths, err) && record_files_open(&work->files, &paths, &work->session.meter, err);
}

static int measure(void *context, const struct command_line *line)
{
    struct measure_measure *work = context;
    struct command_end end;
    struct error err;

    if (!open_work(work, line, &err)) {
        record_files_discard(&work->files);
        return terminal_fail(&err, work->attach.not_there ? STATUS_NO_TARGET : STATUS_CARBON_FAILED);
    }
    if (!run_workload(work, &end, &err)) {
        if (end.ran)
            record_files_keep(&work->files);
        else
            record_files_discard(&work->files);
        return terminal_fail(&err, end.cannot_run ? end.exit_status : STATUS_CARBON_FAILED);
    }
    if (work->never_began) { /* whoever attends it has said so */
        record_files_discard(&work->files);
        return end.exit_status;
    }
    return conclude(work, &end);
}

static void close_work(void *context)
{
    struct measure_measure *work = context;

    ci_close(&work->ci);
    otlp_collector_close(&work->collector);
    hourly_close(&work->hourly);
    measurement_close(&work->measurement);
    schedule_close(&work->schedule);
    pattern_close(work->marks.pattern);
    attach_options_close(&work->attach);
    run_options_close(&work->run);
    report_close(&work->partial);
    session_close(&work->session);
}

static int run_measure(const struct command_line *line)
{
    return command_run_with(sizeof(struct measure_measure), line, measure, close_work);
}

const struct command cmd_measure = {
    .name = "measure",
    .purpose = "run a command and report its energy and carbon",
    .synopsis = "[options] -- command [argument ...]\n"
                "[options] --pid <n> | --container <name> | --pod <name>",
    .options = OPTIONS(RUN_OPTIONS, PACE_OPTIONS, &option_ignore_failure, &option_slice, TARGET_OPTIONS, &option_run,
                       &option_for, &option_marks, &option_phase, METER_OPTIONS, SITE_OPTIONS, WIDER_OPTIONS,
                       FACTOR_OPTIONS, &option_live, &option_intensities, &option_live_zone, SERVICE_OPTIONS,
                       &option_duty, SCI_OPTIONS, RECORD_OPTIONS, &option_samples, &option_codecarbon, &option_interval,
                       &option_label, KEEPING_OPTIONS, BUDGET_OPTIONS, &option_ci, OTLP_OPTIONS, DETAIL_OPTIONS),
    .common = COMMON("runs", "baseline", "warmup", "zone", "output", "verbose", "quiet", "pid", "container", "pod",
                     "for", "pue", "intensity", "live", "sci", "samples", "label"),
    .examples =
        EXAMPLES("carbon measure -- make -j8", "carbon measure --runs 5 --zone FR --json run.json -- ./job --size 4",
                 "carbon measure --container web --for 60s", "carbon measure --run python:3 -- python3 job.py"),
    .schemas = SCHEMAS(&record_schema),
    .run = run_measure,
    OPERANDS(0, -1, OPERAND_TEXT),
    .runs_command = true,
    .about = "Watch the idle machine, run the command, and report its energy and carbon.",
};
