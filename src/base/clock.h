/* SPDX-License-Identifier: MIT
 * Time: monotonic for durations, boottime to see a suspend, realtime for labels alone. Used in most rooms of the
 * program. Begin with clock_monotonic_ns(). */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/units.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>

uint64_t clock_monotonic_ns(void);
uint64_t clock_asleep_ns(
    void); /* time that the machine has slept since its start, to 10 ms; monotonic time excludes it */
uint64_t clock_realtime_ns(void); /* since 1970, UTC */
uint64_t clock_cpu_ns(void);      /* CPU time of this process */

static inline uint64_t clock_earlier_ns(uint64_t a_ns, uint64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

static inline uint64_t clock_ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * NS_PER_S_INT + (uint64_t)time->tv_usec * 1000;
}

/* How long the machine slept while boottime and monotonic went on by this much; 0: it did not. */
uint64_t clock_slept_ns(uint64_t boottime_ns, uint64_t monotonic_ns);

/* The step by which the wall clock was set forward during this time; 0: none, or it is only being slewed (by
 * half a thousandth at most, as the kernel has it). */
int64_t clock_set_ns(uint64_t begun_realtime_ns, uint64_t now_realtime_ns, uint64_t elapsed_ns);

enum { CLOCK_TEXT_SIZE = 32 };

/* "2026-11-28T01:05:04.123Z" */
const char *clock_text(uint64_t realtime_ns, char out[CLOCK_TEXT_SIZE]);
/* The inverse; false: not a valid time. */
bool clock_of_text(const char *text, uint64_t *realtime_ns);

/* A time as services and people write it: "2026-01-20", "2026-01-20T12:00Z", "2026-01-20T13:00:00.000+01:00"; without a
 * zone it is UTC. Fractions of a second are ignored. False: not a valid time. */
bool clock_of_iso_text(const char *text, uint64_t *realtime_s);

/* "2026-01-20T12:00Z" */
const char *clock_minute_text(uint64_t realtime_s, char out[CLOCK_TEXT_SIZE]);

int clock_year(uint64_t realtime_ns);

#endif
