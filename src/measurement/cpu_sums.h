/* SPDX-License-Identifier: MIT
 * Who kept the CPUs busy, over the windows of a series together. Pure arithmetic. */
#ifndef MEASUREMENT_CPU_SUMS_H
#define MEASUREMENT_CPU_SUMS_H

#include "measurement/measurement.h"

struct cpu_sums cpu_sums_in_runs(const struct measurement *measurement); /* those that count */
struct cpu_sums cpu_sums_in_baselines(const struct measurement *measurement);

/* In the runs; where these are too short for the ticks of /proc/stat, the baselines are taken with them. */
struct cpu_sums cpu_sums_beside(const struct measurement *measurement);

/* CPUs that others than the job kept busy; NAN unknown. */
double cpu_sums_others(const struct cpu_sums *busy);

/* How many CPUs such a figure may be off by; 0: there is none. */
double coarse_cpus(uint64_t lasted_ns);

#endif
