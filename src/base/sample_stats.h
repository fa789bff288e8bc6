/* SPDX-License-Identifier: MIT
 * Summary of a few repeated figures: mean and standard deviation. Unknown is NAN. Used in form, measurement,
 * meter and profile. Begin with sample_stats_of(). */
#ifndef BASE_SAMPLE_STATS_H
#define BASE_SAMPLE_STATS_H

#include <stddef.h>

struct sample_stats {
    double mean, deviation, min, max; /* sample deviation (n - 1); 0 for one */
    size_t count;                     /* 0: unknown, the others are NAN */
};

struct sample_stats sample_stats_of(const double *values, size_t count);

struct interval {
    double low, high;
};

#endif
