/* SPDX-License-Identifier: MIT
 * How far what follows from a regression may be off. */
#include "own/regression.h"

#include "base/auto.h"

#include <math.h>

/* One cosine per this many seconds with weights. */
#define EACH_COSINE 8.0
enum { MIN_COSINES = 2, COSINES_MAX = 64 };

/* Less than this of the next step's error may be chance; and less than this many deviations of the part correlated with
 * a column. */
#define ANY_IN_COMMON 0.2
#define BEYOND_CHANCE 3.0

/* A figure's error is the sum of each step's error times its part. Its variance is estimated from a few sums in which
 * the parts are weighted by cosines, for each kind of steps. */
struct regression_doubt_doubt_state {
    const struct regression_steps *steps;
    const struct regression *regression;
    double lasts_s;                  /* the errors */
    double *error, *part;            /* error and part of each step */
    double weight[COSINES_MAX];      /* of each cosine's square in the variance */
    double *of_error[COSINES_MAX];   /* of each true error in its sum, which residuals have but for the columns */
    double *correlated[COSINES_MAX]; /* that, where the errors are correlated */
    size_t cosines;
};

static size_t cosines_of(size_t count, double lasts)
{
    const double max = fmin(fmin(0.4 * pow((double)count, 2.0 / 3), lasts / EACH_COSINE), COSINES_MAX / 2.0);

    return max < MIN_COSINES ? MIN_COSINES : (size_t)max;
}

/* Between a step and the next. */
static double correlation(const struct regression_doubt_doubt_state *doubt, size_t step)
{
    return exp(-(doubt->steps->weight[step] + doubt->steps->weight[step + 1]) / 2 / doubt->lasts_s);
}

/* to: the covariances of errors, which die out with time, times `from`. */
static void correlate(const struct regression_doubt_doubt_state *doubt, const double *from, double *to)
{
    const size_t count = doubt->steps->count;
    double carried = 0;

    for (size_t k = 0; k < count; k++) {
        to[k] = from[k] + carried;
        carried = k + 1 < count ? (carried + from[k]) * correlation(doubt, k) : 0;
    }
    for (size_t k = count; k-- > 1;) {
        carried = (carried + from[k]) * correlation(doubt, k - 1);
        to[k - 1] += carried;
    }
}

/* The weights of residuals as estimates of the errors. */
static void take_off_columns(const struct regression_doubt_doubt_state *doubt, double *weights)
{
    const struct regression_steps *steps = doubt->steps;
    double sums[REGRESSORS_MAX] = { 0 }, by[REGRESSORS_MAX];

    for (size_t k = 0; k < steps->count; k++)
        for (size_t i = 0; i < steps->columns; i++)
            sums[i] += steps_row(steps, k)[i] * weights[k];
    for (size_t i = 0; i < steps->columns; i++)
        by[i] = steps_dot(doubt->regression->inverse.at[i], sums, steps->columns);
    for (size_t k = 0; k < steps->count; k++)
        weights[k] -= steps->weight[k] * steps_dot(by, steps_row(steps, k), steps->columns);
}

/* The correlation of a step's error with that of a later step. */
static double common(const double *error, size_t count, size_t later)
{
    return steps_dot(error, error + later, count - later) / steps_dot(error, error, count);
}

static double mean_weight(const struct regression_steps *steps)
{
    double sum = 0;

    for (size_t k = 0; k < steps->count; k++)
        sum += steps->weight[k];
    return sum / (double)steps->count;
}

/* By how fast that dies out from the next step to the third. What changes within a step, and is in none of these, makes
 * it look faster from a step to the next. */
static double errors_last_s(const struct regression_steps *steps, const double *error)
{
    const double next = common(error, steps->count, 1), third = common(error, steps->count, 3);
    double keeps = next;

    if (next > ANY_IN_COMMON && third > 0)
        keeps = fmax(next, sqrt(third / next));
    return -mean_weight(steps) / log(fmin(0.99, fmax(0.01, keeps)));
}

/* The squares of errors as a multiple of the figure's own column and of all others but the first. */
struct squares {
    double own, others, own_deviation;
};

static double concurrent_own(const struct regression_steps *steps, size_t step, size_t own)
{
    double sum = 0;

    for (size_t i = 1; i < steps->columns; i++)
        sum += i == own ? 0 : fabs(steps_row(steps, step)[i]);
    return sum;
}

static struct squares squares_of(const struct regression_doubt_doubt_state *doubt, size_t own)
{
    const struct regression_steps *steps = doubt->steps;
    const double again = exp(-2 * mean_weight(steps) / doubt->lasts_s); /* squares in common with the next step's */
    double aa = 0, ab = 0, bb = 0, right_a = 0, right_b = 0, rest = 0;
    struct squares out;

    for (size_t k = 0; k < steps->count; k++) {
        const double a = steps_row(steps, k)[own], b = concurrent_own(steps, k, own),
                     square = doubt->error[k] * doubt->error[k];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        right_a += a * square;
        right_b += b * square;
    }
    out.own = (right_a * bb - right_b * ab) / (aa * bb - ab * ab);
    out.others = (right_b - ab * out.own) / bb;
    if (out.others < 0)
        out = (struct squares){ .own = right_a / aa };
    for (size_t k = 0; k < steps->count; k++) {
        const double a = steps_row(steps, k)[own], b = concurrent_own(steps, k, own),
                     square = doubt->error[k] * doubt->error[k];
        rest += pow(square - out.own * a - out.others * b, 2);
    }
    out.own_deviation = sqrt(bb / (aa * bb - ab * ab) * rest / (double)steps->count * (1 + again) / (1 - again));
    return out;
}

/* Of the errors in the figure's steps, the part correlated with its own column belongs to the figure: the part of the
 * squares that is not correlated. */
static double not_own(const struct regression_doubt_doubt_state *doubt, const struct regression_figure *figure)
{
    const struct regression_steps *steps = doubt->steps;
    struct squares squares;
    double own = 0, others = 0;

    if (!figure->own)
        return 1;
    squares = squares_of(doubt, figure->own);
    if (!(squares.own > BEYOND_CHANCE * squares.own_deviation))
        return 1;
    for (size_t k = 0; k < steps->count; k++)
        if (figure->of_step[k] > 0) {
            own += squares.own * steps_row(steps, k)[figure->own];
            others += squares.others * concurrent_own(steps, k, figure->own);
        }
    return own > 0 ? others / (own + others) : 1;
}

/* What each step's error is, and its part in the figure's. The squares of the errors together. */
static double fill_errors(struct regression_doubt_doubt_state *doubt, const double *y,
                          const struct regression_figure *figure)
{
    const struct regression_steps *steps = doubt->steps;
    const size_t columns = steps->columns;
    double right[REGRESSORS_MAX] = { 0 }, slopes[REGRESSORS_MAX], direction[REGRESSORS_MAX], squares = 0, stored;

    steps_right(steps, y, right);
    for (size_t i = 0; i < columns; i++) {
        slopes[i] = steps_dot(doubt->regression->inverse.at[i], right, columns);
        direction[i] = steps_dot(doubt->regression->inverse.at[i], figure->sums, columns);
    }
    for (size_t k = 0; k < steps->count; k++) {
        doubt->error[k] = y[k] - steps_dot(slopes, steps_row(steps, k), columns);
        squares += steps->weight[k] * doubt->error[k] * doubt->error[k];
    }
    doubt->lasts_s = errors_last_s(steps, doubt->error);
    stored = sqrt(not_own(doubt, figure));
    for (size_t k = 0; k < steps->count; k++)
        doubt->part[k] =
            stored * figure->of_step[k] - steps->weight[k] * steps_dot(direction, steps_row(steps, k), columns);
    return squares;
}

static bool is_of_kind(const struct regression_steps *steps, size_t step, bool second)
{
    return (steps->second && steps->second[step]) == second;
}

/* The variance by the cosines of one kind of steps, evenly weighted: few enough to be slower than the correlation of
 * the errors (Lazarus, Lewis, Stock and Watson 2018). */
static double take_cosines(struct regression_doubt_doubt_state *doubt, bool second, double **room)
{
    const struct regression_steps *steps = doubt->steps;
    size_t count = 0, cosines;
    double lasts = 0, variance = 0;

    for (size_t k = 0; k < steps->count; k++) {
        count += is_of_kind(steps, k, second);
        lasts += is_of_kind(steps, k, second) ? steps->weight[k] : 0;
    }
    cosines = count ? cosines_of(count, lasts) : 0;
    for (size_t j = 1; j <= cosines; j++, doubt->cosines++) {
        double *weights = *room, sum, at = 0.5;
        for (size_t k = 0; k < steps->count; k++)
            if (is_of_kind(steps, k, second))
                weights[k] = doubt->part[k] * cos(M_PI * (double)j * at++ / (double)count);
        sum = steps_dot(doubt->error, weights, steps->count);
        variance += 2 * sum * sum / (double)cosines;
        take_off_columns(doubt, weights);
        correlate(doubt, weights, weights + steps->count);
        doubt->weight[doubt->cosines] = 2 / (double)cosines;
        doubt->of_error[doubt->cosines] = weights;
        doubt->correlated[doubt->cosines] = weights + steps->count;
        *room += 2 * steps->count;
    }
    return variance;
}

/* That variance is a sum of squares of which the mean and the variance are known, if the errors are as correlated as
 * they look: it is brought to the mean that it should have, and has the degrees of freedom of its own variance
 * (Bell and McCaffrey 2002; Satterthwaite 1946). */
static struct regression_doubt corrected(const struct regression_doubt_doubt_state *doubt, double variance,
                                         double *room)
{
    const size_t count = doubt->steps->count;
    double mean = 0, square = 0;

    for (size_t i = 0; i < doubt->cosines; i++)
        for (size_t j = 0; j < doubt->cosines; j++) {
            const double product = steps_dot(doubt->of_error[i], doubt->correlated[j], count);
            mean += i == j ? doubt->weight[i] * product : 0;
            square += doubt->weight[i] * doubt->weight[j] * product * product;
        }
    correlate(doubt, doubt->part, room);
    return (struct regression_doubt){ sqrt(variance * steps_dot(doubt->part, room, count) / mean), mean * mean / square,
                                      NAN };
}

struct regression_doubt regression_doubt_of(const struct regression_steps *steps, const struct regression *regression,
                                            const double *y, const struct regression_figure *figure)
{
    const size_t count = steps->count;
    AUTO_FREE double *room = calloc((2 * COSINES_MAX + 3) * count + 1, sizeof *room);
    struct regression_doubt_doubt_state doubt = {
        .steps = steps, .regression = regression, .error = room, .part = room + count
    };
    struct regression_doubt out;
    double squares, variance, *left = room + 3 * count;

    if (!room)
        return (struct regression_doubt){ NAN, NAN, NAN };
    squares = fill_errors(&doubt, y, figure);
    variance = take_cosines(&doubt, false, &left);
    variance += take_cosines(&doubt, true, &left);
    out = corrected(&doubt, variance, room + 2 * count);
    out.scatter = squares / (double)(count - steps->columns);
    return out;
}
