/* SPDX-License-Identifier: MIT
 * Weighted least squares of a few columns by their normal equations. */
#include "own/regression.h"

#include "base/auto.h"

#include <math.h>
#include <string.h>

/* A column is told from the others where what is its own in it has so many times the variance of its noise, and lies in
 * more than a few steps. */
#define ABOVE_NOISE 20.0
#define LEAST_STEPS 6.0

/* Of a column's squares so much is its own, or it is what the others come to. */
#define LEAST_OWN 1e-9

/* A cosine for each so many seconds, where weights are. */
#define EACH_COSINE 8.0
enum { LEAST_COSINES = 2, COSINES_MOST = 64 };

/* Less than this of the next step's error may be chance. */
#define ANY_IN_COMMON 0.2

static const double *row(const struct regression_steps *steps, size_t step)
{
    return steps->x + step * steps->columns;
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fill_gram(const struct regression_steps *steps, struct regression_matrix *gram)
{
    *gram = (struct regression_matrix){ .at = { { 0 } } };
    for (size_t k = 0; k < steps->count; k++)
        for (size_t i = 0; i < steps->columns; i++)
            for (size_t j = 0; j < steps->columns; j++)
                gram->at[i][j] += steps->weight[k] * row(steps, k)[i] * row(steps, k)[j];
}

static void fill_right(const struct regression_steps *steps, const double *y, double *right)
{
    for (size_t k = 0; k < steps->count; k++)
        for (size_t i = 0; i < steps->columns; i++)
            right[i] += steps->weight[k] * row(steps, k)[i] * y[k];
}

/* The columns in `set` of gram × solution = right; the others are 0. False: they are not independent. By Cholesky's
 * factor. */
static bool solve(const struct regression_matrix *gram, size_t columns, unsigned set, const double *right,
                  double *solution)
{
    double factor[REGRESSORS_MOST][REGRESSORS_MOST] = { { 0 } };
    size_t chosen[REGRESSORS_MOST], count = 0;

    memset(solution, 0, columns * sizeof *solution);
    for (size_t i = 0; i < columns; i++)
        if (set & 1U << i)
            chosen[count++] = i;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            const double rest = gram->at[chosen[i]][chosen[j]] - dot(factor[i], factor[j], j);
            if (i == j && !(rest > LEAST_OWN * gram->at[chosen[i]][chosen[i]]))
                return false;
            factor[i][j] = i == j ? sqrt(rest) : rest / factor[j][j];
        }
    for (size_t i = 0; i < count; i++) {
        double sum = right[chosen[i]];
        for (size_t j = 0; j < i; j++)
            sum -= factor[i][j] * solution[chosen[j]];
        solution[chosen[i]] = sum / factor[i][i];
    }
    for (size_t i = count; i-- > 0;) {
        double sum = solution[chosen[i]];
        for (size_t j = i + 1; j < count; j++)
            sum -= factor[j][i] * solution[chosen[j]];
        solution[chosen[i]] = sum / factor[i][i];
    }
    return true;
}

static unsigned all_of(size_t columns)
{
    return (1U << columns) - 1;
}

static bool invert(const struct regression_matrix *gram, size_t columns, struct regression_matrix *inverse)
{
    for (size_t i = 0; i < columns; i++) {
        double unit[REGRESSORS_MOST] = { 0 };
        unit[i] = 1;
        if (!solve(gram, columns, all_of(columns), unit, inverse->at[i]))
            return false;
    }
    return true;
}

/* What is a column's own is its residual from the others: its squares are 1 / inverse[i][i]. */
static bool is_told(const struct regression_steps *steps, const struct regression_matrix *inverse, size_t column)
{
    const double own = 1 / inverse->at[column][column];
    double squares = 0, noise = 0;

    for (size_t i = 0; i < steps->columns; i++)
        noise += inverse->at[column][i] * own * dot(steps->noise.at[i], inverse->at[column], steps->columns) * own;
    if (!(own > ABOVE_NOISE * noise))
        return false;
    for (size_t k = 0; k < steps->count; k++) {
        const double residual = dot(inverse->at[column], row(steps, k), steps->columns) * own;
        const double square = steps->weight[k] * residual * residual;
        squares += square * square;
    }
    return own * own >= LEAST_STEPS * squares;
}

bool regression_of(const struct regression_steps *steps, struct regression *regression)
{
    *regression = (struct regression){ .columns = steps->columns };
    if ((double)steps->count < (double)steps->columns + LEAST_STEPS)
        return false;
    fill_gram(steps, &regression->gram);
    if (!invert(&regression->gram, steps->columns, &regression->inverse))
        return false;
    for (size_t i = 0; i < steps->columns; i++)
        if (!is_told(steps, &regression->inverse, i))
            return false;
    for (size_t i = 0; i < steps->columns; i++)
        for (size_t j = 0; j < steps->columns; j++)
            regression->gram.at[i][j] -= steps->noise.at[i][j];
    return invert(&regression->gram, steps->columns, &regression->inverse);
}

/* Raising one that is 0 does not bring the squares down (Karush, Kuhn and Tucker). */
static bool is_least(const struct regression *regression, unsigned set, const double *right, const double *slopes)
{
    for (size_t i = 0; i < regression->columns; i++) {
        const double gradient = right[i] - dot(regression->gram.at[i], slopes, regression->columns);
        if (set & 1U << i ? slopes[i] < 0 : gradient > LEAST_OWN * fabs(right[i]))
            return false;
    }
    return true;
}

/* Which of so few are 0 is tried out, none of them first. */
void regression_slopes(const struct regression_steps *steps, const struct regression *regression, const double *y,
                       double *slopes)
{
    double right[REGRESSORS_MOST] = { 0 };

    fill_right(steps, y, right);
    for (unsigned set = all_of(steps->columns); set > 0; set--)
        if (solve(&regression->gram, steps->columns, set, right, slopes) && is_least(regression, set, right, slopes))
            return;
    memset(slopes, 0, steps->columns * sizeof *slopes);
}

/* A figure's error is the sum of each step's error times its part. How much that varies is told by a few sums in which
 * the parts are weighted by cosines, of each kind of steps. */
struct doubt {
    const struct regression_steps *steps;
    const struct regression *regression;
    double lasts_s;                   /* the errors */
    double *error, *part;             /* of each step */
    double weight[COSINES_MOST];      /* of each cosine's square in the variance */
    double *of_error[COSINES_MOST];   /* of each true error in its sum, which residuals have but for the columns */
    double *correlated[COSINES_MOST]; /* that, where the errors are correlated */
    size_t cosines;
};

static size_t cosines_of(size_t count, double lasts)
{
    const double most = fmin(fmin(0.4 * pow((double)count, 2.0 / 3), lasts / EACH_COSINE), COSINES_MOST / 2.0);

    return most < LEAST_COSINES ? LEAST_COSINES : (size_t)most;
}

/* Between a step and the next. */
static double correlation(const struct doubt *doubt, size_t step)
{
    return exp(-(doubt->steps->weight[step] + doubt->steps->weight[step + 1]) / 2 / doubt->lasts_s);
}

/* to: the covariances of errors, which die out with time, times `from`. */
static void correlate(const struct doubt *doubt, const double *from, double *to)
{
    const size_t count = doubt->steps->count;
    double beside = 0;

    for (size_t k = 0; k < count; k++) {
        to[k] = from[k] + beside;
        beside = k + 1 < count ? (beside + from[k]) * correlation(doubt, k) : 0;
    }
    for (size_t k = count; k-- > 1;) {
        beside = (beside + from[k]) * correlation(doubt, k - 1);
        to[k - 1] += beside;
    }
}

/* What residuals are weighted by as what the errors are. */
static void take_off_columns(const struct doubt *doubt, double *weights)
{
    const struct regression_steps *steps = doubt->steps;
    double sums[REGRESSORS_MOST] = { 0 }, by[REGRESSORS_MOST];

    for (size_t k = 0; k < steps->count; k++)
        for (size_t i = 0; i < steps->columns; i++)
            sums[i] += row(steps, k)[i] * weights[k];
    for (size_t i = 0; i < steps->columns; i++)
        by[i] = dot(doubt->regression->inverse.at[i], sums, steps->columns);
    for (size_t k = 0; k < steps->count; k++)
        weights[k] -= steps->weight[k] * dot(by, row(steps, k), steps->columns);
}

/* What a step's error has in common with the one so many steps later. */
static double common(const double *error, size_t count, size_t later)
{
    return dot(error, error + later, count - later) / dot(error, error, count);
}

/* By how fast that dies out from the next step to the third. What changes within a step, and is in none of these, makes
 * it look faster from a step to the next. */
static double errors_last_s(const struct regression_steps *steps, const double *error)
{
    const double next = common(error, steps->count, 1), third = common(error, steps->count, 3);
    double lasts = 0, keeps = next;

    for (size_t k = 0; k < steps->count; k++)
        lasts += steps->weight[k];
    if (next > ANY_IN_COMMON && third > 0)
        keeps = fmax(next, sqrt(third / next));
    return -lasts / (double)steps->count / log(fmin(0.99, fmax(0.01, keeps)));
}

/* What each step's error is, and its part in the figure's. The squares of the errors together. */
static double fill_errors(struct doubt *doubt, const double *y, const struct regression_figure *figure)
{
    const struct regression_steps *steps = doubt->steps;
    const size_t columns = steps->columns;
    double right[REGRESSORS_MOST] = { 0 }, slopes[REGRESSORS_MOST], direction[REGRESSORS_MOST], squares = 0;

    fill_right(steps, y, right);
    for (size_t i = 0; i < columns; i++) {
        slopes[i] = dot(doubt->regression->inverse.at[i], right, columns);
        direction[i] = dot(doubt->regression->inverse.at[i], figure->sums, columns);
    }
    for (size_t k = 0; k < steps->count; k++) {
        doubt->error[k] = y[k] - dot(slopes, row(steps, k), columns);
        doubt->part[k] = figure->of_step[k] - steps->weight[k] * dot(direction, row(steps, k), columns);
        squares += steps->weight[k] * doubt->error[k] * doubt->error[k];
    }
    doubt->lasts_s = errors_last_s(steps, doubt->error);
    return squares;
}

static bool is_of_kind(const struct regression_steps *steps, size_t step, bool second)
{
    return (steps->second && steps->second[step]) == second;
}

/* The variance by the cosines of one kind of steps, evenly weighted: so few that they are slower than what the errors
 * last (Lazarus, Lewis, Stock and Watson 2018). */
static double take_cosines(struct doubt *doubt, bool second, double **room)
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
        sum = dot(doubt->error, weights, steps->count);
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
static struct regression_doubt corrected(const struct doubt *doubt, double variance, double *room)
{
    const size_t count = doubt->steps->count;
    double mean = 0, square = 0;

    for (size_t i = 0; i < doubt->cosines; i++)
        for (size_t j = 0; j < doubt->cosines; j++) {
            const double product = dot(doubt->of_error[i], doubt->correlated[j], count);
            mean += i == j ? doubt->weight[i] * product : 0;
            square += doubt->weight[i] * doubt->weight[j] * product * product;
        }
    correlate(doubt, doubt->part, room);
    return (struct regression_doubt){ sqrt(variance * dot(doubt->part, room, count) / mean), mean * mean / square,
                                      NAN };
}

struct regression_doubt regression_doubt_of(const struct regression_steps *steps, const struct regression *regression,
                                            const double *y, const struct regression_figure *figure)
{
    const size_t count = steps->count;
    AUTO_FREE double *room = calloc((2 * COSINES_MOST + 3) * count + 1, sizeof *room);
    struct doubt doubt = { .steps = steps, .regression = regression, .error = room, .part = room + count };
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
