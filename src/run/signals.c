/* SPDX-License-Identifier: MIT
 * Signals: taken from a descriptor, recorded, and passed on to the job where it has not got them. */
#include "run/signals.h"

#include "base/process.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const int taken[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

static bool is_ignored(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void close_descriptors(const struct job_signals *signals)
{
    close(signals->fd);
    if (signals->timer_fd >= 0)
        close(signals->timer_fd);
}

bool job_signals_open(struct job_signals *signals, struct error *err)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN }, standard = { .sa_handler = SIG_DFL };
    sigset_t set;

    *signals = (struct job_signals){ .fd = -1, .timer_fd = -1 };
    sigprocmask(SIG_SETMASK, NULL, &signals->original);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (!is_ignored(taken[i]) && !sigismember(&signals->original, taken[i]))
            sigaddset(&set, taken[i]);
    signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd < 0)
        return error_errno(err, "cannot install signal handlers");
    signals->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (signals->timer_fd < 0) {
        error_errno(err, "cannot make a timer");
        close_descriptors(signals);
        return false;
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
        signals->adopt_error = errno;
    sigaction(SIGPIPE, &ignored, &signals->original_pipe);
    sigaction(SIGCHLD, &standard, &signals->original_child);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signals->opened = true;
    return true;
}

void job_signals_close(struct job_signals *signals)
{
    if (!signals->opened)
        return;
    /* one that still waits would end carbon as soon as it is let in */
    signals_take(signals, 0);
    close_descriptors(signals);
    sigprocmask(SIG_SETMASK, &signals->original, NULL);
    sigaction(SIGPIPE, &signals->original_pipe, NULL);
    sigaction(SIGCHLD, &signals->original_child, NULL);
    signals->opened = false;
}

/* Whatever descends from this process is the job's. */
static bool is_of_the_job(pid_t pid)
{
    const pid_t self = getpid();
    struct process process;

    if (pid == self)
        return false;
    for (; pid > 1 && process_read(pid, &process); pid = process.parent)
        if (process.parent == self)
            return true;
    return false;
}

static bool must_be_passed_on(const struct signalfd_siginfo *info, pid_t job)
{
    if (info->ssi_code <= 0) /* from a process: SI_USER, SI_QUEUE, SI_TKILL */
        return !is_of_the_job((pid_t)info->ssi_pid);
    if (info->ssi_signo == SIGHUP && getsid(0) == getpid())
        return true;
    return getpgid(job) != getpgrp();
}

bool signals_take(struct job_signals *signals, pid_t job)
{
    struct signalfd_siginfo info;
    bool interrupted = false;

    while (read(signals->fd, &info, sizeof info) == sizeof info) {
        const int number = (int)info.ssi_signo;
        if (number == SIGCHLD)
            continue;
        if (job && must_be_passed_on(&info, job))
            kill(job, number);
        if (number == SIGUSR1 || number == SIGUSR2)
            continue;
        interrupted = true;
        if (!signals->interrupted)
            signals->interrupted = number;
    }
    return interrupted;
}
