/* SPDX-License-Identifier: MIT
 * What a few repeated figures say, and with what doubt; the only file that knows the GNU Scientific Library. */
#include "measurement/statistics.h"

#include "base/auto.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>

#define MAX_RUNS 1e6
#define NORMAL_FREEDOM 1e9 /* from here on Student's quantiles are the normal ones to nine digits */
#define OUTLIER_Z 3.5      /* modified z score (Iglewicz and Hoaglin 1993) */
#define Z_PER_MAD 0.6745   /* of a normal distribution, the median absolute deviation is so many deviations */

double normal_quantile(double p)
{
    return p > 0 && p < 1 ? gsl_cdf_ugaussian_Pinv(p) : NAN;
}

/* Where GSL finds no answer (far below one degree of freedom) it would end the program, unless told not to. */
double student_quantile(double p, double freedom)
{
    gsl_error_handler_t *handler;
    double quantile;

    if (!(p > 0 && p < 1 && freedom > 0) || !isfinite(freedom))
        return NAN;
    if (freedom > NORMAL_FREEDOM)
        return gsl_cdf_ugaussian_Pinv(p);
    handler = gsl_set_error_handler_off();
    quantile = gsl_cdf_tdist_Pinv(p, freedom);
    gsl_set_error_handler(handler);
    return isfinite(quantile) ? quantile : NAN;
}

double student_two_sided(double t, double freedom)
{
    gsl_error_handler_t *handler;
    double above;

    if (isnan(t) || !(freedom > 0) || !isfinite(freedom))
        return NAN;
    if (isinf(t))
        return 0;
    handler = gsl_set_error_handler_off();
    above = gsl_cdf_tdist_Q(fabs(t), freedom);
    gsl_set_error_handler(handler);
    return fmin(2 * above, 1);
}

/* Mean and deviation are there, and the latter is of more than one. */
static bool has_deviation(const struct sample_stats *spread)
{
    return spread->count > 1 && isfinite(spread->mean) && isfinite(spread->deviation);
}

static double two_sided_quantile(double freedom)
{
    return student_quantile(0.5 + STATISTICS_CONFIDENCE / 2, freedom);
}

/* The true size that a figure of this standard error tells from 0 with STATISTICS_POWER. */
static double detectable(double standard_error, double freedom)
{
    if (standard_error == 0)
        return 0;
    return (two_sided_quantile(freedom) + student_quantile(STATISTICS_POWER, freedom)) * standard_error;
}

static double standard_error_of(const struct sample_stats *spread)
{
    return spread->deviation / sqrt((double)spread->count);
}

struct interval mean_interval(const struct sample_stats *spread)
{
    struct interval interval = { NAN, NAN };
    double half;

    if (!has_deviation(spread))
        return interval;
    half = spread->deviation > 0 ? two_sided_quantile((double)(spread->count - 1)) * standard_error_of(spread) : 0;
    interval.low = spread->mean - half;
    interval.high = spread->mean + half;
    return interval;
}

double detectable_mean(const struct sample_stats *spread)
{
    return has_deviation(spread) ? detectable(standard_error_of(spread), (double)(spread->count - 1)) : NAN;
}

/* The least n >= 2 for which a standard error of deviation / sqrt(n), with freedom_each x (n - 1) degrees of freedom,
 * tells `size` from 0. Student's quantiles lie above the normal ones, so that n is no less than theirs, and at most a
 * few more. */
static size_t runs_for(double size, double deviation, double freedom_each)
{
    double quantiles, normal;

    if (size == 0 || !isfinite(size) || !isfinite(deviation))
        return 0;
    if (deviation == 0)
        return 2;
    quantiles = normal_quantile(0.5 + STATISTICS_CONFIDENCE / 2) + normal_quantile(STATISTICS_POWER);
    normal = quantiles * deviation / size * (quantiles * deviation / size);
    if (!(normal <= MAX_RUNS))
        return 0;
    for (double n = fmax(2, floor(normal)); n <= MAX_RUNS; n++)
        if (detectable(deviation / sqrt(n), freedom_each * (n - 1)) <= fabs(size))
            return (size_t)n;
    return 0;
}

size_t runs_to_tell(double mean, double deviation)
{
    return runs_for(mean, deviation, 1);
}

void welch_widen(struct welch *welch, double off)
{
    const double half = (welch->high - welch->low) / 2, wide = hypot(half, off);

    if (!(off > 0) || isnan(half))
        return;
    welch->low = welch->difference - wide;
    welch->high = welch->difference + wide;
    welch->t *= half / wide;
    welch->p = half > 0 ? student_two_sided(welch->t, welch->freedom) : NAN;
    welch->detectable = half > 0 ? welch->detectable * wide / half : wide;
}

size_t runs_to_tell_apart(double difference, double deviation_a, double deviation_b)
{
    const double deviation = hypot(deviation_a, deviation_b);
    const double share = deviation_a / deviation * (deviation_a / deviation);

    return runs_for(difference, deviation, 1 / (share * share + (1 - share) * (1 - share)));
}

/* The difference in pooled deviations; the factor takes off what few runs make it too large by. */
static double hedges_g_of(const struct sample_stats *a, const struct sample_stats *b)
{
    const double freedom_a = (double)(a->count - 1), freedom_b = (double)(b->count - 1);
    const double freedom = freedom_a + freedom_b;
    const double pooled = hypot(sqrt(freedom_a / freedom) * a->deviation, sqrt(freedom_b / freedom) * b->deviation);

    return (1 - 3 / (4 * freedom - 1)) * (b->mean - a->mean) / pooled;
}

struct welch welch_of(const struct sample_stats *a, const struct sample_stats *b)
{
    struct welch welch = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    double error_a, standard_error, share, half;

    if (a->count && b->count)
        welch.difference = b->mean - a->mean;
    if (!has_deviation(a) || !has_deviation(b))
        return welch;
    error_a = standard_error_of(a);
    standard_error = hypot(error_a, standard_error_of(b));
    if (standard_error == 0) {
        welch.low = welch.high = welch.difference;
        welch.p = welch.difference == 0;
        welch.detectable = 0;
        return welch;
    }
    share = error_a / standard_error * (error_a / standard_error);
    welch.freedom = 1 / (share * share / (double)(a->count - 1) + (1 - share) * (1 - share) / (double)(b->count - 1));
    welch.t = welch.difference / standard_error;
    welch.p = student_two_sided(welch.t, welch.freedom);
    half = two_sided_quantile(welch.freedom) * standard_error;
    welch.low = welch.difference - half;
    welch.high = welch.difference + half;
    welch.hedges_g = hedges_g_of(a, b);
    welch.detectable = detectable(standard_error, welch.freedom);
    return welch;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Of equal values all get what the first would. */
bool holm_of(const double *p, size_t count, double *corrected)
{
    AUTO_FREE double *sorted = calloc(count ? count : 1, sizeof *sorted);
    double max = 0;
    size_t known = 0;

    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++) {
        corrected[i] = NAN;
        if (!isnan(p[i]))
            sorted[known++] = p[i];
    }
    qsort(sorted, known, sizeof *sorted, compare_doubles);
    for (size_t k = 0; k < known; k++) {
        max = fmax(max, fmin(1, (double)(known - k) * sorted[k]));
        for (size_t i = 0; i < count; i++)
            if (isnan(corrected[i]) && p[i] == sorted[k])
                corrected[i] = max;
    }
    return true;
}

double median_of(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Unknown values are left out of the medians, and no outliers. */
bool outliers_of(const double *values, size_t count, bool *outlier)
{
    AUTO_FREE double *work = calloc(count ? count : 1, sizeof *work);
    double median, deviation;
    size_t known = 0;

    if (!work)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            work[known++] = values[i];
    median = median_of(work, known);
    for (size_t i = 0; i < known; i++)
        work[i] = fabs(work[i] - median);
    deviation = median_of(work, known);
    for (size_t i = 0; i < count; i++)
        outlier[i] = deviation > 0 && Z_PER_MAD * fabs(values[i] - median) / deviation > OUTLIER_Z;
    return true;
}
