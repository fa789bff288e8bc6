/* SPDX-License-Identifier: MIT
 * Sums over the steps of a regression, for its slopes and their doubt. */
#ifndef OWN_REGRESSION_SUMS_H
#define OWN_REGRESSION_SUMS_H

#include "own/regression.h"

static inline const double *row(const struct regression_steps *steps, size_t step)
{
    return steps->x + step * steps->columns;
}

static inline double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Of the columns' products with y: added to what is there. */
void regression_right(const struct regression_steps *steps, const double *y, double *right);

#endif
