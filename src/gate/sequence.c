/* SPDX-License-Identifier: MIT
 * Bounds of a test with many looks: the distribution of a sum that has crossed no bound yet, from look to look by
 * numerical integration (Armitage, McPherson and Rowe 1969), in units of the sum's deviation at the last look. */
#include "gate/sequence.h"

#include "base/auto.h"
#include "measurement/statistics.h"

#include <math.h>
#include <stdlib.h>

#define FARTHEST 8.0 /* deviations; values beyond have a chance below 1e-15 */

enum { POINTS_A_STEP = 6, SEARCH_STEPS = 60 };

/* The density of the sum below the bound of a look: at bound - i * step, i < count; count is odd, for Simpson's rule.
 */
struct sum_density {
    double bound, step;
    size_t count;
    double *at;
};

static double normal_above(double z)
{
    return erfc(z / M_SQRT2) / 2;
}

static double simpson_weight(size_t i, size_t count)
{
    return i == 0 || i + 1 == count ? 1.0 / 3 : i % 2 ? 4.0 / 3 : 2.0 / 3;
}

/* The chance that the sum is above the bound after one more increment of this deviation, and was not before. */
static double crosses(const struct sum_density *before, double deviation, double bound)
{
    double sum = 0;

    for (size_t i = 0; i < before->count; i++) {
        const double z = (bound - before->bound + (double)i * before->step) / deviation;
        if (z < FARTHEST)
            sum += simpson_weight(i, before->count) * before->at[i] * normal_above(z);
    }
    return sum * before->step;
}

static double bound_for(const struct sum_density *before, double deviation, double chance)
{
    double low = -FARTHEST, high = FARTHEST;

    for (int i = 0; i < SEARCH_STEPS; i++) {
        const double middle = (low + high) / 2;
        if (crosses(before, deviation, middle) > chance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The density one increment later, below a bound of its own. */
static void go_on(const struct sum_density *before, double deviation, struct sum_density *after)
{
    const double reach = FARTHEST * deviation / before->step;

    for (size_t i = 0; i < after->count; i++) {
        const double at = after->bound - (double)i * after->step;
        const double middle = (before->bound - at) / before->step; /* the point of the density before that is here */
        const double first = fmax(0, ceil(middle - reach));
        const double last = fmin((double)before->count - 1, floor(middle + reach));
        double sum = 0;

        for (double j = first; j <= last; j++) {
            const double z = (middle - j) * before->step / deviation;
            sum += simpson_weight((size_t)j, before->count) * before->at[(size_t)j] * exp(-z * z / 2);
        }
        after->at[i] = sum * before->step / (deviation * sqrt(2 * M_PI));
    }
}

/* Of the first look, which nothing came before. */
static void begin(struct sum_density *density, double deviation)
{
    for (size_t i = 0; i < density->count; i++) {
        const double z = (density->bound - (double)i * density->step) / deviation;
        density->at[i] = exp(-z * z / 2) / (deviation * sqrt(2 * M_PI));
    }
}

static double spent(const struct sequence *sequence, size_t pairs)
{
    const double part = (double)pairs / (double)sequence->max;

    return SEQUENCE_SPENT(sequence->level) * part * part;
}

static void find_bounds(struct sequence *sequence, struct sum_density densities[2])
{
    const double one = 1 / sqrt((double)sequence->max); /* deviation of one pair */
    const double first = sqrt((double)sequence->min) * one;
    struct sum_density *before = &densities[0], *after = &densities[1];

    sequence->nominal[0] = spent(sequence, sequence->min);
    before->bound = -first * normal_quantile(sequence->nominal[0]);
    begin(before, first);
    for (size_t pairs = sequence->min + 1; pairs <= sequence->max; pairs++) {
        struct sum_density *const passed = before;

        after->bound = bound_for(before, one, spent(sequence, pairs) - spent(sequence, pairs - 1));
        sequence->nominal[pairs - sequence->min] = normal_above(after->bound / (sqrt((double)pairs) * one));
        go_on(before, one, after);
        before = after;
        after = passed;
    }
}

bool sequence_open(struct sequence *sequence, size_t min, size_t max, double level, struct error *err)
{
    const double step = 1 / (POINTS_A_STEP * sqrt((double)max));
    const size_t count = 2 * (size_t)(FARTHEST / step) + 1;
    AUTO_FREE double *first = calloc(count, sizeof *first), *second = calloc(count, sizeof *second);

    *sequence = (struct sequence){ .min = min, .max = max, .level = level };
    sequence->nominal = calloc(max - min + 1, sizeof *sequence->nominal);
    sequence->critical = calloc(max - min + 1, sizeof *sequence->critical);
    if (!first || !second || !sequence->nominal || !sequence->critical)
        return error_errno(err, "no memory for the bounds of %zu pairs", max);
    find_bounds(sequence, (struct sum_density[]){ { .step = step, .count = count, .at = first },
                                                  { .step = step, .count = count, .at = second } });
    for (size_t i = 0; i <= max - min; i++)
        sequence->critical[i] = -student_quantile(sequence->nominal[i], (double)(min + i - 1));
    return true;
}

void sequence_close(struct sequence *sequence)
{
    free(sequence->nominal);
    free(sequence->critical);
    sequence->nominal = sequence->critical = NULL;
}

double sequence_critical(const struct sequence *sequence, size_t pairs)
{
    return pairs < sequence->min || pairs > sequence->max ? INFINITY : sequence->critical[pairs - sequence->min];
}
