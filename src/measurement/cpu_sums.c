/* SPDX-License-Identifier: MIT
 * Sums of CPU time over windows. */
#include "measurement/cpu_sums.h"

#include "base/cpu_ticks.h"

#include <math.h>

/* Less than this says too little of a load in ticks. */
#define LOAD_MIN_NS UINT64_C(200000000)

/* Ticks were lost where the job alone used so much more than everything did. */
#define LOST 0.05

static uint64_t without_carbon_ns(uint64_t busy_ns, const struct window *window)
{
    return busy_ns > window->carbon_busy_ns ? busy_ns - window->carbon_busy_ns : 0;
}

void cpu_sums_add(struct cpu_sums *busy, const struct window *window)
{
    if (!window->duration_ns)
        return;
    busy->unknown |= !window->machine_busy_known;
    busy->mask_cpus = busy->lasted_ns && busy->mask_cpus != window->mask_cpus ? 0 : window->mask_cpus;
    busy->all_ns += without_carbon_ns(window->machine_busy_ns, window);
    busy->mask_ns += without_carbon_ns(window->mask_busy_ns, window);
    busy->lost_ns += window->machine_lost_ns;
    busy->lasted_ns += window->duration_ns;
}

struct cpu_sums cpu_sums_in_runs(const struct measurement *measurement)
{
    struct cpu_sums busy = { .job_ns = 0 };

    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (!run_is_counted(run) || !run->ended || !run->usage.cpu_ns.known || !run->window.machine_busy_known)
            continue;
        cpu_sums_add(&busy, &run->window);
        busy.job_ns += run->usage.cpu_ns.value;
    }
    return busy;
}

struct cpu_sums cpu_sums_in_baselines(const struct measurement *measurement)
{
    struct cpu_sums busy = { .job_ns = 0 };

    for (size_t i = 0; i < measurement->baseline_count; i++)
        cpu_sums_add(&busy, &measurement->baselines[i]);
    return busy;
}

double cpu_sums_others(const struct cpu_sums *busy)
{
    const double others_ns = (double)busy->all_ns - (double)busy->job_ns;

    return busy->lasted_ns && !busy->unknown ? fmax(0, others_ns) / (double)busy->lasted_ns : NAN;
}

double others_known(uint64_t busy_ns, uint64_t job_ns, uint64_t lost_ns, uint64_t lasted_ns)
{
    const double busy = (double)busy_ns / (double)lasted_ns, job = (double)job_ns / (double)lasted_ns;

    if (lost_ns || job - busy > fmax(coarse_cpus(lasted_ns), LOST * job))
        return NAN;
    return fmax(0, busy - job);
}

double cpu_sums_others_known(const struct cpu_sums *busy)
{
    return others_known(busy->all_ns, busy->job_ns, busy->lost_ns, busy->lasted_ns);
}

double cpu_sums_of_mask(const struct cpu_sums *busy)
{
    return busy->mask_cpus ? (double)busy->mask_ns / (double)busy->lasted_ns : NAN;
}

double coarse_cpus(uint64_t lasted_ns)
{
    return lasted_ns ? COARSE_TICKS * (double)tick_ns() / (double)lasted_ns : 0;
}

struct cpu_sums cpu_sums_concurrent(const struct measurement *measurement)
{
    struct cpu_sums busy = cpu_sums_in_runs(measurement);

    if (busy.lasted_ns < LOAD_MIN_NS)
        for (size_t i = 0; i < measurement->baseline_count; i++)
            if (measurement->baselines[i].machine_busy_known)
                cpu_sums_add(&busy, &measurement->baselines[i]);
    return busy;
}
