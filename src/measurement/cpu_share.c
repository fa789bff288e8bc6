/* SPDX-License-Identifier: MIT
 * Whose energy it was. What others did in the baselines too is in idle, so that only what they did beyond it
 * is in net. */
#include "measurement/cpu_share.h"

#include "base/units.h"
#include "measurement/gpu_watch.h"

#include <math.h>

static bool is_known(const struct run *run)
{
    return run->ended && run->usage.cpu_ns.known && run->window.machine_busy_known &&
           s_from_ns(run->window.duration_ns) >= SHARE_SHORTEST_S;
}

double machine_share_of(const struct run *run)
{
    if (!is_known(run) || !run->window.machine_busy_ns)
        return NAN;
    return fmin(1, (double)run->usage.cpu_ns.value / (double)run->window.machine_busy_ns);
}

static bool has_figure(const struct measurement *measurement, const struct run *run, const struct gpu_use *use)
{
    return window_has_figure(measurement, &run->window, use->domain);
}

static double own_j(const struct gpu_use *use)
{
    return use->reported == GPU_ATTRIBUTED ? j_from_uj(use->own_uj) : NAN;
}

double gpu_own_j(const struct measurement *measurement, const struct run *run, size_t domain)
{
    const struct gpu_use *use = gpu_use_of(run, domain);

    return use && has_figure(measurement, run, use) ? own_j(use) : NAN;
}

double gpus_own_j(const struct measurement *measurement, const struct run *run)
{
    double sum_j = 0;
    bool any = false;

    for (size_t i = 0; i < run->gpu_count; i++)
        if (has_figure(measurement, run, &run->gpus[i])) {
            sum_j += own_j(&run->gpus[i]);
            any = true;
        }
    return any ? sum_j : NAN;
}

double gpu_share_more_j(const struct measurement *measurement, const struct neighbours *neighbours,
                        const struct run *run, double fraction)
{
    double more_j = 0;

    for (size_t i = 0; i < run->gpu_count; i++) {
        const struct gpu_use *use = &run->gpus[i];
        const double part = use->used_uj ? (double)use->own_uj / (double)use->used_uj : 0;
        if (use->reported == GPU_ATTRIBUTED && has_figure(measurement, run, use))
            more_j += (part - fraction) * domain_energies(measurement, neighbours, &run->window, use->domain).net_j;
    }
    return more_j;
}

double gpu_attributed_more_j(const struct measurement *measurement, const struct run *run, double machine_share)
{
    double more_j = 0;

    for (size_t i = 0; i < run->gpu_count; i++) {
        const struct gpu_use *use = &run->gpus[i];
        if (use->reported == GPU_ATTRIBUTED && has_figure(measurement, run, use))
            more_j += j_from_uj(use->own_uj) - machine_share * j_from_uj(run->window.energy_uj[use->domain]);
    }
    return more_j;
}

struct cpu_share cpu_share_of(const struct neighbours *neighbours, const struct run *run)
{
    const double duration_s = s_from_ns(run->window.duration_ns);
    struct cpu_share share = { NAN, NAN };
    double job_cores, busy_cores, idle_cores;

    if (!is_known(run))
        return share;
    job_cores = s_from_ns(run->usage.cpu_ns.value) / duration_s;
    busy_cores = s_from_ns(run->window.machine_busy_ns) / duration_s;
    idle_cores = idle_cores_under(neighbours, &run->window);
    share.background_cores = fmax(0, busy_cores - job_cores - (isnan(idle_cores) ? 0 : idle_cores));
    share.fraction = share.background_cores > SHARE_OTHERS_CORES ? job_cores / (job_cores + share.background_cores) : 1;
    return share;
}
