/* SPDX-License-Identifier: MIT
 * One perf event on one CPU, through the kernel. Used by perf.c. Begin with perf_event_read(). */
#ifndef ENERGY_PERF_EVENT_H
#define ENERGY_PERF_EVENT_H

#include "base/error.h"
#include "energy/perf_count.h"

struct perf_event {
    int fd; /* -1: not open */
    int cpu;
    uint32_t type;
    uint64_t config;
    struct perf_count count;
    uint64_t enabled_ns, seen_ns; /* the kernel's clock of the event, and when it last moved */
};

/* Opens it, as type, config and cpu say, and takes its first value. Returns 0 or an errno. */
int perf_event_start(struct perf_event *event) MUST_CHECK;

/* Adds what it has counted since to its energy. Returns 0 or an errno; ENODEV: nothing counts any more. */
int perf_event_read(struct perf_event *event) MUST_CHECK;

/* In the place of one that counts no more, a new one on this CPU; its energy goes on from where it was.
 * False: it cannot be had, and all stays as it is. */
bool perf_event_restart(struct perf_event *event, int cpu) MUST_CHECK;

void perf_event_stop(struct perf_event *event);

#endif
