/* SPDX-License-Identifier: MIT
 * A few repeated figures in short. */
#include "base/sample_stats.h"

#include <math.h>

struct sample_stats sample_stats_of(const double *values, size_t count)
{
    struct sample_stats spread = { NAN, NAN, NAN, NAN, count };
    double squares = 0, sum = 0;

    if (count == 0)
        return spread;
    spread.min = spread.max = values[0];
    for (size_t i = 0; i < count; i++) {
        sum += values[i] - values[0];
        spread.min = fmin(spread.min, values[i]);
        spread.max = fmax(spread.max, values[i]);
    }
    spread.mean = values[0] + sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - spread.mean) * (values[i] - spread.mean);
    spread.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    return spread;
}
