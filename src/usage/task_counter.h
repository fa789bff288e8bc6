/* SPDX-License-Identifier: MIT
 * One perf event that follows a process, its threads and all that they start. Used by hardware.c and machine_counter.c.
 * Begin with task_counter_open(). */
#ifndef USAGE_TASK_COUNTER_H
#define USAGE_TASK_COUNTER_H

#include "base/pfm_names.h"
#include "usage/usage.h"

/* The first of these events (libpfm4's names, ends with NULL) that is known here and that the kernel opens on the
 * process, counting from its next execve on; where only its own time may be watched (perf_event_paranoid 2), that of
 * the kernel is left out. A descriptor, or -1 with errno of the last refusal (ENOENT where no name is known). */
int task_counter_open(const struct pfm_names *names, const char *const *events, pid_t pid);

/* The same for all processes on one CPU, counting at once. ENODEV: it is not online. */
int cpu_counter_open(const struct pfm_names *names, const char *const *events, int cpu);

/* A count that ran for part of the time that it was enabled, brought up to all of it. False: it has never run, or the
 * result is beyond 64 bits. */
bool task_counter_scale(uint64_t count, uint64_t enabled_ns, uint64_t running_ns, uint64_t *value) MUST_CHECK;

/* Its count so far; the processor may have had too few counters for all of the time. False: not known. */
bool task_counter_read(int fd, uint64_t *value) MUST_CHECK;

#endif
