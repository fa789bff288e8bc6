/* SPDX-License-Identifier: MIT
 * A few repeated figures in short: their mean, and how far they lie apart. Unknown is NAN. */
#ifndef BASE_SPREAD_H
#define BASE_SPREAD_H

#include <stddef.h>

struct spread {
    double mean, deviation, min, max; /* sample deviation (n - 1); 0 for one */
    size_t count;                     /* 0: unknown, the others are NAN */
};

struct spread spread_of(const double *values, size_t count);

struct interval {
    double low, high;
};

#endif
