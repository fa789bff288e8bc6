/* SPDX-License-Identifier: MIT
 * CPU time from the lines of /proc/stat. Used in energy, lib, measurement, meter, own, target and usage. Begin
 * with ticks_of_line(). */
#ifndef BASE_CPU_TICKS_H
#define BASE_CPU_TICKS_H

#include <stdint.h>

/* CPU time since the machine started, in ticks. busy: user (guests of this machine are inside it),
 * nice, system, irq and softirq. all: that, idle, iowait and steal. In stolen time, another guest
 * else's work ran in it. */
struct ticks {
    uint64_t busy, all;
};

/* One line, "cpu ..." (*cpu is -1: all together) or "cpu3 ...". Gives the start of the next line, or
 * NULL if this is not such a line, or is truncated. */
const char *ticks_of_line(const char *line, int *cpu, struct ticks *ticks);

/* The length of a tick. */
uint64_t tick_ns(void);

/* How many a difference of CPU times may be off by. */
enum { COARSE_TICKS = 2 };

#endif
