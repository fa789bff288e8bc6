/* SPDX-License-Identifier: MIT
 * The steps of a regression, and sums over them. Used by regression.h. Begin with struct regression_matrix. */
#ifndef OWN_REGRESSION_STEPS_H
#define OWN_REGRESSION_STEPS_H

#include <stdbool.h>
#include <stddef.h>

enum { REGRESSORS_MAX = 6 };

struct regression_matrix {
    double at[REGRESSORS_MAX][REGRESSORS_MAX];
};

/* Steps ordered by time. */
struct regression_steps {
    size_t count, columns;
    const double *x;      /* `columns` of each step */
    const double *weight; /* of each step: how long it is, in seconds */
    const bool *second;   /* of each step: it is of the second of two kinds, whose errors are others'; NULL: none is */
    /* Of the columns the variances and covariances that come only from their rounding, times the weight,
     * over all steps. */
    struct regression_matrix noise;
};

static inline const double *steps_row(const struct regression_steps *steps, size_t step)
{
    return steps->x + step * steps->columns;
}

static inline double steps_dot(const double *a, const double *b, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The columns' products with y: added to the sums. */
static inline void steps_right(const struct regression_steps *steps, const double *y, double *right)
{
    for (size_t k = 0; k < steps->count; k++)
        for (size_t i = 0; i < steps->columns; i++)
            right[i] += steps->weight[k] * steps_row(steps, k)[i] * y[k];
}

#endif
