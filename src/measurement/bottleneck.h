/* SPDX-License-Identifier: MIT
 * The bottleneck of a job, from its use of the machine. Pure. Used by result/report.h. Begin
 * with bottleneck_of(). */
#ifndef MEASUREMENT_BOTTLENECK_H
#define MEASUREMENT_BOTTLENECK_H

#include "usage/usage.h"

enum bottleneck {
    BOTTLENECK_UNKNOWN, /* too short, or it computed and its waits for memory are unknown */
    BOTTLENECK_IDLE,    /* it waited for something that is neither a CPU, nor memory, nor a block device */
    BOTTLENECK_CPU,
    BOTTLENECK_MEMORY,
    BOTTLENECK_IO,
    BOTTLENECK_MIXED, /* no one of them for most of the time */
};

/* "unknown", "idle", "cpu", "memory", "io", "mixed". */
const char *bottleneck_name(enum bottleneck bound);

struct bottleneck_verdict {
    enum bottleneck bound;
    char why[160]; /* the evidence, in figures */
};

/* cpus: how many the job may use. */
struct bottleneck_verdict bottleneck_of(const struct usage *usage, uint64_t duration_ns, int cpus);

#endif
