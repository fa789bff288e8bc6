/* SPDX-License-Identifier: MIT
 * What a job's time was bound by, from what is known of its use of the machine. Pure. */
#ifndef MEASUREMENT_BOUND_H
#define MEASUREMENT_BOUND_H

#include "usage/usage.h"

enum bound {
    BOUND_UNKNOWN, /* too short, or it computed and nobody saw whether it waited for memory */
    BOUND_IDLE,    /* it waited for something that is neither a CPU, nor memory, nor a block device */
    BOUND_CPU,
    BOUND_MEMORY,
    BOUND_IO,
    BOUND_MIXED, /* no one of them for most of the time */
};

/* "unknown", "idle", "cpu", "memory", "io", "mixed". */
const char *bound_name(enum bound bound);

struct bound_verdict {
    enum bound bound;
    char why[160]; /* the evidence, in figures */
};

/* cpus: how many the job may use. */
struct bound_verdict bound_of(const struct usage *usage, uint64_t duration_ns, int cpus);

#endif
