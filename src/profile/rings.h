/* SPDX-License-Identifier: MIT
 * The stacks of a job, sampled by the kernel: an event on each CPU that follows a process and all that it starts, each
 * with a ring of its own and of one size. Used by sampler.h. Begin with rings_open(). */
#ifndef PROFILE_RINGS_H
#define PROFILE_RINGS_H

#include "base/error.h"
#include "profile/perf_record.h"

enum { BYTES_PER_KIB = 1024, RING_KIB_MIN = 4, RING_KIB_MAX = 65536 };

struct rings_options {
    const pid_t *pids; /* with all their threads */
    size_t pid_count;
    bool running; /* they run already, and sampling begins with rings_begin; else with their next execve */
    double frequency_hz;
    size_t ring_kib;    /* KiB per CPU; a power of two */
    size_t stack_bytes; /* of each stack that are copied, for DWARF; 0: none, frame pointers lead up it */
    bool cycles;        /* of the processor, by libpfm4's name; else the time of the CPU (cpu-clock) */
};

struct ring;

struct rings {
    struct ring *items;
    size_t count;
    bool without_kernel; /* this user may not look into it */
};

/* False: the kernel refuses; err has the reason and the remedy. */
bool rings_open(struct rings *rings, const struct rings_options *options, struct error *err) MUST_CHECK;
void rings_close(struct rings *rings);

void rings_begin(struct rings *rings);

/* Calls for the records until then (CLOCK_MONOTONIC; UINT64_MAX: all), of all CPUs in the order of time. */
void rings_take(struct rings *rings, uint64_t until_ns, void (*each)(void *context, const struct perf_record *record),
                void *context);

/* Records lost without room; 0 if the kernel does not count them (before 6.0): then only the rings report them. */
uint64_t rings_lost(const struct rings *rings);

#endif
