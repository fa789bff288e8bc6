/* SPDX-License-Identifier: MIT
 * The requests of a pipeline step, from its usage: the rule of NVIDIA's Clara Pipeline Operator Sizing Tool
 * (CPOST 0.8.1), cpu = ceil(max % / 100), memory = ceil((max MB + 100) / 256) * 256, with 1 MB = 10^6 bytes. Used by
 * commands/pipeline/pipeline_report.h, commands/pipeline/step_samples.c and commands/prometheus/resources.h. Begin with
 * size_request(). */
#ifndef USAGE_SIZING_H
#define USAGE_SIZING_H

#include <stdint.h>

/* 0: unknown. */
struct request {
    unsigned cpu;       /* whole cores, at least one */
    uint64_t memory_mb; /* a multiple of 256 */
};

/* Of the most that was seen, in percent of one core and in MB; NAN: unknown. headroom_percent is added to both before
 * the rule. */
struct request size_request(double max_cpu_percent, double max_memory_mb, double headroom_percent);

/* The least true CPU time behind a reading over this many seconds: each busy CPU may have had a tick less, which
 * is when the kernel brings its counters up to date. A thread that runs all the time is so one CPU, whatever is read.
 */
double request_cpu_at_least(double cpu_percent_of_core, double over_s);

/* Rounds to three decimals, ties to even, as Python's round: the input of the rule. */
double request_rounded(double value);

#endif
