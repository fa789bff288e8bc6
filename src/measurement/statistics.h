/* SPDX-License-Identifier: MIT
 * Statistics of a few repeated figures, with their uncertainty. Quantiles and probabilities come from the GNU
 * Scientific Library. Pure. Unknown is NAN everywhere. Used in measurement and 4 commands. Begin with
 * student_quantile(). */
#ifndef MEASUREMENT_STATISTICS_H
#define MEASUREMENT_STATISTICS_H

#include "base/sample_stats.h"

#include <stdbool.h>

/* Of every interval and test here, two-sided; and the chance with which a difference is to be found, where a
 * smallest one is named. */
#define STATISTICS_CONFIDENCE 0.95
#define STATISTICS_POWER 0.80

/* The value that a share p (0 < p < 1) of Student's t distribution lies below; freedom > 0, whole or not. Unknown where
 * the library finds none (far below one degree of freedom). */
double student_quantile(double p, double freedom);
/* How probable |T| >= |t| is. */
double student_two_sided(double t, double freedom);
double normal_quantile(double p);

/* Student's interval of the mean; unknown for fewer than two, the mean itself where the deviation is 0. */
struct interval mean_interval(const struct sample_stats *spread);

/* The smallest true mean (its absolute value) that a series like this distinguishes from 0 with STATISTICS_POWER:
 * (t_0.975 + t_0.80) s / sqrt(n), both of n - 1 degrees of freedom. Unknown for fewer than two. */
double detectable_mean(const struct sample_stats *spread);

/* The number of runs with this deviation that distinguish a true mean of this size from 0 with STATISTICS_POWER: the
 * least n >= 2 for which detectable_mean is no more than |mean|. 0: more than a million, or unknown. */
size_t runs_to_tell(double mean, double deviation);

/* Two series against each other: b - a, by Welch's test (Welch 1947; Satterthwaite 1946). */
struct welch {
    double difference, low, high; /* of the means, with its interval */
    double freedom, t, p;         /* p: how probable a difference as large is by chance alone */
    double hedges_g;              /* difference in pooled deviations, corrected for few runs (Hedges 1981) */
    double detectable;            /* the smallest true difference found with STATISTICS_POWER */
};

/* Where either has fewer than two, only the difference is known. Both deviations 0: the interval is the difference
 * itself, detectable is 0, p is 0 or 1; freedom, t and g are unknown. */
struct welch welch_of(const struct sample_stats *a, const struct sample_stats *b);

/* The same with an additional error of the difference (likewise in 5 % of all cases) that the spread does not show. */
void welch_widen(struct welch *welch, double off);

/* Runs of each that find a true difference of this size with STATISTICS_POWER; 0 as above. */
size_t runs_to_tell_apart(double difference, double deviation_a, double deviation_b);

/* What p becomes for each of several tests made at once, so that the chance of one false finding among all of them
 * stays below the level (Holm 1979): the k-th smallest of m times m - k + 1, no less than the one before, at most 1.
 * Unknown ones do not count as tests. False: no memory. */
bool holm_of(const double *p, size_t count, double *corrected);

/* The middle value; sorts the values. Unknown for none. */
double median_of(double *values, size_t count);

/* Which values lie far from the median: modified z score above 3.5 (Iglewicz and Hoaglin 1993), none where more than
 * half of them are equal; an unknown value is none. False: no memory. */
bool outliers_of(const double *values, size_t count, bool *outlier);

#endif
