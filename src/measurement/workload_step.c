/* SPDX-License-Identifier: MIT
 * One run of a series: a job is held at its gate until the opening sample is taken. */
#include "measurement/workload_step.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/units.h"
#include "run/capture.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define END_PATIENCE_NS (2 * NS_PER_S_INT)

/* Half a second is 500 updates of a counter of 1 ms, of which each end of a baseline may miss one. */
#define BASELINE_SHORTEST_NS (NS_PER_S_INT / 2)

/* A run's idle energy is off by the baseline's power × the run's time: of a run of a hundredth of it a baseline of
 * seconds is no better than one of twice the run, which its own scatter, run by run, is part of the interval. */
uint64_t series_baseline_ns(const struct series_run *work)
{
    const struct workload_options *options = work->options;
    const struct measurement *measurement = work->measurement;
    uint64_t longest_ns = 0, fitting_ns;

    if (!options->baseline_fits || (!measurement->run_count && !options->schedule.steps[0].warmup))
        return options->baseline_ns;
    for (size_t i = 0; i < measurement->run_count; i++)
        if (measurement->runs[i].window.duration_ns > longest_ns)
            longest_ns = measurement->runs[i].window.duration_ns;
    fitting_ns = 2 * longest_ns > BASELINE_SHORTEST_NS ? 2 * longest_ns : BASELINE_SHORTEST_NS;
    return clock_earlier_ns(fitting_ns, options->baseline_ns);
}

/* Runs that will not be done any more are still counted: what is left may be less. */
static uint64_t left_ns(const struct series_run *work, size_t step)
{
    const struct workload_options *options = work->options;
    const uint64_t done = work->measurement->run_count, left = options->schedule.count - step;
    const uint64_t run_ns = done ? work->runs_ns / done : 0;
    const uint64_t baseline_ns = options->baseline_same ? run_ns : series_baseline_ns(work);

    return done ? left * (run_ns + baseline_ns + options->cooldown_ns) : 0;
}

/* What somebody else starts may run anywhere. */
void series_choose_mask(struct series_run *work, size_t step)
{
    const struct workload_command *command = &work->options->commands[work->options->schedule.steps[step].command];
    const struct meter *meter = work->watcher.meter;
    struct cpu_mask mask = { command->cpus, command->cpus_size };

    if (!mask.set && meter->root->live && !command->target && !command->work)
        mask = (struct cpu_mask){ &work->inherited.set, CPUS_SIZE };
    busy_choose(&work->watcher.busy, meter->machine, mask);
}

void series_enter_phase(struct series_run *work, enum workload_phase phase, size_t step, uint64_t lasts_ns)
{
    const struct step *next = &work->options->schedule.steps[step < work->options->schedule.count ? step : step - 1];

    work->watcher.place = (struct workload_place){
        .phase = phase,
        .command = next->command,
        .number = next->number,
        .step = step,
        .since_ns = clock_monotonic_ns(),
        .lasts_ns = lasts_ns,
        .left_ns = left_ns(work, step),
    };
    work->watcher.begun_written = false;
    series_choose_mask(work, step < work->options->schedule.count ? step : step - 1);
}

/* Without memory for them a run has none. */
static void keep_phases(struct series_run *work, struct run *run)
{
    struct phases *phases;

    phase_book_used(&work->book, &run->usage.cpu_ns);
    phases = phase_book_copy(&work->book);
    if (!phases)
        return;
    phases->next = work->measurement->phases;
    work->measurement->phases = phases;
    run->phases = phases;
}

static void keep_slices(struct series_run *work, struct run *run)
{
    if (!run->slices)
        return;
    run->slices->next = work->measurement->slices;
    work->measurement->slices = run->slices;
}

/* A group has orphans, too; without one they are those that carbon adopts. */
static bool is_from_rusage(const struct usage_value *cpu_ns)
{
    return cpu_ns->known && strcmp(cpu_ns->from, "rusage") == 0;
}

static void finish_run(struct series_run *work, struct run *run, struct usage_meter *usage)
{
    struct command_end *end = &work->ends[run->command];

    run->usage = (struct usage){ .cpu_ns = { .known = false } }; /* its CPU time so far is not that of the whole run */
    usage_read(usage, &run->end.rusage, &run->usage);
    run->orphans = usage_alive(usage, run->orphan_names, sizeof run->orphan_names);
    run->orphans_unseen = work->signals.adopt_error && is_from_rusage(&run->usage.cpu_ns);
    run->ended = true;
    work->runs_ns += run->window.duration_ns;
    if (run->end.exit_status != 0 && work->options->failure != FAILURE_IGNORED &&
        !work->options->commands[run->command].may_fail) {
        run->left_out = end->ran && !run->warmup && work->watcher.place.number > 1;
        end->failed = work->options->schedule.count > 1;
        end->failed_number = work->watcher.place.number;
    }
    end->exit_status = run->end.exit_status;
    end->ran = true;
}

/* How a job is ended that takes too long: asked, told, and whatever is left of it ended. What carbon does itself in a
 * process of its own (work) is asked twice, for that means more to it. */
static void end_job(const struct job *job, unsigned times)
{
    const int number = times > 1 || (times == 1 && !job->work) ? SIGKILL : SIGTERM;
    size_t count;
    AUTO_FREE pid_t *family = process_whole_family(job->pid, &count);

    for (size_t i = 0; i < count; i++)
        kill(family[i], number);
    if (!family)
        kill(job->pid, number);
}

/* Takes what it has printed. True: it is more than it may print. */
static bool prints_too_much(struct capture *capture)
{
    if (!capture)
        return false;
    capture_take(capture);
    return capture->streams[CAPTURE_OUT].over;
}

/* True: it took longer than it may, and was ended. */
static bool wait_for_end(struct watcher *watcher, struct job *job, const struct workload_command *command)
{
    uint64_t until_ns = command->limit_ns ? watcher->start.time_ns + command->limit_ns : UINT64_MAX;
    bool interrupted = false, late = false, over = false;
    unsigned times = 0;

    watcher->stop = command->stop;
    while (watcher_wait(watcher, job, until_ns) != JOB_ENDED) {
        /* what a process of carbon's own looks after need not heed a signal, as a shell that is the first process of
         * its container does not */
        if (job->work && watcher->signals->interrupted && !interrupted) {
            interrupted = true;
            until_ns = clock_earlier_ns(until_ns, clock_monotonic_ns() + END_PATIENCE_NS);
        }
        if ((prints_too_much(command->capture) || (command->stop && *command->stop)) && !over) {
            over = true;
            watcher->stop = NULL;
            until_ns = 0;
        }
        if (clock_monotonic_ns() < until_ns)
            continue;
        late |= !interrupted && !over;
        end_job(job, times++);
        until_ns = clock_monotonic_ns() + END_PATIENCE_NS;
    }
    watcher->stop = NULL;
    return late;
}

/* False: the command could not be started, or carbon failed; err says why. */
static bool do_run(struct series_run *work, const struct step *step, struct usage_meter *usage, struct job *job,
                   struct error *err)
{
    struct watcher *watcher = &work->watcher;
    struct run *run = &work->measurement->runs[work->measurement->run_count];
    struct command_end *end = &work->ends[step->command];
    struct target *target = work->options->commands[step->command].target;
    struct usage before;
    uint64_t exec_ns;

    *run = (struct run){ .command = step->command, .warmup = step->warmup };
    watcher->used_before_ns = 0;
    if (target) {
        watcher->target = target;
        target_read(target, &before);
        watcher->used_before_ns = before.cpu_ns.value;
    }
    watcher->slices = step->warmup ? NULL : &run->slices;
    watcher->run = run;
    watcher->owner = (struct gpu_owner){ .target = target,
                                         .unseen = !target && work->options->commands[step->command].work,
                                         .concurrent = work->options->commands[step->command].concurrent };
    watcher_open(watcher, &run->window);
    if (!job_release(job, &exec_ns, &end->exit_status, err)) {
        watcher->slices = NULL;
        watcher->run = NULL;
        watcher->target = NULL;
        end->cannot_run = true;
        return false;
    }
    watcher_tell_begun(watcher);
    run->start_gap_ns = exec_ns - (watcher->start.time_ns + watcher->start.span_ns / 2);
    work->measurement->run_count++;
    run->timed_out = wait_for_end(watcher, job, &work->options->commands[step->command]);
    watcher_close(watcher);
    if (work->options->commands[step->command].capture)
        capture_finish(work->options->commands[step->command].capture);
    watcher->slices = NULL;
    keep_slices(work, run);
    if (!job_reap(job, &run->end, err))
        return false;
    run->end_gap_ns = watcher->last.time_ns - run->end.end_ns + watcher->unseen_ns;
    finish_run(work, run, usage);
    if (target)
        attach_usage(target, &before, run);
    watcher->target = NULL;
    if (watcher->marks)
        keep_phases(work, run);
    watcher_tell_progress(watcher);
    return true;
}

/* A run without a command: the target alone. */
static void watch_target(struct series_run *work, const struct step *step)
{
    const struct workload_command *command = &work->options->commands[step->command];
    struct run *run = &work->measurement->runs[work->measurement->run_count++];

    *run = (struct run){ .command = step->command };
    work->watcher.slices = &run->slices;
    attach_run(&work->watcher, command->target, command->for_ns, run);
    work->watcher.slices = NULL;
    keep_slices(work, run);
    work->ends[step->command].ran = true;
    if (work->signals.interrupted && command->for_ns)
        work->ends[step->command].exit_status = 128 + work->signals.interrupted;
    watcher_tell_progress(&work->watcher);
}

/* The job's own descriptors for its marks, where they are wanted. */
static bool open_marks(struct series_run *work, struct job_options *options, struct error *err)
{
    struct marks *marks = &work->marks;

    if (!work->options->marks)
        return true;
    if (!marks_open(marks, work->options->marks, options->environment, err))
        return false;
    if (marks->environment)
        options->environment = marks->environment;
    options->given = marks->given;
    options->given_count = marks->given_count;
    options->watched = marks->watched;
    options->watched_count = MARKS_WATCHED;
    work->watcher.marks = marks;
    work->watcher.book = &work->book;
    return true;
}

/* A job that is looked at while it runs, where no other target is: itself. Its marks need that where it has no group,
 * and its strides, as soon as there is one.
 */
static void look_at(struct series_run *work, const struct job *job, struct target *own)
{
    struct watcher *watcher = &work->watcher;
    struct usage_value used;
    const bool wanted = watcher->watch->looks || (watcher->marks && !usage_cpu_so_far(watcher->usage, &used));

    if (wanted && target_open_pid(own, job->pid, NULL))
        watcher->target = own;
    watcher->unfollowed = wanted ? NULL : own;
    watcher->unfollowed_pid = job->pid;
}

/* The outputs of a job that has no marks. */
static void send_output(const struct workload_command *command, struct job_options *options,
                        struct job_descriptor given[2])
{
    if (options->given_count)
        return;
    if (command->output_fd)
        given[options->given_count++] = (struct job_descriptor){ .fd = command->output_fd, .number = STDOUT_FILENO };
    if (command->error_fd)
        given[options->given_count++] = (struct job_descriptor){ .fd = command->error_fd, .number = STDERR_FILENO };
    options->given = options->given_count ? given : NULL;
}

static bool open_capture(const struct workload_command *command, struct job_options *options, struct error *err)
{
    struct capture *capture = command->capture;

    if (!capture || options->given_count)
        return true;
    if (!capture_open(capture, err))
        return false;
    options->given = capture->given;
    options->given_count = capture->given_count;
    options->watched = capture->watched;
    options->watched_count = CAPTURE_STREAMS;
    return true;
}

static void close_marks(struct series_run *work)
{
    if (work->watcher.marks)
        marks_close(work->watcher.marks);
    work->watcher.marks = NULL;
}

static bool tell_held(const struct series_run *work, const struct job *job, struct error *err)
{
    const struct workload_watch *watch = work->watcher.watch;

    return !watch->on_held || watch->on_held(watch->context, job->pid, err);
}

bool series_run_step(struct series_run *work, size_t number, struct error *err)
{
    const struct step *step = &work->options->schedule.steps[number];
    const struct workload_command *command = &work->options->commands[step->command];
    struct usage_meter usage;
    struct target own = { .fd = -1 };
    struct job_descriptor output[2];
    struct job job = { .pid = 0, .gate = -1, .failed = -1 };
    struct job_options options = {
        .argv = command->argv,
        .work = command->work,
        .context = command->context,
        .folder = command->folder,
        .environment = command->environment ? command->environment : work->options->environment,
        .cpus = command->cpus,
        .cpus_size = command->cpus_size,
    };
    bool done;

    series_enter_phase(work, step->warmup ? PHASE_WARMUP : PHASE_RUN, number, 0);
    if (!command->argv[0]) {
        watch_target(work, step);
        return true;
    }
    if (command->work)
        usage = (struct usage_meter){ .cgroup_fd = -1 };
    else
        usage_open(&usage, work->watcher.meter->root);
    options.cgroup_fd = usage.cgroup_fd;
    done = open_marks(work, &options, err);
    done = done && open_capture(command, &options, err);
    send_output(command, &options, output);
    done = done && job_start(&job, &work->signals, &options, err);
    if (work->watcher.marks)
        marks_started(work->watcher.marks);
    if (command->capture)
        capture_started(command->capture);
    if (done) {
        usage_started(&usage, job.pid);
        work->watcher.usage = &usage;
        if (!command->target)
            look_at(work, &job, &own);
        done = tell_held(work, &job, err) && do_run(work, step, &usage, &job, err);
        work->watcher.usage = NULL;
        work->watcher.unfollowed = NULL;
    }
    if (!done)
        job_abandon(&job);
    if (command->capture)
        capture_close(command->capture);
    close_marks(work);
    target_close(&own);
    usage_close(&usage);
    return done;
}
