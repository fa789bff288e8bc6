/* SPDX-License-Identifier: MIT
 * The power of graphics cards that somebody names. */
#include "app/estimate_steps.h"

#include <math.h>

/* The least fraction of its rating that a card draws whose processors are busy all the time. */
#define BUSY_LOW 0.6

static double between(double idle_w, double full_w, double load)
{
    return idle_w + (full_w - idle_w) * load;
}

bool estimate_gpu(struct estimate *estimate, struct error *err)
{
    const struct gpu_power *gpu = &estimate->gpu;
    const double load = estimate->gpu_load, count = isnan(estimate->gpus) ? 1 : estimate->gpus;

    if (!gpu_power_find(estimate->gpu_typed, &estimate->gpu, err))
        return false;
    estimate->gpus = count;
    estimate->gpu_power = (struct estimate_power){ count * between(gpu->idle_w, gpu->full_w, load),
                                                   count * between(gpu->idle_low_w, BUSY_LOW * gpu->full_w, load),
                                                   count * between(gpu->idle_high_w, gpu->full_w, load) };
    estimate->power.w += estimate->gpu_power.w;
    estimate->power.low_w += estimate->gpu_power.low_w;
    estimate->power.high_w += estimate->gpu_power.high_w;
    return true;
}
