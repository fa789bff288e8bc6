/* SPDX-License-Identifier: MIT
 * The windows of a measurement, by which its domains are held against one another. */
#include "measurement/measurement.h"

#include "base/auto.h"

#include <math.h>
#include <stdlib.h>

/* What the counted domains draw in each baseline. */
static void note_powers(const struct measurement *measurement, double *powers_w)
{
    for (size_t i = 0; i < measurement->baseline_count; i++)
        powers_w[i] = window_counted_w(measurement, &measurement->baselines[i]);
}

/* The parts of the baselines were added up by what counted then. */
static void count_parts_anew(struct measurement *measurement, const double *before_w)
{
    for (size_t i = 0; i < measurement->baseline_count; i++) {
        struct window *baseline = &measurement->baselines[i];
        const double now_w = window_counted_w(measurement, baseline);
        for (size_t part = 0; part < baseline->part_count; part++)
            baseline->parts_w[part] *= before_w[i] > 0 ? now_w / before_w[i] : NAN;
    }
}

void measurement_cross_check(struct meter *meter, struct measurement *measurement, enum scope scope,
                             struct counting *counting, struct notices *notices)
{
    const struct window_list steps = measurement_steps(measurement);
    AUTO_FREE double *before_w = calloc(measurement->baseline_count + 1, sizeof *before_w);

    if (before_w)
        note_powers(measurement, before_w);
    if (cross_check(meter, counting, &steps))
        IGNORED(scope_count(meter, scope, counting, notices, NULL), "a notice reports it");
    if (before_w)
        count_parts_anew(measurement, before_w);
}
