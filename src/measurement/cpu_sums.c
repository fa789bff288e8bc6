/* SPDX-License-Identifier: MIT
 * Sums of CPU time over windows. */
#include "measurement/cpu_sums.h"

#include "base/cpu_ticks.h"

#include <math.h>

/* Less than this says too little of a load in ticks. */
#define LOAD_LEAST_NS UINT64_C(200000000)

/* How far a difference of ticks may be off. */
#define COARSE_TICKS 2.0

struct cpu_sums cpu_sums_in_runs(const struct measurement *measurement)
{
    struct cpu_sums busy = { 0, 0, 0 };

    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (!run_is_counted(run) || !run->ended || !run->usage.cpu_ns.known || !run->window.machine_busy_known)
            continue;
        busy.job_ns += run->usage.cpu_ns.value;
        busy.all_ns += run->window.machine_busy_ns;
        busy.lasted_ns += run->window.duration_ns;
    }
    return busy;
}

struct cpu_sums cpu_sums_in_baselines(const struct measurement *measurement)
{
    struct cpu_sums busy = { 0, 0, 0 };

    for (size_t i = 0; i < measurement->baseline_count; i++) {
        const struct window *baseline = &measurement->baselines[i];
        if (!baseline->machine_busy_known)
            continue;
        busy.all_ns += baseline->machine_busy_ns;
        busy.lasted_ns += baseline->duration_ns;
    }
    return busy;
}

double cpu_sums_others(const struct cpu_sums *busy)
{
    const double others_ns = (double)busy->all_ns - (double)busy->job_ns;

    return busy->lasted_ns ? fmax(0, others_ns) / (double)busy->lasted_ns : NAN;
}

double coarse_cpus(uint64_t lasted_ns)
{
    return lasted_ns ? COARSE_TICKS * (double)tick_ns() / (double)lasted_ns : 0;
}

struct cpu_sums cpu_sums_beside(const struct measurement *measurement)
{
    struct cpu_sums busy = cpu_sums_in_runs(measurement);

    if (busy.lasted_ns < LOAD_LEAST_NS) {
        const struct cpu_sums baselines = cpu_sums_in_baselines(measurement);
        busy.all_ns += baselines.all_ns;
        busy.lasted_ns += baselines.lasted_ns;
    }
    return busy;
}
