/* SPDX-License-Identifier: MIT
 * Least squares against slopes that are known, and steps that do not tell them. */
#include "unit.h"

#include "chance.h"
#include "own/regression.h"

#include <math.h>
#include <string.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9 * fmax(1, fabs(b)))

enum { IDLE, OTHERS, JOB, COLUMNS, MAX = 400 };

struct bench {
    double x[MAX * REGRESSORS_MAX], weight[MAX], y[MAX], of_step[MAX];
    struct regression_steps steps;
    struct regression regression;
    double slopes[REGRESSORS_MAX];
};

static void set_up(struct bench *b, size_t columns)
{
    memset(b, 0, sizeof *b);
    b->steps = (struct regression_steps){ .columns = columns, .x = b->x, .weight = b->weight };
}

static void step(struct bench *b, double weight, const double *x, const double *slopes)
{
    const size_t k = b->steps.count++;

    b->weight[k] = weight;
    for (size_t i = 0; i < b->steps.columns; i++) {
        b->x[k * b->steps.columns + i] = x[i];
        b->y[k] += slopes[i] * x[i];
    }
}

/* Others come and go, the job with pauses of its own. */
static void come_and_go(struct bench *b, size_t count, const double *slopes)
{
    struct chance chance = chance_of(7);

    set_up(b, COLUMNS);
    for (size_t k = 0; k < count; k++) {
        const double x[] = { 1, floor(4 * chance_uniform(&chance)), chance_uniform(&chance) < 0.5 };
        step(b, 0.1 + chance_uniform(&chance), x, slopes);
    }
}

/* What is made of such steps. */
static void solve(struct bench *b, const double *slopes)
{
    come_and_go(b, 40, slopes);
    ck_assert(regression_of(&b->steps, &b->regression));
    regression_slopes(&b->steps, &b->regression, b->y, b->slopes);
}

START_TEST(exact_powers_give_exact_slopes)
{
    static const double slopes[] = { 17.25, 11.125, 31.5 };
    struct bench b;

    solve(&b, slopes);
    for (size_t i = 0; i < COLUMNS; i++)
        NEAR(b.slopes[i], slopes[i]);
}
END_TEST

/* A job that saves power, were it not for nobody: it is at 0 what the squares are least at. */
START_TEST(no_slope_is_below_nothing)
{
    static const double slopes[] = { 20, 10, -3 };
    struct bench b, without;

    solve(&b, slopes);
    ck_assert_double_eq(b.slopes[JOB], 0);
    set_up(&without, JOB);
    for (size_t k = 0; k < b.steps.count; k++) {
        const double nothing[] = { 0, 0 };
        step(&without, b.weight[k], &b.x[k * COLUMNS], nothing);
        without.y[k] = b.y[k];
    }
    ck_assert(regression_of(&without.steps, &without.regression));
    regression_slopes(&without.steps, &without.regression, without.y, without.slopes);
    NEAR(b.slopes[IDLE], without.slopes[IDLE]);
    NEAR(b.slopes[OTHERS], without.slopes[OTHERS]);
}
END_TEST

/* Powers that are all 0 have no slope. */
START_TEST(of_nothing_there_is_nothing)
{
    static const double slopes[] = { 0, 0, 0 };
    struct bench b;

    solve(&b, slopes);
    for (size_t i = 0; i < COLUMNS; i++)
        ck_assert_double_eq(b.slopes[i], 0);
}
END_TEST

/* In each of these one column is what the others come to. */
START_TEST(what_goes_together_is_refused)
{
    static const double slopes[] = { 20, 10, 30 };
    static const double together[][2][COLUMNS] = {
        { { 1, 2, 0 }, { 1, 2, 1 } },     /* others never went */
        { { 1, 0, 0 }, { 1, 2, 1 } },     /* they came with the job */
        { { 1, 4, 0 }, { 1, 3, 1 } },     /* they made way for it */
        { { 1, 1, 0.5 }, { 1, 2, 1.5 } }, /* both came */
    };
    struct bench b;

    for (size_t i = 0; i < sizeof together / sizeof together[0]; i++) {
        set_up(&b, COLUMNS);
        for (int k = 0; k < 60; k++)
            step(&b, 0.2, together[i][k % 2], slopes);
        ck_assert_msg(!regression_of(&b.steps, &b.regression), "case %zu", i);
    }
}
END_TEST

/* Three of sixty steps are another way round, then ten: that tells it. Of eight steps nothing is. */
START_TEST(a_few_steps_tell_nothing)
{
    static const double slopes[] = { 20, 10, 30 };
    static const double x[][COLUMNS] = { { 1, 2, 0 }, { 1, 2, 1 }, { 1, 0, 1 } };
    struct bench b;

    for (int apart = 3; apart <= 10; apart += 7) {
        set_up(&b, COLUMNS);
        for (int k = 0; k < 60; k++)
            step(&b, 0.2, x[k < apart ? 2 : k % 2], slopes);
        ck_assert(regression_of(&b.steps, &b.regression) == (apart == 10));
    }
    b.steps.count = 8;
    ck_assert(!regression_of(&b.steps, &b.regression));
}
END_TEST

/* Where it is no more than noise that sets a column apart; and what noise there is does not flatten the slopes. */
START_TEST(noise_is_taken_out)
{
    static const double slopes[] = { 20, 10, 30 };
    static struct bench b;
    struct chance chance = chance_of(3);
    double flat = 0, mean = 0;

    for (int experiment = 0; experiment < 500; experiment++) {
        come_and_go(&b, MAX, slopes);
        for (size_t k = 0; k < MAX; k++) {
            const double noise = 0.2 * chance_normal(&chance);
            b.x[k * COLUMNS + OTHERS] += noise;
            b.steps.noise.at[OTHERS][OTHERS] += b.weight[k] * 0.04;
        }
        ck_assert(regression_of(&b.steps, &b.regression));
        regression_slopes(&b.steps, &b.regression, b.y, b.slopes);
        mean += b.slopes[OTHERS] / 500;
        b.steps.noise.at[OTHERS][OTHERS] = 0;
        ck_assert(regression_of(&b.steps, &b.regression));
        regression_slopes(&b.steps, &b.regression, b.y, b.slopes);
        flat += b.slopes[OTHERS] / 500;
    }
    ck_assert_double_eq_tol(mean, 10, 0.02);
    ck_assert_double_eq_tol(flat, 10 * 1.25 / 1.29, 0.02);
    for (size_t k = 0; k < MAX; k++)
        b.steps.noise.at[OTHERS][OTHERS] += b.weight[k] * 0.1;
    ck_assert(!regression_of(&b.steps, &b.regression));
}
END_TEST

/* Of independent errors of a watt in steps of a second: what the slope of others is off by, by the book. */
START_TEST(the_doubt_is_that_of_the_book)
{
    static const double slopes[] = { 20, 10, 30 };
    const double sums[] = { 0, 1, 0 };
    struct bench b;
    struct chance chance = chance_of(11);
    double squares = 0, freedom = 0;

    for (int experiment = 0; experiment < 400; experiment++) {
        struct regression_doubt doubt;
        come_and_go(&b, 200, slopes);
        for (size_t k = 0; k < b.steps.count; k++) {
            b.weight[k] = 1;
            b.y[k] += chance_normal(&chance);
        }
        ck_assert(regression_of(&b.steps, &b.regression));
        doubt = regression_doubt_of(&b.steps, &b.regression, b.y, &(struct regression_figure){ b.of_step, sums, 0 });
        squares += doubt.deviation * doubt.deviation / b.regression.inverse.at[OTHERS][OTHERS] / 400;
        ck_assert_double_eq_tol(doubt.scatter, 1, 0.5);
        freedom = doubt.freedom;
    }
    ck_assert_double_eq_tol(squares, 1, 0.05);
    /* as many as cosines, less what the columns take of them */
    ck_assert_double_le(freedom, floor(0.4 * pow(200, 2.0 / 3)));
    ck_assert_double_ge(freedom, 0.9 * floor(0.4 * pow(200, 2.0 / 3)));
}
END_TEST

/* Errors that last for two seconds, in 20 of them, of which few cosines tell: the mean over many is still what it is
 * off by, and there are few degrees of freedom. */
START_TEST(lasting_errors_widen_it_by_as_much)
{
    static const double slopes[] = { 20, 10, 30 };
    const double sums[] = { 1, 0, 0 }, keeps = exp(-0.1);
    enum { EXPERIMENTS = 2000 };
    struct bench b;
    struct chance chance = chance_of(12);
    double reported = 0, truth = 0, freedom = 0;

    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
        struct regression_doubt doubt;
        double error = chance_normal(&chance), got[REGRESSORS_MAX];
        come_and_go(&b, 100, slopes);
        for (size_t k = 0; k < b.steps.count; k++) {
            b.weight[k] = 0.2;
            b.y[k] += error;
            error = keeps * error + sqrt(1 - keeps * keeps) * chance_normal(&chance);
        }
        ck_assert(regression_of(&b.steps, &b.regression));
        regression_slopes(&b.steps, &b.regression, b.y, got);
        doubt = regression_doubt_of(&b.steps, &b.regression, b.y, &(struct regression_figure){ b.of_step, sums, 0 });
        reported += doubt.deviation * doubt.deviation / EXPERIMENTS;
        truth += (got[IDLE] - slopes[IDLE]) * (got[IDLE] - slopes[IDLE]) / EXPERIMENTS;
        freedom += doubt.freedom / EXPERIMENTS;
    }
    ck_assert_double_eq_tol(reported / truth, 1, 0.25);
    ck_assert_double_le(freedom, 3);
    ck_assert_double_ge(freedom, 1);
}
END_TEST

/* A figure of what is left of a column: errors that go with that column are its own, and no errors of it. */
START_TEST(what_goes_with_its_own_column_is_no_error)
{
    static const double slopes[] = { 20, 10, 30 };
    enum { EXPERIMENTS = 2000, STEPS = 200 };
    struct chance chance = chance_of(13);
    double reported = 0, of_none = 0, truth = 0;
    struct bench b;

    for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
        double sums[COLUMNS] = { 0 }, got[REGRESSORS_MAX], figure = 0, own = 0;
        come_and_go(&b, STEPS, slopes);
        for (size_t k = 0; k < STEPS; k++) {
            const double *x = &b.x[k * COLUMNS], off = x[JOB] * 8 * chance_normal(&chance);
            b.weight[k] = 1;
            b.y[k] += off + sqrt(x[OTHERS]) * chance_normal(&chance);
            b.of_step[k] = x[JOB];
            own += x[JOB] * (slopes[JOB] + off);
            sums[IDLE] += x[JOB];
            sums[OTHERS] += x[JOB] * x[OTHERS];
            figure += b.of_step[k] * b.y[k];
        }
        ck_assert(regression_of(&b.steps, &b.regression));
        regression_slopes(&b.steps, &b.regression, b.y, got);
        figure -= sums[IDLE] * got[IDLE] + sums[OTHERS] * got[OTHERS];
        truth += (figure - own) * (figure - own) / EXPERIMENTS;
        reported +=
            pow(regression_doubt_of(&b.steps, &b.regression, b.y, &(struct regression_figure){ b.of_step, sums, JOB })
                    .deviation,
                2) /
            EXPERIMENTS;
        of_none +=
            pow(regression_doubt_of(&b.steps, &b.regression, b.y, &(struct regression_figure){ b.of_step, sums, 0 })
                    .deviation,
                2) /
            EXPERIMENTS;
    }
    ck_assert_double_ge(of_none / truth, 5);
    ck_assert_double_ge(reported / truth, 0.9);
    ck_assert_double_le(reported / truth, 2);
}
END_TEST

UNIT_SUITE("regression", exact_powers_give_exact_slopes, no_slope_is_below_nothing, of_nothing_there_is_nothing,
           what_goes_together_is_refused, a_few_steps_tell_nothing, noise_is_taken_out, the_doubt_is_that_of_the_book,
           lasting_errors_widen_it_by_as_much, what_goes_with_its_own_column_is_no_error)
