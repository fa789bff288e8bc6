/* SPDX-License-Identifier: MIT
 * CLOCK_MONOTONIC as a test sets it, so that minutes take no time. */
#ifndef TESTS_SET_CLOCK_H
#define TESTS_SET_CLOCK_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double set_clock_s; /* 0: the machine's own */

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int status = (int)syscall(SYS_clock_gettime, clock, now);

    if (clock == CLOCK_MONOTONIC && set_clock_s > 0)
        *now = (struct timespec){ (time_t)set_clock_s, (long)((set_clock_s - (double)(time_t)set_clock_s) * 1e9) };
    return status;
}

#endif
