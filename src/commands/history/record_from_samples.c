/* SPDX-License-Identifier: MIT
 * A time series read as the windows of a measurement: each has the energies between its first and its last line, as
 * carbon would have had it. */
#include "commands/history/record_from_samples.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/history/series_line.h"
#include "io/content_id.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct recovering {
    struct loaded_record *recovered;
    struct series_columns columns;
    bool torn;                   /* the last line has no end: it is left out */
    struct moment last, pending; /* the last line that counts, and the one behind it */
    bool has_last, has_pending, bad;
    struct error fault;    /* of the pending line, where it is bad: torn lines are */
    uint64_t opened_ns;    /* realtime of the opening of the meter */
    struct window *window; /* the one that goes on; NULL: none that counts */
    struct moment first;   /* its first line */
};

/* A baseline or a run more; what else is done before and between them is no part of the result. */
static bool open_window(struct recovering *work, const struct moment *moment, struct error *err)
{
    struct measurement *measurement = &work->recovered->measurement;
    const bool warmup = strcmp(moment->phase, "warmup") == 0;

    work->window = NULL;
    work->first = *moment;
    if (strcmp(moment->phase, "baseline") == 0) {
        struct window *baselines = array_next(measurement->baselines, measurement->baseline_count, sizeof *baselines);
        if (!baselines)
            return error_errno(err, "no memory for the time series");
        measurement->baselines = baselines;
        work->window = &baselines[measurement->baseline_count++];
    } else if (warmup || strcmp(moment->phase, "run") == 0) {
        struct run *run = array_next(measurement->runs, measurement->run_count, sizeof *run);
        if (!run)
            return error_errno(err, "no memory for the time series");
        measurement->runs = run;
        run += measurement->run_count++;
        *run = (struct run){ .warmup = warmup };
        work->window = &run->window;
    }
    if (work->window)
        *work->window = (struct window){
            .start_ns = moment->time_ns,
            .realtime_ns = work->opened_ns + moment->time_ns,
        };
    return true;
}

/* The energy of a domain goes from the first line of the window to the last in which it was read: where the window was
 * not ended, what comes after that is not known. */
static void extend_window(struct recovering *work, const struct moment *moment)
{
    const struct meter *meter = &work->recovered->meter;
    struct window *window = work->window;

    if (!window)
        return;
    window->duration_ns = moment->time_ns - work->first.time_ns;
    for (size_t i = 0; i < meter->domain_count; i++) {
        const uint64_t unread_ns = moment->time_ns - moment->read_ns[i];
        const uint64_t unknown_ns =
            moment->unknown_ns[i] - work->first.unknown_ns[i] + (window->known[i] ? unread_ns : 0);
        window->energy_uj[i] = moment->energy_uj[i] - work->first.energy_uj[i];
        window->known[i] |= work->first.reported[i] && moment->reported[i];
        window->unknown_ns[i] = clock_earlier_ns(unknown_ns, window->duration_ns);
        window->hole[i] = (uint8_t)(!unknown_ns ? HOLE_NONE : unread_ns ? HOLE_FAILED : (enum hole)moment->hole[i]);
    }
}

/* Whether this line is in the same window as the one above. */
static bool goes_on(const struct recovering *work, const struct moment *moment)
{
    return work->has_last && work->first.number == moment->number && strcmp(work->first.phase, moment->phase) == 0;
}

static void note_movement(struct recovering *work, const struct moment *moment)
{
    struct meter *meter = &work->recovered->meter;

    for (size_t i = 0; i < meter->domain_count && work->has_last; i++)
        meter->domains[i].moved |= moment->energy_uj[i] > work->last.energy_uj[i];
}

/* What begins now tells that the run before it has ended. */
static void end_run(struct measurement *measurement)
{
    if (measurement->run_count)
        measurement->runs[measurement->run_count - 1].ended = true;
}

/* A line counts once another follows it, or the file has its end. */
static bool commit(struct recovering *work, struct error *err)
{
    const struct moment *moment = &work->pending;

    if (!work->has_pending)
        return true;
    if (work->bad) {
        if (err)
            *err = work->fault;
        return false;
    }
    note_movement(work, moment);
    if (goes_on(work, moment)) {
        extend_window(work, moment);
    } else {
        end_run(&work->recovered->measurement);
        if (!open_window(work, moment, err))
            return false;
    }
    work->last = *moment;
    work->has_last = true;
    work->has_pending = false;
    return true;
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct recovering *work = context;

    if (row->line == 1)
        return series_header(&work->columns, row, err);
    if (!commit(work, err))
        return false;
    work->bad = !series_line(&work->columns, row, work->has_last ? &work->last : NULL, &work->pending, &work->fault);
    work->has_pending = true;
    if (!work->has_last && !work->bad && work->pending.realtime_ns)
        work->opened_ns = work->pending.realtime_ns - work->pending.time_ns;
    return true;
}

/* Each line was written in one piece, or not to its end. */
static bool last_line_is_open(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char last = '\n';

    return fd >= 0 && lseek(fd, -1, SEEK_END) >= 0 && read(fd, &last, 1) == 1 && last != '\n';
}

/* Windows of one line have no duration: carbon was killed as they began. */
static void drop_empty(struct measurement *measurement)
{
    if (measurement->run_count && !measurement->runs[measurement->run_count - 1].window.duration_ns)
        measurement->run_count--;
    if (measurement->baseline_count && !measurement->baselines[measurement->baseline_count - 1].duration_ns)
        measurement->baseline_count--;
}

static bool check_windows(const struct recovering *work, const char *path, struct error *err)
{
    if (work->recovered->measurement.run_count)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%s' holds no run", path);
    error_why(err, "the command had not been started, or for less than an interval");
    return error_fix(err, "measure again: carbon measure --samples samples.csv -- ./job");
}

static void note_assumptions(struct recovering *work, enum scope scope)
{
    struct notices *notices = &work->recovered->report.own_notices;

    notice_add(notices, NOTICE_UNFINISHED,
               "the measurement was interrupted; its energies and times are from the series", "",
               "recovered from a time series");
    notice_add(notices, NOTICE_SCOPE, "the series does not describe its columns", "--scope chooses another",
               "counted are those that scope %s takes by their names", scope_name(scope));
    notice_add(notices, NOTICE_ASSUMED, "the series does not say where it was recorded", "",
               "the machine is taken to be the one that recovered it");
    if (work->torn)
        notice_add(notices, NOTICE_UNFINISHED, "carbon was killed while it wrote it", "",
                   "the last line of the series was left out");
}

/* What counts, as the windows of the series have it. */
static bool count(struct loaded_record *recovered, enum scope scope, struct error *err)
{
    struct notices *notices = &recovered->report.own_notices;

    for (size_t i = 0; i < recovered->meter.source_count; i++)
        recovered->meter.sources[i].domains = recovered->domains;
    if (!scope_count(&recovered->meter, scope, &recovered->counting, notices, err))
        return false;
    measurement_leave_out_holes(&recovered->measurement);
    measurement_cross_check(&recovered->meter, &recovered->measurement, scope, &recovered->counting, notices);
    return true;
}

static bool fill_report(struct recovering *work, const struct machine *machine, enum scope scope, struct error *err)
{
    struct loaded_record *recovered = work->recovered;
    struct report *report = &recovered->report;

    recovered->machine = *machine;
    recovered->machine.cpu_limit = 0; /* which packages it should have is not known of the series */
    recovered->meter.machine = &recovered->machine;
    recovered->measurement.meter = &recovered->meter;
    recovered->measurement.counting = &recovered->counting;
    recovered->command = calloc(1, sizeof *recovered->command);
    report->command = recovered->command;
    report->machine = &recovered->machine;
    report->measurement = &recovered->measurement;
    report->scope = scope;
    report->started_realtime_ns = work->opened_ns;
    report->ended_realtime_ns = work->opened_ns + work->last.time_ns;
    report->hours_per_year = HOURS_PER_YEAR;
    note_assumptions(work, scope);
    if (!recovered->command)
        return error_errno(err, "no memory for the time series");
    return count(recovered, scope, err);
}

/* By when it began and what its columns are: the same series comes to the same record. */
static void identify(const struct recovering *work)
{
    const struct loaded_record *recovered = work->recovered;
    const char *texts[ENERGY_MAX_DOMAINS + 2] = { "carbon samples" };
    char started[CLOCK_TEXT_SIZE];

    texts[1] = clock_text(work->opened_ns, started);
    for (size_t i = 0; i < recovered->meter.domain_count; i++)
        texts[i + 2] = recovered->domains[i].name;
    content_id(texts, recovered->meter.domain_count + 2, work->recovered->report.id);
}

bool record_from_samples(const char *path, const struct machine *machine, enum scope scope,
                         struct loaded_record *recovered, struct error *err)
{
    AUTO_FREE struct recovering *work = calloc(1, sizeof *work);

    *recovered = (struct loaded_record){ .document = NULL };
    if (!work)
        return error_errno(err, "no memory for the time series");
    work->recovered = work->columns.recovered = recovered;
    work->torn = last_line_is_open(path);
    if (!csv_read_ragged(path, on_row, work, err) || (!work->torn && !commit(work, err)))
        return false;
    drop_empty(&recovered->measurement);
    if (!check_windows(work, path, err) || !fill_report(work, machine, scope, err))
        return false;
    identify(work);
    return true;
}
