/* SPDX-License-Identifier: MIT
 * Meters that tell one power whatever the load. */
#include "measurement/cpu_sums.h"

#include "base/units.h"

#include <math.h>

/* When a meter is taken for a constant. Powers of windows of a second and more differ by a thousandth on the stillest
 * machine; a core that is busier by a tenth of the time is told by any that measures. */
#define CONSTANT_MIN_NS NS_PER_S_INT
#define CONSTANT 0.001
#define NEARLY_CONSTANT 0.005
#define CONSTANT_BUSY 0.1
#define BACK_TO_BACK_NS (NS_PER_S_INT / 100)

static void widen(struct interval *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* Baseline i, and the next one where they lie back to back between two runs: *i is then moved on. */
static struct window joined_baseline(const struct measurement *measurement, size_t *i)
{
    struct window whole = measurement->baselines[*i];
    const uint64_t end_ns = whole.start_ns + whole.duration_ns;
    const struct window *next;

    if (*i + 1 == measurement->baseline_count)
        return whole;
    next = &measurement->baselines[*i + 1];
    if (next->start_ns - end_ns > BACK_TO_BACK_NS)
        return whole;
    window_join(&whole, next, measurement->meter->domain_count);
    ++*i;
    return whole;
}

/* Two bounds: nobody's power is as even as the first, whatever runs; up to the second the difference between runs and
 * baselines is none as well. */
bool measurement_is_constant(const struct measurement *measurement)
{
    struct interval all = { INFINITY, -INFINITY }, baselines = all, runs = all;
    struct cpu_sums idle = { .job_ns = 0 }, busy = { .job_ns = 0 };

    for (size_t i = 0; i < measurement->baseline_count; i++) {
        const struct window whole = joined_baseline(measurement, &i);
        if (whole.duration_ns < CONSTANT_MIN_NS)
            continue;
        widen(&baselines, window_counted_w(measurement, &whole));
        cpu_sums_add(&idle, &whole);
    }
    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (run->window.duration_ns < CONSTANT_MIN_NS)
            continue;
        widen(&runs, window_counted_w(measurement, &run->window));
        cpu_sums_add(&busy, &run->window);
    }
    all = (struct interval){ fmin(baselines.low, runs.low), fmax(baselines.high, runs.high) };
    if (!isfinite(baselines.low) || !isfinite(runs.low) ||
        !(cpu_sums_others(&busy) - cpu_sums_others(&idle) >= CONSTANT_BUSY))
        return false;
    return all.high - all.low < CONSTANT * all.low ||
           (all.high - all.low < NEARLY_CONSTANT * all.low && runs.low <= baselines.high && baselines.low <= runs.high);
}
