/* SPDX-License-Identifier: MIT
 * What a few repeated figures say, and with what doubt. */
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

struct spread spread_of(const double *values, size_t count)
{
    struct spread spread = { NAN, NAN, NAN, NAN, count };
    double squares = 0, sum = 0;

    if (count == 0)
        return spread;
    spread.min = spread.max = values[0];
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        spread.min = fmin(spread.min, values[i]);
        spread.max = fmax(spread.max, values[i]);
    }
    spread.mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - spread.mean) * (values[i] - spread.mean);
    spread.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    return spread;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double median_of(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
