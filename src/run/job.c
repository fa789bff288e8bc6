/* SPDX-License-Identifier: MIT
 * A command that is held at a gate, released, awaited and reaped. */
#include "run/job.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/process.h"
#include "base/units.h"
#include "run/environment.h"
#include "run/exec_error.h"
#include "run/job_parts.h"
#include "run/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define ABANDON_PATIENCE_NS (2 * NS_PER_S_INT)

/* False: the other end was closed without a word. */
static bool hear(int fd, int *number)
{
    ssize_t got;

    do
        got = read(fd, number, sizeof *number);
    while (got < 0 && errno == EINTR);
    return got == sizeof *number;
}

static bool pipe_open(int *from, int *to, struct error *err)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return error_errno(err, "cannot open a pipe");
    *from = ends[0];
    *to = ends[1];
    return true;
}

static void close_ends(struct job *job)
{
    if (job->gate >= 0)
        close(job->gate);
    if (job->failed >= 0)
        close(job->failed);
    job->gate = job->failed = -1;
}

static void has_ended(struct job *job)
{
    job->pid = 0;
    free(job->others);
    job->others = NULL;
    job->other_count = 0;
}

bool job_start(struct job *job, struct job_signals *signals, const struct job_options *options, struct error *err)
{
    AUTO_CLOSE int gate = -1;
    AUTO_CLOSE int failed = -1;
    bool inside;
    int ready;

    *job = (struct job){
        .gate = -1,
        .failed = -1,
        .signals = signals,
        .argv = options->argv,
        .work = options->work,
        .context = options->context,
        .environment = options->environment ? options->environment : environ,
        .watched = options->watched,
        .watched_count = options->watched_count,
    };
    if (!pipe_open(&gate, &job->gate, err))
        return false;
    if (!pipe_open(&job->failed, &failed, err)) {
        close_ends(job);
        return false;
    }
    job->others = process_all_children(&job->other_count);
    job->pid = job_fork(job, options, (struct child_ends){ .gate = gate, .failed = failed }, &inside);
    if (job->pid < 0) {
        const int number = errno;
        has_ended(job);
        close_ends(job);
        errno = number;
        return error_errno(err, "cannot start a process for '%s'", options->argv[0]);
    }
    if (options->cpus && sched_setaffinity(job->pid, options->cpus_size, options->cpus) < 0) {
        error_errno(err, "cannot run '%s' on the CPUs asked for", options->argv[0]);
        job_abandon(job);
        return false;
    }
    close(failed);
    failed = -1;
    if (!hear(job->failed, &ready)) {
        job_abandon(job);
        error_set(err, ERROR_SYSTEM, "cannot run '%s'", options->argv[0]);
        return error_why(err, "its process was ended while carbon got ready");
    }
    DEBUG(DEBUG_RUN, "process %d is held for '%s'%s", (int)job->pid, options->argv[0],
          inside                    ? ", in a cgroup of its own"
          : options->cgroup_fd >= 0 ? ", moved into a cgroup of its own"
                                    : "");
    return true;
}

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* Waits without fail for a child that is known to be there. */
static int wait_for(pid_t pid, struct rusage *rusage)
{
    int status = 0;

    while (wait4(pid, &status, 0, rusage) < 0 && errno == EINTR)
        continue;
    return status;
}

bool job_release(struct job *job, uint64_t *exec_ns, int *exit_status, struct error *err)
{
    const bool opened = write(job->gate, "", 1) == 1; /* else nobody waits there any more */
    int number = 0, status;
    bool refused;

    if (!opened) { /* whoever waits there all the same is not to wait for good */
        close(job->gate);
        job->gate = -1;
    }
    refused = hear(job->failed, &number);
    *exec_ns = clock_monotonic_ns();
    close_ends(job);
    if (opened && !refused) {
        DEBUG(DEBUG_RUN, "process %d runs '%s'", (int)job->pid, job->argv[0]);
        return true;
    }
    status = wait_for(job->pid, NULL);
    has_ended(job);
    if (refused) {
        *exit_status = exec_error(job->argv[0], environment_value(job->environment, "PATH"), number, err);
        return false;
    }
    signals_take(job->signals, 0);
    *exit_status = status_of(status);
    error_set(err, ERROR_SYSTEM, "cannot run '%s'", job->argv[0]);
    return error_why(err, "its process was ended (status %d) before the command began", *exit_status);
}

static void timeval_add(struct timeval *sum, const struct timeval *more)
{
    sum->tv_sec += more->tv_sec + (sum->tv_usec + more->tv_usec) / US_PER_S;
    sum->tv_usec = (sum->tv_usec + more->tv_usec) % US_PER_S;
}

static void rusage_add(struct rusage *sum, const struct rusage *more)
{
    timeval_add(&sum->ru_utime, &more->ru_utime);
    timeval_add(&sum->ru_stime, &more->ru_stime);
    if (sum->ru_maxrss < more->ru_maxrss)
        sum->ru_maxrss = more->ru_maxrss;
    sum->ru_minflt += more->ru_minflt;
    sum->ru_majflt += more->ru_majflt;
    sum->ru_inblock += more->ru_inblock;
    sum->ru_oublock += more->ru_oublock;
    sum->ru_nvcsw += more->ru_nvcsw;
    sum->ru_nivcsw += more->ru_nivcsw;
}

/* True once for each of the children from before the job; its number may then come again. */
static bool take_from_others(struct job *job, pid_t pid)
{
    for (size_t i = 0; i < job->other_count; i++)
        if (job->others[i] == pid) {
            job->others[i] = job->others[--job->other_count];
            return true;
        }
    return false;
}

/* Reaps what has ended, all but the command itself. True: the command has ended. SIGCHLD may stand
 * for many ends at once; the kernel lists children oldest first, so the command comes before its
 * orphans. */
static bool reap_orphans(struct job *job)
{
    siginfo_t info = { .si_pid = 0 };
    struct rusage rusage;

    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
        if (info.si_pid == job->pid)
            return true;
        if (wait4(info.si_pid, NULL, WNOHANG, &rusage) > 0 && !take_from_others(job, info.si_pid))
            rusage_add(&job->orphans, &rusage);
        info.si_pid = 0;
    }
    return false;
}

/* A timer, since poll's own limit may be late by 0.1 % of it (fs/select.c, __estimate_accuracy). */
static void set_timer(int timer_fd, uint64_t until_ns)
{
    const struct itimerspec at = {
        /* all zeroes would switch it off */
        .it_value = { .tv_sec = (time_t)(until_ns / NS_PER_S_INT),
                      .tv_nsec = (long)(until_ns % NS_PER_S_INT + !until_ns) },
    };

    timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

/* Signals first: of what a job writes before its end, all is there when the end is seen. True: one of the watched is
 * ready. */
static bool poll_all(const struct job *job, struct pollfd own[2])
{
    struct pollfd all[2 + JOB_MAX_WATCHED] = { own[0], own[1] };
    bool ready = false;

    for (size_t i = 0; i < job->watched_count; i++)
        all[2 + i] = job->watched[i];
    while (poll(all, 2 + job->watched_count, -1) < 0)
        continue;
    own[0] = all[0];
    own[1] = all[1];
    for (size_t i = 0; i < job->watched_count; i++) {
        job->watched[i].revents = all[2 + i].revents;
        ready |= all[2 + i].revents != 0;
    }
    return ready;
}

enum job_event job_wait(struct job *job, uint64_t until_ns)
{
    enum { SIGNAL, TIMER };
    struct pollfd events[] = {
        [SIGNAL] = { .fd = job->signals->fd, .events = POLLIN },
        [TIMER] = { .fd = job->signals->timer_fd, .events = POLLIN },
    };

    if (job->pid && job->end_ns)
        return JOB_ENDED;
    set_timer(job->signals->timer_fd, until_ns);
    for (;;) {
        const bool ready = poll_all(job, events);
        bool interrupted = false;

        if (events[SIGNAL].revents) {
            interrupted = signals_take(job->signals, job->pid);
            if (reap_orphans(job)) {
                job->end_ns = clock_monotonic_ns();
                return ready ? JOB_READY : JOB_ENDED;
            }
        }
        if (interrupted)
            return JOB_INTERRUPTED;
        if (ready)
            return JOB_READY;
        if (events[TIMER].revents)
            return JOB_DEADLINE;
    }
}

bool job_reap(struct job *job, struct job_end *end, struct error *err)
{
    int status;

    *end = (struct job_end){ .end_ns = job->end_ns };
    while (wait4(job->pid, &status, 0, &end->rusage) < 0)
        if (errno != EINTR)
            return error_errno(err, "cannot learn how '%s' ended", job->argv[0]);
    job->pid = 0;
    reap_orphans(job);
    has_ended(job);
    rusage_add(&end->rusage, &job->orphans);
    end->exit_status = status_of(status);
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->core_dumped = WIFSIGNALED(status) && WCOREDUMP(status);
    return true;
}

void job_abandon(struct job *job)
{
    const uint64_t until_ns = clock_monotonic_ns() + ABANDON_PATIENCE_NS;
    enum job_event event;

    if (!job->pid)
        return;
    job->watched_count = 0;
    if (job->gate < 0) {
        kill(job->pid, SIGTERM);
        kill(job->pid, SIGCONT); /* a stopped process would not see it */
    }
    close_ends(job);
    while ((event = job_wait(job, until_ns)) == JOB_INTERRUPTED)
        continue;
    if (event == JOB_DEADLINE)
        kill(job->pid, SIGKILL);
    wait_for(job->pid, NULL);
    has_ended(job);
}

void job_given_close(struct job_descriptor *given, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        close(given[i].fd);
    *count = 0;
}
