/* SPDX-License-Identifier: MIT
 * A server that runs during the steps of a pipeline: started, watched, ended. */
#include "commands/pipeline/companion.h"

#include "app/captured_output.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/pipeline/failure_policy.h"
#include "run/environment.h"
#include "run/exec_error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES_PER_MB 1e6
#define LOOK_NS 100000000L
#define STOP_PATIENCE_NS (5 * NS_PER_S_INT)
#define THIS_MACHINE "127.0.0.1"

struct target *companion_target(struct companion *companion)
{
    return companion->engine ? &companion->job.target : &companion->process;
}

static void rest(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
}

/* In a session of its own the terminal's signals do not reach it: the step ends first. */
static bool settle_child(const struct companion *companion, pid_t parent)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    setsid();
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(companion->log, STDOUT_FILENO) < 0 ||
        dup2(companion->log, STDERR_FILENO) < 0)
        return false;
    sigaction(SIGPIPE, &companion->signals->pipe, NULL);
    sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
    sigprocmask(SIG_SETMASK, &companion->signals->mask, NULL);
    if (companion->engine)
        return true; /* container_attend looks after that */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    return getppid() == parent;
}

/* In the child. failed: an errno goes there where it cannot be run. */
static _Noreturn void run_child(const struct companion *companion, const struct workload_command *command, pid_t parent,
                                int failed)
{
    int number;

    if (settle_child(companion, parent)) {
        if (companion->engine) {
            close(failed);
            _exit(command->work(command->context));
        }
        if (companion->environment)
            environ = (char **)companion->environment;
        execvp(companion->argv[0], companion->argv);
    }
    number = errno;
    IGNORED(write(failed, &number, sizeof number), "the parent has gone");
    _exit(STATUS_CANNOT_RUN);
}

static bool start_process(struct companion *companion, const struct workload_command *command, struct error *err)
{
    char *const *environment = companion->environment ? companion->environment : environ;
    const pid_t parent = getpid();
    int ends[2], number = 0;
    ssize_t got;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return error_errno(err, "cannot open a pipe");
    companion->pid = fork();
    if (companion->pid == 0)
        run_child(companion, command, parent, ends[1]);
    close(ends[1]);
    if (companion->pid < 0) {
        companion->pid = 0;
        close(ends[0]);
        return error_errno(err, "cannot start a process for '%.100s'", companion->name);
    }
    do
        got = read(ends[0], &number, sizeof number);
    while (got < 0 && errno == EINTR);
    close(ends[0]);
    if (got != sizeof number)
        return true;
    waitpid(companion->pid, NULL, 0);
    companion->pid = 0;
    (void)exec_error(companion->argv[0], environment_value(environment, "PATH"), number, err);
    return false;
}

bool companion_runs(struct companion *companion)
{
    /* one that ended while a step ran has been reaped with it */
    if (companion->pid && waitpid(companion->pid, NULL, WNOHANG) != 0)
        companion->pid = 0;
    return companion->pid != 0;
}

static void end_process(struct companion *companion)
{
    const uint64_t until_ns = clock_monotonic_ns() + STOP_PATIENCE_NS;
    bool reported = false;

    if (!companion_runs(companion))
        return;
    /* who attends a container passes the first on, and kills it at the second */
    kill(companion->engine ? companion->pid : -companion->pid, SIGTERM);
    while (companion_runs(companion)) {
        if (!reported && clock_monotonic_ns() >= until_ns) {
            kill(companion->engine ? companion->pid : -companion->pid, companion->engine ? SIGTERM : SIGKILL);
            reported = true;
        }
        rest();
    }
}

void companion_stop(struct companion *companion, struct notices *notices)
{
    struct usage usage;

    if (companion_target(companion)->kind) {
        target_read(companion_target(companion), &usage);
        if (usage.memory_peak_bytes.known)
            companion->memory_peak_mb =
                fmax(companion->memory_peak_mb, (double)usage.memory_peak_bytes.value / BYTES_PER_MB);
    }
    end_process(companion);
    container_job_end(&companion->job, notices);
    if (companion->process.kind)
        target_close(&companion->process);
    companion->process = (struct target){ .fd = -1 };
    companion->address[0] = '\0';
}

/* A container that shares this machine's network is at its own address, as a process is. */
static bool find_address(struct companion *companion, struct error *err)
{
    struct container now;

    if (!companion->engine || companion->job.plan.network) {
        text_copy(companion->address, sizeof companion->address, THIS_MACHINE);
        return true;
    }
    if (!container_inspect(companion->engine, companion->job.id, &now, err))
        return false;
    if (!now.running || *now.address) {
        text_copy(companion->address, sizeof companion->address, now.address);
        return true;
    }
    error_set(err, ERROR_USAGE, "the server '%.80s' has no address that a step could reach", companion->name);
    error_why(err, "%s gave it no network", engine_name(companion->engine->kind));
    return error_fix(err, "--network host: servers and steps share this machine's network");
}

static bool fail_ended(const struct companion *companion, struct error *err)
{
    print_captured_output(companion->log, companion->name, *companion->log_path ? companion->log_path : NULL);
    error_set(err, ERROR_SYSTEM, "the server '%.80s' ended before it was ready", companion->name);
    error_why(err, "its output is above");
    return error_fix(err, "look at its models and its image; --metrics-dir keeps all that it says");
}

static bool fail_late(const struct companion *companion, const char *missing, double patience_s, struct error *err)
{
    print_captured_output(companion->log, companion->name, *companion->log_path ? companion->log_path : NULL);
    error_set(err, ERROR_SYSTEM, "the server '%.80s' was not ready within %.0f s", companion->name, patience_s);
    error_why(err, "%s", missing);
    return error_fix(err, "--server-timeout %.0fs gives it more time", 2 * patience_s);
}

static bool wait_until_ready(struct companion *companion, double patience_s, bool progress, struct error *err)
{
    const uint64_t begun_ns = clock_monotonic_ns(), until_ns = begun_ns + (uint64_t)(patience_s * NS_PER_S);
    char missing[160] = "its container has not started";

    for (;; rest()) {
        if (!companion_runs(companion))
            return fail_ended(companion, err);
        if (failure_policy_signal()) {
            error_set(err, ERROR_SYSTEM, "interrupted while the server '%.80s' got ready", companion->name);
            return false;
        }
        if (!*companion->address && !find_address(companion, err))
            return false;
        if (*companion->address && companion_is_ready(companion, missing, sizeof missing))
            return true;
        if (clock_monotonic_ns() >= until_ns)
            return fail_late(companion, missing, patience_s, err);
        if (progress)
            terminal_progress("waiting for %.60s, %.0f s: %.80s", companion->name,
                              floor(s_from_ns(clock_monotonic_ns() - begun_ns)), missing);
    }
}

static bool make(struct companion *companion, struct error *err)
{
    struct workload_command command = { .argv = NULL };

    if (companion->engine)
        return container_job_make(&companion->job, &command, err) && start_process(companion, &command, err);
    if (!start_process(companion, &command, err))
        return false;
    /* it may have ended already, which is reported then; one that cannot be followed has no figures */
    IGNORED(target_open_pid_since_start(&companion->process, companion->pid, NULL),
            "an ended process is reported later");
    return true;
}

bool companion_start(struct companion *companion, double patience_s, bool progress, struct notices *notices,
                     struct error *err)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    bool good = make(companion, err) && wait_until_ready(companion, patience_s, progress, err);

    if (progress)
        terminal_progress_done();
    companion->starts += good;
    companion->waited_s += good ? s_from_ns(clock_monotonic_ns() - begun_ns) : 0;
    if (!good)
        companion_stop(companion, notices);
    return good;
}

static void widen(struct step_figures *all, const struct step_figures *one, double weight, double before)
{
    if (isfinite(one->average) && weight > 0)
        all->average = isfinite(all->average) && before > 0
                           ? (all->average * before + one->average * weight) / (before + weight)
                           : one->average;
    all->maximum = fmax(all->maximum, one->maximum);
}

void companion_look(struct companion *companion, uint64_t now_ns, double max_cpu_percent)
{
    struct target *target = companion_target(companion);
    struct target_now now;

    if (!target->kind)
        return;
    target_poll(target, now_ns);
    target_now(target, &now);
    if (companion->looks == 0)
        step_samples_open(&companion->rows, NULL, max_cpu_percent);
    companion->last = (struct step_sample){
        .time_ns = now.time_ns,
        .cpu_s = now.cpu_ns.known ? (double)now.cpu_ns.value / NS_PER_S : NAN,
        .memory_mb = now.memory_bytes.known ? (double)now.memory_bytes.value / BYTES_PER_MB : NAN,
        .working_set_mb = NAN,
        .energy_j = NAN,
        .cpu_stall_s = NAN,
    };
    if (companion->looks++ == 0)
        companion->first = companion->last;
    step_samples_add(&companion->rows, &companion->last);
}

double companion_window_end(struct companion *companion)
{
    const struct step_sample *first = &companion->first, *last = &companion->last;
    const double lasted_s = s_from_ns(last->time_ns - first->time_ns);
    const double cpu_s = companion->looks > 1 ? last->cpu_s - first->cpu_s : NAN;
    struct error ignored;

    if (companion->looks > 1) {
        IGNORED(step_samples_end(&companion->rows, last, NAN, &ignored), "without the last look");
        widen(&companion->cpu_percent_of_core, &companion->rows.figures[STEP_CPU_PERCENT], lasted_s,
              companion->watched_s);
        widen(&companion->memory_mb, &companion->rows.figures[STEP_MEMORY_MB], lasted_s, companion->watched_s);
        companion->min_cpu_percent = fmax(companion->min_cpu_percent, companion->rows.min_cpu_percent);
        companion->watched_s += lasted_s;
        companion->cpu_s += cpu_s;
    }
    companion->looks = 0;
    return cpu_s;
}
