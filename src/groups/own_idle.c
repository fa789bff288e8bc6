/* SPDX-License-Identifier: MIT
 * A model knows its idle power; of a meter the lowest seen stands for it. */
#include "groups/own_idle.h"

#include <math.h>

/* Shorter than this, the steps of a counter weigh. */
#define MIN_S 1.0

static void note_power(struct own_idle *idle, enum component component, double energy_j, double known_s)
{
    double w;

    idle->since_j[component] += energy_j;
    idle->since_s[component] += known_s;
    if (idle->since_s[component] < MIN_S)
        return;
    w = idle->since_j[component] / idle->since_s[component];
    if (w > 0 && (idle->lowest_w[component] == 0 || w < idle->lowest_w[component]))
        idle->lowest_w[component] = w;
    idle->since_j[component] = idle->since_s[component] = 0;
}

void own_idle_take(struct own_idle *idle, enum component component, double model_w, struct group_interval *interval)
{
    const double energy_j = interval->energy_j[component], w = interval->power_w[component];
    const double known_s = w > 0 ? energy_j / w : NAN;

    if (isfinite(known_s) && isnan(model_w))
        note_power(idle, component, energy_j, known_s);
    interval->idle_w[component] = !isnan(model_w)                 ? model_w
                                  : idle->lowest_w[component] > 0 ? idle->lowest_w[component]
                                                                  : NAN;
    interval->own_method[component] = isnan(model_w) ? OWN_SHARE : OWN_CPU_TIME;
    interval->own_j[component] = fmax(0, energy_j - interval->idle_w[component] * known_s);
    if (isnan(interval->idle_w[component]) || isnan(known_s))
        interval->own_j[component] = NAN;
}
