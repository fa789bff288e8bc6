/* SPDX-License-Identifier: MIT
 * A model knows its idle power; of a meter the lowest seen stands for it. */
#include "groups/own_idle.h"

#include <math.h>

/* Shorter than this, the steps of a counter weigh. */
#define MIN_S 1.0

void lowest_power_take(struct lowest_power *lowest, double energy_j, double known_s)
{
    double w;

    if (!isfinite(known_s))
        return;
    lowest->since_j += energy_j;
    lowest->since_s += known_s;
    if (lowest->since_s < MIN_S)
        return;
    w = lowest->since_j / lowest->since_s;
    if (w > 0 && (lowest->w == 0 || w < lowest->w))
        lowest->w = w;
    lowest->since_j = lowest->since_s = 0;
}

void own_idle_take(struct own_idle *idle, enum component component, double model_w, struct group_interval *interval)
{
    const double energy_j = interval->energy_j[component], w = interval->power_w[component];
    const double known_s = w > 0 ? energy_j / w : NAN;
    struct lowest_power *lowest = &idle->components[component];

    if (isnan(model_w))
        lowest_power_take(lowest, energy_j, known_s);
    interval->idle_w[component] = !isnan(model_w) ? model_w : lowest->w > 0 ? lowest->w : NAN;
    interval->own_method[component] = isnan(model_w) ? OWN_SHARE : OWN_CPU_TIME;
    interval->own_j[component] = fmax(0, energy_j - interval->idle_w[component] * known_s);
    if (isnan(interval->idle_w[component]) || isnan(known_s))
        interval->own_j[component] = NAN;
}
