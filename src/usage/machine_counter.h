/* SPDX-License-Identifier: MIT
 * The processor's events of all processes: one perf event on each CPU. A virtual machine often has none of them, and
 * the kernel shows them to root, or to users whom perf_event_paranoid allows. Used by measurement/watcher.h. Begin with
 * machine_counter_open(). */
#ifndef USAGE_MACHINE_COUNTER_H
#define USAGE_MACHINE_COUNTER_H

#include "usage/hardware_events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More CPUs would take more descriptors than a process may have open. */
enum { MACHINE_COUNTER_CPUS = 128 };

struct machine_counter {
    int fds[HARDWARE_EVENTS][MACHINE_COUNTER_CPUS];
    size_t cpus; /* 0: it is not open */
};

/* Counts on all CPUs that are online what the lists name, from now on. False: not here, or not for this user. */
bool machine_counter_open(struct machine_counter *counter, const char *const *const *events);

/* So far, by enum hardware_event. False: not known. */
bool machine_counter_read(const struct machine_counter *counter, uint64_t values[HARDWARE_EVENTS]);

void machine_counter_close(struct machine_counter *counter);

#endif
