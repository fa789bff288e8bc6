/* SPDX-License-Identifier: MIT
 * Whose energy it was. What others did in the baselines too is in idle, so that only what they did beyond it
 * is in net. */
#include "measurement/share.h"

#include "base/units.h"

#include <math.h>

#define SHORTEST_S 1.0 /* ticks of /proc/stat are 10 ms: below this they are more than 1 % */

static bool is_told(const struct run *run)
{
    return run->ended && run->usage.cpu_ns.known && run->window.machine_busy_known &&
           s_from_ns(run->window.duration_ns) >= SHORTEST_S;
}

double machine_share_of(const struct run *run)
{
    if (!is_told(run) || !run->window.machine_busy_ns)
        return NAN;
    return fmin(1, (double)run->usage.cpu_ns.value / (double)run->window.machine_busy_ns);
}

struct share share_of(const struct neighbours *beside, const struct run *run)
{
    const double duration_s = s_from_ns(run->window.duration_ns);
    struct share share = { NAN, NAN };
    double job_cores, busy_cores, idle_cores;

    if (!is_told(run))
        return share;
    job_cores = s_from_ns(run->usage.cpu_ns.value) / duration_s;
    busy_cores = s_from_ns(run->window.machine_busy_ns) / duration_s;
    idle_cores = idle_cores_under(beside, &run->window);
    share.others_cores = fmax(0, busy_cores - job_cores - (isnan(idle_cores) ? 0 : idle_cores));
    share.fraction = share.others_cores > SHARE_OTHERS_CORES ? job_cores / (job_cores + share.others_cores) : 1;
    return share;
}
