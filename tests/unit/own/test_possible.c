/* SPDX-License-Identifier: MIT
 * What own can be at all: by the formulas of two windows, by every idle power and wattage of a grid, and against hidden
 * powers. */
#include "unit.h"

#include "chance.h"
#include "own/possible.h"

#include <math.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-6 * fmax(1, fabs(b)))
#define COUNT(values) (sizeof(values) / sizeof(values)[0])

/* A run of 10 s with 1 CPU of the job's and `others` of others, and a baseline. */
static struct possible_range of_two(double others, double run_w, double baseline_busy, double baseline_w)
{
    const struct possible_step steps[] = { { run_w, 1 + others, 0, 0 }, { baseline_w, baseline_busy, 0, 0 } };
    const struct possible_run run = { 10 * run_w, 10, 10, 10 * others };

    return possible_of(steps, COUNT(steps), &run, 4);
}

/* Idle is known: what lies above it is shared by CPU time, 4 times as much of it or a quarter. */
START_TEST(beside_an_idle_baseline_it_is_a_part_of_net)
{
    const double part = 0.25, net_j = 400;
    const struct possible_range range = of_two(3, 60, 0, 20);

    NEAR(range.low_j, net_j * part / (part + 4 * (1 - part)));
    NEAR(range.high_j, net_j * 4 * part / (4 * part + 1 - part));
}
END_TEST

/* Those of the baseline may have drawn w, those of the run 4 w, and the job w: net = w J + 4 w O - w O_b. Or the job 4
 * w, and all others w, of no idle power: gross = 4 w J + w O. */
START_TEST(who_was_there_before_may_have_been_another)
{
    const struct possible_range range = of_two(1, 40, 1, 30);

    NEAR(range.low_j, 100 / (1 + 4 * 1 - 1.0));
    NEAR(range.high_j, 400 * 4 / (4 + 1.0));
}
END_TEST

/* A counter that is off by 1 W and CPU times that are off by 0.1 leave that much more. */
START_TEST(what_is_told_roughly_bounds_less)
{
    const struct possible_step exact[] = { { 60, 4, 0, 0 }, { 20, 0, 0, 0 } },
                               rough[] = { { 60, 4, 0, 0 }, { 20, 0, 1, 0.1 } };
    const struct possible_run run = { 600, 10, 10, 30 };
    const struct possible_range narrow = possible_of(exact, 2, &run, 4), wide = possible_of(rough, 2, &run, 4);

    /* idle is 21 W at most */
    NEAR(wide.low_j, 390 * 0.25 / (0.25 + 3));
    ck_assert(wide.high_j > narrow.high_j);
}
END_TEST

/* More with nobody busy than with everybody. */
START_TEST(what_contradicts_itself_tells_nothing)
{
    ck_assert(isnan(of_two(3, 19, 0, 20).low_j) && isnan(of_two(3, 19, 0, 20).high_j));
    ck_assert(isnan(of_two(3, NAN, 0, 20).low_j));
}
END_TEST

enum { STEPS = 12, TRIALS = 300, GRID = 300 };

/* Steps of an idle power and watts between w and 4 w, other ones in each; the first is the run. */
static double make_steps(struct chance *chance, struct possible_step *steps, struct possible_run *run)
{
    const double idle_w = 30 * chance_uniform(chance), min_w = 1 + 5 * chance_uniform(chance);
    double job_w = 0;

    for (int i = 0; i < STEPS; i++) {
        const double job = i == 0 ? 1 : 0, others = 3 * chance_uniform(chance);
        job_w = i == 0 ? min_w * (1 + 3 * chance_uniform(chance)) : job_w;
        steps[i] = (struct possible_step){
            .power_w = idle_w + job * job_w + others * min_w * (1 + 3 * chance_uniform(chance)),
            .busy = job + others,
        };
        if (i == 0)
            *run = (struct possible_run){ 10 * steps[0].power_w, 10, 10, 10 * others };
    }
    return 10 * job_w;
}

/* Every idle power and least wattage of a grid that the steps allow. */
static struct possible_range by_grid(const struct possible_step *steps, const struct possible_run *run)
{
    struct possible_range range = { INFINITY, -INFINITY };

    for (int i = 0; i <= GRID; i++)
        for (int j = 0; j <= GRID; j++) {
            const double p = 60.0 * i / GRID, w = 20.0 * j / GRID, above_j = run->gross_j - p * run->duration_s;
            bool allowed = true;
            for (int k = 0; k < STEPS; k++)
                allowed &= p + w * steps[k].busy <= steps[k].power_w && steps[k].power_w <= p + 4 * w * steps[k].busy;
            if (!allowed)
                continue;
            range.low_j = fmin(range.low_j, fmax(w * run->job_s, above_j - 4 * w * run->others_s));
            range.high_j = fmax(range.high_j, fmin(4 * w * run->job_s, above_j - w * run->others_s));
        }
    return range;
}

START_TEST(the_truth_is_possible_and_the_bounds_are_reached)
{
    struct chance chance = chance_of(3);
    double narrow = 0, wide = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct possible_step steps[STEPS];
        struct possible_run run;
        const double own_j = make_steps(&chance, steps, &run);
        const struct possible_range range = possible_of(steps, STEPS, &run, 4), grid = by_grid(steps, &run);
        ck_assert_msg(range.low_j <= own_j && own_j <= range.high_j, "%g: %g to %g", own_j, range.low_j, range.high_j);
        if (!isfinite(grid.low_j))
            continue;
        ck_assert(range.low_j <= grid.low_j + 1e-6 && grid.high_j <= range.high_j + 1e-6);
        narrow += grid.high_j - grid.low_j;
        wide += range.high_j - range.low_j;
    }
    ck_assert_double_ge(narrow / wide, 0.97); /* what the grid leaves between its points */
    ck_assert_double_le(narrow / wide, 1);
}
END_TEST

UNIT_SUITE("possible", beside_an_idle_baseline_it_is_a_part_of_net, who_was_there_before_may_have_been_another,
           what_is_told_roughly_bounds_less, what_contradicts_itself_tells_nothing,
           the_truth_is_possible_and_the_bounds_are_reached)
