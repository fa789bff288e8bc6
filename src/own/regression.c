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

/* Errors last for less than the half wave of the highest cosine: seconds, where weights are. */
#define EACH_COSINE 5.0
#define LEAST_COSINES 2

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

/* A sum, its variance, and the degrees of freedom which that stands on. */
struct spectrum {
    double variance, freedom;
};

/* The variance of the sum of what follows in time is told by its lowest cosines, evenly weighted: so few that they are
 * slower than what the errors last, and that Student's t holds (Lazarus, Lewis, Stock and Watson 2018). */
static struct spectrum spectrum_of(const double *scores, size_t count, double lasts)
{
    const double most = fmin(0.4 * pow((double)count, 2.0 / 3), lasts / EACH_COSINE);
    const size_t cosines = most < LEAST_COSINES ? LEAST_COSINES : (size_t)most;
    struct spectrum out = { 0, (double)cosines };

    for (size_t j = 1; j <= cosines; j++) {
        double sum = 0;
        for (size_t k = 0; k < count; k++)
            sum += scores[k] * cos(M_PI * (double)j * ((double)k + 0.5) / (double)count);
        out.variance += 2 * sum * sum / (double)cosines;
    }
    return out;
}

/* By Welch and Satterthwaite. */
static struct spectrum both(const struct spectrum *a, const struct spectrum *b)
{
    const double variance = a->variance + b->variance;
    const double squares = a->variance * a->variance / a->freedom + b->variance * b->variance / b->freedom;

    return (struct spectrum){ variance, squares > 0 ? variance * variance / squares : a->freedom + b->freedom };
}

/* What each step's error adds to the figure's. The squares of the errors together. */
static double fill_scores(const struct regression_steps *steps, const struct regression *regression, const double *y,
                          const struct regression_figure *figure, double *scores)
{
    const size_t columns = steps->columns;
    double right[REGRESSORS_MOST] = { 0 }, slopes[REGRESSORS_MOST], direction[REGRESSORS_MOST], squares = 0;

    fill_right(steps, y, right);
    for (size_t i = 0; i < columns; i++) {
        slopes[i] = dot(regression->inverse.at[i], right, columns);
        direction[i] = dot(regression->inverse.at[i], figure->sums, columns);
    }
    for (size_t k = 0; k < steps->count; k++) {
        const double error = y[k] - dot(slopes, row(steps, k), columns);
        scores[k] = error * (figure->of_step[k] - steps->weight[k] * dot(direction, row(steps, k), columns));
        squares += steps->weight[k] * error * error;
    }
    return squares;
}

/* Of one kind of steps. */
static struct spectrum spectrum_of_kind(const struct regression_steps *steps, const double *scores, bool second,
                                        double *room)
{
    size_t count = 0;
    double lasts = 0;

    for (size_t k = 0; k < steps->count; k++)
        if ((steps->second && steps->second[k]) == second) {
            room[count++] = scores[k];
            lasts += steps->weight[k];
        }
    return spectrum_of(room, count, lasts);
}

struct regression_doubt regression_doubt_of(const struct regression_steps *steps, const struct regression *regression,
                                            const double *y, const struct regression_figure *figure)
{
    const size_t count = steps->count;
    const double freedom = (double)(count - steps->columns);
    AUTO_FREE double *scores = calloc(2 * count + 1, sizeof *scores);
    struct spectrum first, second, sum;
    double squares;

    if (!scores)
        return (struct regression_doubt){ NAN, NAN, NAN };
    squares = fill_scores(steps, regression, y, figure, scores);
    first = spectrum_of_kind(steps, scores, false, scores + count);
    second = spectrum_of_kind(steps, scores, true, scores + count);
    sum = both(&first, &second);
    return (struct regression_doubt){ sqrt(sum.variance * (double)count / freedom), sum.freedom, squares / freedom };
}
