/* SPDX-License-Identifier: MIT
 * Baselines and runs, in order: the job is held at its gate until the opening sample is taken. */
#include "measure/workload.h"

#include "base/clock.h"
#include "base/units.h"

#include <stdlib.h>
#include <unistd.h>

/* What one call of workload_run works with. */
struct work {
    struct meter *meter;
    const struct workload_options *options;
    const struct workload_watch *watch;
    struct measurement *measurement;
    struct workload_end *end;
    struct job_signals signals;
    int stat_fd; /* /proc/stat */
    enum workload_phase phase;
    size_t number;           /* of the run, from 1 */
    uint64_t next_sample_ns; /* of the time series; UINT64_MAX: none */
    uint64_t next_tick_ns;
    uint64_t poll_ns, next_poll_ns; /* of power sensors; UINT64_MAX: none */
    uint64_t keep_alive_ns;
};

const char *workload_phase_name(enum workload_phase phase)
{
    switch (phase) {
    case PHASE_BASELINE: return "baseline";
    case PHASE_WARMUP: return "warmup";
    case PHASE_RUN: return "run";
    }
    return "unknown";
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void take_sample(struct work *work, struct sample *sample, bool shown)
{
    meter_sample(work->meter, sample);
    if (shown && work->watch->on_sample)
        work->watch->on_sample(work->watch->context, work->phase, work->number, sample);
}

static void tell_progress(const struct work *work)
{
    if (work->watch->on_progress)
        work->watch->on_progress(work->watch->context, work->phase, work->number, work->measurement);
}

/* One window that is open. */
struct opening {
    struct window *window;
    struct sample start, last, part;
    struct machine_time time;
    bool time_known;
    uint64_t next_keep_alive_ns;
    uint64_t realtime_ns;
};

static void open_window(struct work *work, struct opening *opening, struct window *window)
{
    *window = (struct window){ .start_ns = 0 };
    opening->window = window;
    opening->time_known = machine_time_read(&work->stat_fd, work->meter->root, &opening->time);
    opening->realtime_ns = clock_realtime_ns();
    take_sample(work, &opening->start, true);
    opening->last = opening->part = opening->start;
    opening->next_keep_alive_ns = opening->start.time_ns + work->keep_alive_ns;
    work->next_sample_ns =
        work->options->interval_ns ? opening->start.time_ns + work->options->interval_ns : UINT64_MAX;
    work->next_poll_ns = work->poll_ns ? opening->start.time_ns + work->poll_ns : UINT64_MAX;
    work->next_tick_ns = work->watch->tick_ns ? opening->start.time_ns + work->watch->tick_ns : UINT64_MAX;
}

/* The window up to the last sample taken; may be called again as it grows. */
static void update_window(struct work *work, struct opening *opening)
{
    struct window *window = opening->window;
    const struct window so_far = window_between(&opening->start, &opening->last);
    struct machine_time now;

    for (size_t i = 0; i < ENERGY_MAX_DOMAINS; i++) {
        window->energy_uj[i] = so_far.energy_uj[i];
        window->known[i] = so_far.known[i];
    }
    window->start_ns = so_far.start_ns;
    window->duration_ns = so_far.duration_ns;
    window->suspended_ns = so_far.suspended_ns;
    window->realtime_ns = opening->realtime_ns;
    window->machine_busy_known = opening->time_known && machine_time_read(&work->stat_fd, work->meter->root, &now) &&
                                 now.busy_ns >= opening->time.busy_ns;
    if (window->machine_busy_known)
        window->machine_busy_ns = now.busy_ns - opening->time.busy_ns;
}

static void close_window(struct work *work, struct opening *opening)
{
    take_sample(work, &opening->last, true);
    update_window(work, opening);
}

/* What falls due while a window is open: the time series, the keep-alive read, the progress line. */
static void do_what_is_due(struct work *work, struct opening *opening)
{
    const uint64_t now_ns = clock_monotonic_ns();
    const uint64_t interval_ns = work->options->interval_ns;

    if (now_ns >= work->next_sample_ns) {
        take_sample(work, &opening->last, true);
        opening->next_keep_alive_ns = opening->last.time_ns + work->keep_alive_ns;
        /* a late wake-up drops samples; it does not bunch them */
        work->next_sample_ns += interval_ns * ((now_ns - work->next_sample_ns) / interval_ns + 1);
    }
    if (now_ns >= opening->next_keep_alive_ns) {
        take_sample(work, &opening->last, false);
        opening->next_keep_alive_ns = opening->last.time_ns + work->keep_alive_ns;
        update_window(work, opening);
        tell_progress(work);
    }
    if (now_ns >= work->next_poll_ns) {
        meter_poll(work->meter);
        work->next_poll_ns = clock_monotonic_ns() + work->poll_ns;
    }
    if (now_ns >= work->next_tick_ns) {
        if (work->watch->on_tick)
            work->watch->on_tick(work->watch->context, work->phase, work->number, now_ns - opening->start.time_ns);
        work->next_tick_ns = now_ns + work->watch->tick_ns;
    }
}

static uint64_t next_due_ns(const struct work *work, const struct opening *opening)
{
    return earlier(earlier(work->next_sample_ns, work->next_tick_ns),
                   earlier(work->next_poll_ns, opening->next_keep_alive_ns));
}

/* Notes the power of a baseline since the last part, so that the baseline's own spread is known. */
static void note_part(const struct work *work, struct opening *opening)
{
    const struct window part = window_between(&opening->part, &opening->last);
    struct window *window = opening->window;

    window->parts_w[window->part_count++] = window_counted_j(work->measurement, &part) / s_from_ns(part.duration_ns);
    opening->part = opening->last;
}

/* False: interrupted. */
static bool watch_baseline(struct work *work, struct opening *opening)
{
    struct window *window = &work->measurement->baselines[work->measurement->baseline_count];
    struct job nobody = { .pid = 0, .gate = -1, .failed = -1, .signals = &work->signals };
    uint64_t end_ns, part_end_ns, part_ns;

    work->phase = PHASE_BASELINE;
    open_window(work, opening, window);
    work->measurement->baseline_count++;
    end_ns = opening->start.time_ns + work->options->baseline_ns;
    part_ns = work->options->baseline_ns / BASELINE_PARTS;
    part_end_ns = opening->start.time_ns + part_ns;
    while (clock_monotonic_ns() < end_ns && !work->signals.interrupted) {
        job_wait(&nobody, earlier(end_ns, earlier(part_end_ns, next_due_ns(work, opening))));
        if (work->signals.interrupted)
            break;
        do_what_is_due(work, opening);
        if (clock_monotonic_ns() >= part_end_ns && window->part_count < BASELINE_PARTS - 1) {
            take_sample(work, &opening->last, false);
            note_part(work, opening);
            part_end_ns = window->part_count < BASELINE_PARTS - 1 ? part_end_ns + part_ns : end_ns;
        }
    }
    close_window(work, opening);
    if (window->part_count == BASELINE_PARTS - 1)
        note_part(work, opening);
    tell_progress(work);
    return !work->signals.interrupted;
}

static void finish_run(struct work *work, struct run *run, struct usage_meter *usage)
{
    usage_read(usage, &run->end.rusage, &run->usage);
    run->left_behind = usage_alive(usage, run->left_behind_names, sizeof run->left_behind_names);
    run->ended = true;
    work->end->exit_status = run->end.exit_status;
    work->end->ran = true;
}

/* False: the command could not be started, or carbon failed; err says why. */
static bool do_run(struct work *work, struct opening *opening, struct usage_meter *usage, struct job *job,
                   struct error *err)
{
    struct run *run = &work->measurement->runs[work->measurement->run_count];
    uint64_t exec_ns;

    *run = (struct run){ .warmup = work->phase == PHASE_WARMUP };
    open_window(work, opening, &run->window);
    if (!job_release(job, &exec_ns, &work->end->exit_status, err)) {
        work->end->cannot_run = true;
        return false;
    }
    run->start_gap_ns = exec_ns - (opening->start.time_ns + opening->start.span_ns / 2);
    work->measurement->run_count++;
    while (job_wait(job, earlier(next_due_ns(work, opening), usage_next_ns(usage))) != JOB_ENDED) {
        do_what_is_due(work, opening);
        usage_poll(usage, clock_monotonic_ns());
    }
    close_window(work, opening);
    if (!job_reap(job, &run->end, err))
        return false;
    run->end_gap_ns = opening->last.time_ns - run->end.end_ns;
    finish_run(work, run, usage);
    tell_progress(work);
    return true;
}

static bool start_and_run(struct work *work, struct opening *opening, struct error *err)
{
    struct usage_meter usage;
    struct job job = { .pid = 0, .gate = -1, .failed = -1 };
    struct job_options options = {
        .argv = work->options->argv,
        .environment = work->options->environment,
        .cpus = work->options->cpus,
        .cpus_size = work->options->cpus_size,
    };
    bool done;

    usage_open(&usage, work->meter->root);
    options.cgroup_fd = usage.cgroup_fd;
    done = job_start(&job, &work->signals, &options, err);
    if (done) {
        usage_started(&usage, job.pid);
        done = do_run(work, opening, &usage, &job, err);
    }
    if (!done)
        job_abandon(&job);
    usage_close(&usage);
    return done;
}

/* False: carbon failed. */
static bool run_series(struct work *work, struct error *err)
{
    const struct workload_options *options = work->options;
    struct opening *opening = calloc(1, sizeof *opening);
    bool done = opening != NULL;

    for (size_t i = 0; done && i < options->warmups + options->runs; i++) {
        work->number = i < options->warmups ? i + 1 : i - options->warmups + 1;
        if (options->baseline_ns && !watch_baseline(work, opening))
            break;
        work->phase = i < options->warmups ? PHASE_WARMUP : PHASE_RUN;
        done = start_and_run(work, opening, err);
        if (!done || work->signals.interrupted)
            break;
        if (work->end->exit_status != 0 && !options->ignore_failure) {
            work->end->failed_run = options->warmups + options->runs > 1;
            work->end->failed_number = work->number;
            break;
        }
    }
    if (!opening)
        error_errno(err, "cannot start the measurement");
    work->measurement->interrupted = work->signals.interrupted;
    if (work->signals.interrupted && !work->end->ran)
        work->end->exit_status = 128 + work->signals.interrupted;
    free(opening);
    return done;
}

bool workload_run(struct meter *meter, const struct counting *counting, const struct workload_options *options,
                  const struct workload_watch *watch, struct measurement *measurement, struct workload_end *end,
                  struct error *err)
{
    struct work work = {
        .meter = meter,
        .options = options,
        .watch = watch,
        .measurement = measurement,
        .end = end,
        .stat_fd = -1,
        .poll_ns = meter_poll_ns(meter),
        .keep_alive_ns = meter_keep_alive_ns(meter),
    };
    const size_t windows = options->warmups + options->runs;
    bool done;

    *end = (struct workload_end){ .exit_status = 0 };
    *measurement = (struct measurement){ .meter = meter, .counting = counting };
    measurement->baselines = calloc(windows, sizeof *measurement->baselines);
    measurement->runs = calloc(windows, sizeof *measurement->runs);
    if (!measurement->baselines || !measurement->runs)
        return error_errno(err, "no memory for %zu runs", windows);
    if (!job_signals_open(&work.signals, err))
        return false;
    done = run_series(&work, err);
    job_signals_close(&work.signals);
    if (work.stat_fd >= 0)
        close(work.stat_fd);
    return done;
}
