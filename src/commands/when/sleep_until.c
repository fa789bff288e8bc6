/* SPDX-License-Identifier: MIT
 * A timer of the wall clock, and the signals that end the waiting. */
#include "commands/when/sleep_until.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

enum { TICK_MS = 10000 };

/* Those that end it, into set; the mask as it was into before. */
static void block_signals(sigset_t *set, sigset_t *before)
{
    static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
    struct sigaction now;

    sigprocmask(SIG_SETMASK, NULL, before);
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!sigismember(before, numbers[i]) && sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, numbers[i]);
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* The kernel moves a timer of the wall clock along when that is set, or when the machine wakes up. */
static bool wait_for(uint64_t realtime_ns, int signal_fd, int timer_fd, void (*tick)(uint64_t left_ns), int *signal,
                     struct error *err)
{
    const struct itimerspec at = {
        .it_value = { .tv_sec = (time_t)(realtime_ns / NS_PER_S_INT), .tv_nsec = (long)(realtime_ns % NS_PER_S_INT) },
    };
    struct pollfd fds[] = { { .fd = signal_fd, .events = POLLIN }, { .fd = timer_fd, .events = POLLIN } };
    struct signalfd_siginfo info;

    if (signal_fd < 0 || timer_fd < 0 || timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL) < 0)
        return error_errno(err, "cannot wait for the start");
    do {
        const uint64_t now_ns = clock_realtime_ns();
        if (tick)
            tick(realtime_ns > now_ns ? realtime_ns - now_ns : 0);
        poll(fds, 2, tick ? TICK_MS : -1);
        if (read(signal_fd, &info, sizeof info) == sizeof info)
            *signal = (int)info.ssi_signo;
    } while (!*signal && !(fds[1].revents & POLLIN));
    return true;
}

bool sleep_until(uint64_t realtime_ns, void (*tick)(uint64_t left_ns), int *signal, struct error *err)
{
    AUTO_CLOSE int signal_fd = -1;
    AUTO_CLOSE int timer_fd = -1;
    sigset_t set, before;
    bool good;

    *signal = 0;
    block_signals(&set, &before);
    signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    timer_fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    good = wait_for(realtime_ns, signal_fd, timer_fd, tick, signal, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good;
}
