/* SPDX-License-Identifier: MIT
 * Weighted least squares of a few columns by their normal equations. */
#include "own/regression.h"

#include <math.h>
#include <string.h>

/* A column is resolved if its own part has this many times the variance of its noise, in more than a few steps. */
#define ABOVE_NOISE 20.0
#define MIN_STEPS 6.0

/* This part of a column's squares must be its own, or it is a combination of the others. */
#define MIN_OWN 1e-9

static void fill_gram(const struct regression_steps *steps, struct regression_matrix *gram)
{
    *gram = (struct regression_matrix){ .at = { { 0 } } };
    for (size_t k = 0; k < steps->count; k++)
        for (size_t i = 0; i < steps->columns; i++)
            for (size_t j = 0; j < steps->columns; j++)
                gram->at[i][j] += steps->weight[k] * steps_row(steps, k)[i] * steps_row(steps, k)[j];
}

/* The columns in `set` of gram × solution = right; the others are 0. False: they are not independent. By Cholesky's
 * factor. */
static bool solve(const struct regression_matrix *gram, size_t columns, unsigned set, const double *right,
                  double *solution)
{
    double factor[REGRESSORS_MAX][REGRESSORS_MAX] = { { 0 } };
    size_t chosen[REGRESSORS_MAX], count = 0;

    memset(solution, 0, columns * sizeof *solution);
    for (size_t i = 0; i < columns; i++)
        if (set & 1U << i)
            chosen[count++] = i;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            const double rest = gram->at[chosen[i]][chosen[j]] - steps_dot(factor[i], factor[j], j);
            if (i == j && !(rest > MIN_OWN * gram->at[chosen[i]][chosen[i]]))
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
        double unit[REGRESSORS_MAX] = { 0 };
        unit[i] = 1;
        if (!solve(gram, columns, all_of(columns), unit, inverse->at[i]))
            return false;
    }
    return true;
}

/* What is a column's own is its residual from the others: its squares are 1 / inverse[i][i]. */
static bool is_known(const struct regression_steps *steps, const struct regression_matrix *inverse, size_t column)
{
    const double own = 1 / inverse->at[column][column];
    double squares = 0, noise = 0;

    for (size_t i = 0; i < steps->columns; i++)
        noise +=
            inverse->at[column][i] * own * steps_dot(steps->noise.at[i], inverse->at[column], steps->columns) * own;
    if (!(own > ABOVE_NOISE * noise))
        return false;
    for (size_t k = 0; k < steps->count; k++) {
        const double residual = steps_dot(inverse->at[column], steps_row(steps, k), steps->columns) * own;
        const double square = steps->weight[k] * residual * residual;
        squares += square * square;
    }
    return own * own >= MIN_STEPS * squares;
}

bool regression_of(const struct regression_steps *steps, struct regression *regression)
{
    *regression = (struct regression){ .columns = steps->columns };
    if ((double)steps->count < (double)steps->columns + MIN_STEPS)
        return false;
    fill_gram(steps, &regression->gram);
    if (!invert(&regression->gram, steps->columns, &regression->inverse))
        return false;
    for (size_t i = 0; i < steps->columns; i++)
        if (!is_known(steps, &regression->inverse, i))
            return false;
    for (size_t i = 0; i < steps->columns; i++)
        for (size_t j = 0; j < steps->columns; j++)
            regression->gram.at[i][j] -= steps->noise.at[i][j];
    return invert(&regression->gram, steps->columns, &regression->inverse);
}

/* Raising one that is 0 does not bring the squares down (Karush, Kuhn and Tucker). */
static bool is_min(const struct regression *regression, unsigned set, const double *right, const double *slopes)
{
    for (size_t i = 0; i < regression->columns; i++) {
        const double gradient = right[i] - steps_dot(regression->gram.at[i], slopes, regression->columns);
        if (set & 1U << i ? slopes[i] < 0 : gradient > MIN_OWN * fabs(right[i]))
            return false;
    }
    return true;
}

/* Which of so few are 0 is tried out, none of them first. */
void regression_slopes(const struct regression_steps *steps, const struct regression *regression, const double *y,
                       double *slopes)
{
    double right[REGRESSORS_MAX] = { 0 };

    steps_right(steps, y, right);
    for (unsigned set = all_of(steps->columns); set > 0; set--)
        if (solve(&regression->gram, steps->columns, set, right, slopes) && is_min(regression, set, right, slopes))
            return;
    memset(slopes, 0, steps->columns * sizeof *slopes);
}
