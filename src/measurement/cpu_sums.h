/* SPDX-License-Identifier: MIT
 * Who kept the CPUs busy, over windows together. Pure arithmetic. Used by constant.c, idle.c and own_runs.c. Begin with
 * cpu_sums_add(). */
#ifndef MEASUREMENT_CPU_SUMS_H
#define MEASUREMENT_CPU_SUMS_H

#include "measurement/measurement.h"

/* Adds a window in which nothing of the job ran; of nothing at first. */
void cpu_sums_add(struct cpu_sums *busy, const struct window *window);

struct cpu_sums cpu_sums_in_runs(const struct measurement *measurement); /* those that count and have it */
struct cpu_sums cpu_sums_in_baselines(const struct measurement *measurement);

/* In the runs; where these are too short for the ticks of /proc/stat, the baselines are taken with them. */
struct cpu_sums cpu_sums_concurrent(const struct measurement *measurement);

/* CPUs that others than the job and carbon kept busy; and all but carbon, of those that the job may run on. NAN
 * unknown. */
double cpu_sums_others(const struct cpu_sums *busy);
double cpu_sums_of_mask(const struct cpu_sums *busy);

/* CPUs that others kept busy in a window, or in several together: everything was busy for busy_ns of lasted_ns, the job
 * for job_ns. NAN unknown: a machine that lost its own CPUs for a while (a guest of a full host, lost_ns) counts too
 * few ticks, and so it is taken to have where the job alone used more than everything. */
double others_known(uint64_t busy_ns, uint64_t job_ns, uint64_t lost_ns, uint64_t lasted_ns);
double cpu_sums_others_known(const struct cpu_sums *busy);

/* How many CPUs such a figure may be off by; 0: there is none. */
double coarse_cpus(uint64_t lasted_ns);

#endif
