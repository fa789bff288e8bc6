/* SPDX-License-Identifier: MIT
 * The power of many short steps, explained by their CPU time and events: non-negative least squares, and how far what
 * follows from it may be off. Pure arithmetic; docs/METHOD.md, "Learnt from strides", has the formulas. Used by
 * learnt.h and regression_doubt.c. Begin with regression_of(). */
#ifndef OWN_REGRESSION_H
#define OWN_REGRESSION_H

#include "own/regression_steps.h"

struct regression {
    size_t columns;
    struct regression_matrix gram, inverse; /* of the columns' squares and products, without the noise */
};

/* False: the steps do not distinguish the columns. One of them is a sum of the others, except for noise or a few
 * steps; or there are too few steps. */
bool regression_of(const struct regression_steps *steps, struct regression *regression);

/* What one of each column comes to in y, none of it below 0: `columns` of them. */
void regression_slopes(const struct regression_steps *steps, const struct regression *regression, const double *y,
                       double *slopes);

/* What a figure is made of that is linear in y: `of_step` of each step's, less the sums of the columns by their
 * slopes. own: the column that it is a figure of, whose power need not be one; 0, the first: of none. */
struct regression_figure {
    const double *of_step, *sums;
    size_t own;
};

/* The deviation of its error, whatever the steps' errors have to do with one another, with the degrees of freedom of
 * Student's t that it stands on; and the variance of y in a step of weight 1. */
struct regression_doubt {
    double deviation, freedom, scatter;
};
struct regression_doubt regression_doubt_of(const struct regression_steps *steps, const struct regression *regression,
                                            const double *y, const struct regression_figure *figure);

#endif
