/* SPDX-License-Identifier: MIT
 * Baselines and runs, in order: a job is held at its gate until the opening sample is taken. */
#include "measurement/workload.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/workload_step.h"
#include "run/environment.h"
#include "run/exec_error.h"

#include <math.h>
#include <stdlib.h>

/* A steady idle power is looked for over so long, in parts that are long against the counters' refresh. */
#define SETTLE_WINDOW_NS (5 * NS_PER_S_INT)

#define PROGRESS_NS (10 * NS_PER_S_INT)

/* Of a command whose run the caller could not prepare. */
enum { CANNOT_PREPARE = 125 };

/* A baseline for the job of one step, before this one. False: interrupted. */
static bool watch_baseline(struct series_run *work, size_t of, size_t step, uint64_t duration_ns)
{
    bool whole;

    series_enter_phase(work, PHASE_BASELINE, step, duration_ns);
    series_choose_mask(work, of);
    whole =
        watcher_idle(&work->watcher, &work->measurement->baselines[work->measurement->baseline_count++], duration_ns);
    /* the power of a few milliseconds is none to go by where there is a whole one */
    if (!whole && work->measurement->baseline_count > 1)
        work->measurement->baseline_count--;
    watcher_tell_progress(&work->watcher);
    return whole;
}

static double variation_of(const double *powers_w, size_t count)
{
    const struct sample_stats spread = sample_stats_of(powers_w, count);

    return spread.mean > 0 ? (spread.max - spread.min) / spread.mean : NAN;
}

/* Until the power of the idle machine was within SETTLED for as long as a baseline, or for settle_ns. False:
 * interrupted. */
static bool settle(struct series_run *work, size_t step)
{
    const uint64_t begun_ns = clock_monotonic_ns(), baseline_ns = series_baseline_ns(work);
    const uint64_t limit_ns = work->options->baseline_fits
                                  ? work->options->settle_ns / work->options->baseline_ns * baseline_ns
                                  : work->options->settle_ns;
    const uint64_t window_ns = baseline_ns && baseline_ns < SETTLE_WINDOW_NS ? baseline_ns : SETTLE_WINDOW_NS;
    struct settling *settling = &work->measurement->settling;
    double powers_w[BASELINE_PARTS];
    bool whole = true;

    *settling = (struct settling){ .asked = true, .variation = NAN };
    series_enter_phase(work, PHASE_SETTLE, step, limit_ns);
    for (size_t part = 0; whole && !settling->steady; part++) {
        const uint64_t waited_ns = clock_monotonic_ns() - begun_ns;
        if (waited_ns + window_ns / BASELINE_PARTS > limit_ns)
            break;
        whole = watcher_idle(&work->watcher, &work->scratch, window_ns / BASELINE_PARTS);
        powers_w[part % BASELINE_PARTS] = window_counted_w(work->measurement, &work->scratch);
        if (part + 1 < BASELINE_PARTS)
            continue;
        settling->variation = variation_of(powers_w, BASELINE_PARTS);
        settling->steady = settling->variation <= SETTLED;
    }
    settling->waited_s = s_from_ns(clock_monotonic_ns() - begun_ns);
    return whole;
}

static bool tell_before(struct series_run *work, size_t number, struct error *err)
{
    const struct workload_watch *watch = work->watcher.watch;
    struct command_end *end = &work->ends[work->options->schedule.steps[number].command];

    if (!watch->before_run)
        return true;
    series_enter_phase(work, PHASE_RUN, number, 0);
    if (watch->before_run(watch->context, &work->watcher.place, err))
        return true;
    end->cannot_run = true;
    end->exit_status = CANNOT_PREPARE;
    return false;
}

static bool tell_after(struct series_run *work, const struct run *run)
{
    const struct workload_watch *watch = work->watcher.watch;

    work->watcher.place.interrupted = work->signals.interrupted;
    return !watch->after_run || watch->after_run(watch->context, &work->watcher.place, run);
}

/* One run, and what its end means for the series. False: the series ends here. */
static bool do_step(struct series_run *work, size_t number, bool *failed, struct error *err)
{
    const enum workload_failure failure = work->options->failure;
    const size_t command = work->options->schedule.steps[number].command;
    struct command_end *end = &work->ends[command];

    if (!tell_before(work, number, err) || !series_run_step(work, number, err)) {
        if (failure == FAILURE_DROPS && end->cannot_run && err)
            end->error = *err;
        *failed = !(failure == FAILURE_DROPS && end->cannot_run);
        work->dropped[command] = true;
        return tell_after(work, NULL) && !*failed && !work->signals.interrupted;
    }
    work->dropped[command] =
        failure != FAILURE_IGNORED && end->exit_status != 0 && !work->options->commands[command].may_fail;
    return tell_after(work, &work->measurement->runs[work->measurement->run_count - 1]) && !work->signals.interrupted &&
           !(failure == FAILURE_STOPS && work->dropped[command]);
}

static bool is_enough(const struct series_run *work, size_t behind)
{
    const struct workload_watch *watch = work->watcher.watch;

    return watch->is_enough && watch->is_enough(watch->context, behind);
}

/* The next step from here on whose command still runs; the schedule's end: none. */
static size_t next_step(const struct series_run *work, size_t from)
{
    const struct schedule *schedule = &work->options->schedule;

    while (from < schedule->count && work->dropped[schedule->steps[from].command])
        from++;
    return from;
}

/* Something that runs already is watched alone: there is no idle machine before it. */
static bool is_attached(const struct workload_options *options)
{
    return !options->commands[0].argv[0];
}

static bool wants_settling(const struct workload_options *options)
{
    return options->settle_ns && (options->baseline_ns || options->baseline_same) && !is_attached(options);
}

/* How long the runs are is known behind the warm-ups, and what a baseline of theirs is to be. */
static bool settles_later(const struct workload_options *options)
{
    return options->baseline_fits && options->schedule.steps[0].warmup;
}

/* What lies between two runs, or after the last. Between two that count the baseline is two, back to back: one is
 * the first run's own, the other the second's, so that the nets of both stand on nothing in common. False:
 * interrupted. */
static bool between_runs(struct series_run *work, size_t before, size_t next)
{
    const struct workload_options *options = work->options;
    const struct measurement *measurement = work->measurement;
    const bool last = next == options->schedule.count;
    const bool single = options->schedule.count == 1 && !options->baseline_same && !is_attached(options);
    uint64_t duration_ns = series_baseline_ns(work);

    if (options->baseline_once || (is_attached(options) && !target_ended(options->commands[0].target)))
        return true;
    if (options->baseline_same && measurement->run_count)
        duration_ns = measurement->runs[measurement->run_count - 1].window.duration_ns;
    if (last && (single || !duration_ns))
        return true;
    if (options->cooldown_ns && !last) {
        series_enter_phase(work, PHASE_COOLDOWN, next, options->cooldown_ns);
        if (!watcher_idle(&work->watcher, &work->scratch, options->cooldown_ns))
            return false;
    }
    if (!duration_ns)
        return true;
    if (!last && settles_later(options) && wants_settling(options) && options->schedule.steps[before].warmup &&
        !options->schedule.steps[next].warmup && !settle(work, next))
        return false;
    if (last || options->schedule.steps[before].warmup)
        return watch_baseline(work, last ? before : next, next, duration_ns);
    return watch_baseline(work, before, next, duration_ns / 2) &&
           watch_baseline(work, next, next, duration_ns - duration_ns / 2);
}

/* What its job uses is known while that runs, and is nothing beside a baseline. */
static bool is_followed(const struct workload_command *command)
{
    if (command->target)
        return !command->argv[0] || command->target->from_nothing;
    return !command->work;
}

/* Beside a meter whose counters are refreshed often enough, of jobs that can be followed. */
static void open_strides(struct series_run *work)
{
    const struct measurement *measurement = work->measurement;
    bool metered = false, followed = true;
    uint64_t shortest_ns;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        metered |= measurement->counting->is_counted[i] && strides_tell(measurement->meter->domains[i].domain);
    for (size_t i = 0; i < work->options->command_count; i++)
        followed &= is_followed(&work->options->commands[i]);
    shortest_ns = stride_shortest_ns(measurement_update_ns(measurement));
    if (metered && followed && shortest_ns)
        work->watcher.strider.strides = strides_new(measurement->meter->domain_count, shortest_ns);
    work->measurement->strides = work->watcher.strider.strides;
}

/* Those of the windows that are kept; none where nobody else was busy. */
static void keep_strides(struct measurement *measurement)
{
    const struct window_list windows = measurement_steps(measurement);
    struct strides *all = measurement->strides;

    measurement->strides = all && all->concurrent ? strides_within(all, &windows) : NULL;
    strides_free(all);
}

/* The one command is nowhere to be found: its run fails at once, and no baseline is waited for. */
static bool is_missing(const struct workload_options *options)
{
    const struct workload_command *command = options->commands;
    char *const *environment = command->environment ? command->environment : options->environment;

    return options->command_count == 1 && !command->work && !command->made_later && !command->target &&
           !command->folder && command->argv[0] &&
           !exec_is_there(command->argv[0], environment ? environment_value(environment, "PATH") : getenv("PATH"));
}

/* False: carbon failed, or a command could not be run. */
static bool run_series(struct series_run *work, struct error *err)
{
    const struct workload_options *options = work->options;
    const bool waits = !is_missing(options);
    bool failed = false, going = options->schedule.count > 0;

    if (going && waits && wants_settling(options) && !settles_later(options))
        going = settle(work, 0);
    if (going && waits && options->baseline_ns && !options->baseline_same && !is_attached(options))
        going = watch_baseline(work, 0, 0, series_baseline_ns(work));
    for (size_t step = 0, next; going && step < options->schedule.count; step = next) {
        going = do_step(work, step, &failed, err);
        next = next_step(work, step + 1);
        if (going)
            going = between_runs(work, step, next) && !is_enough(work, next);
    }
    measurement_leave_out_holes(work->measurement);
    keep_strides(work->measurement);
    work->measurement->interrupted = work->signals.interrupted;
    for (size_t i = 0; i < options->command_count; i++)
        if (work->signals.interrupted && !work->ends[i].ran)
            work->ends[i].exit_status = 128 + work->signals.interrupted;
    return !failed;
}

static bool run_with_signals(struct series_run *work, struct error *err)
{
    bool done;

    if (!job_signals_open(&work->signals, err))
        return false;
    work->watcher.signals = &work->signals;
    work->measurement->adopt_error = work->signals.adopt_error;
    done = run_series(work, err);
    watcher_tell_end(&work->watcher);
    job_signals_close(&work->signals);
    busy_close(&work->watcher.busy);
    machine_counter_close(&work->watcher.counter);
    return done;
}

bool workload_run(struct meter *meter, const struct counting *counting, const struct workload_options *options,
                  const struct workload_watch *watch, struct measurement *measurement, struct command_end *ends,
                  struct error *err)
{
    const size_t runs = options->schedule.count + 1;
    struct series_run *work = calloc(1, sizeof *work);
    bool done;

    *measurement = (struct measurement){ .meter = meter, .counting = counting, .marks = options->marks };
    measurement->baselines = calloc(2 * runs, sizeof *measurement->baselines);
    measurement->runs = calloc(runs, sizeof *measurement->runs);
    if (work)
        work->dropped = calloc(options->command_count, sizeof *work->dropped);
    if (!measurement->baselines || !measurement->runs || !work || !work->dropped) {
        error_errno(err, "no memory for %zu runs", options->schedule.count);
        if (work)
            free(work->dropped);
        free(work);
        return false;
    }
    for (size_t i = 0; i < options->command_count; i++)
        ends[i] = (struct command_end){ .exit_status = 0 };
    work->options = options;
    work->measurement = measurement;
    work->ends = ends;
    work->watcher.meter = meter;
    work->watcher.watch = watch;
    work->watcher.so_far = measurement;
    work->watcher.interval_ns = options->interval_ns;
    work->watcher.slice_ns = options->slice_ns;
    work->watcher.progress_ns = watch->progress_ns ? watch->progress_ns : PROGRESS_NS;
    work->watcher.busy.stat_fd = -1;
    work->watcher.ready_fd = options->ready_fd;
    open_strides(work);
    done = cpus_inherited(&work->inherited, err) && run_with_signals(work, err);
    free(work->dropped);
    free(work);
    return done;
}
