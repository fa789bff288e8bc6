/* SPDX-License-Identifier: MIT
 * What a counter has counted: every right value is worked out by hand. */
#include "unit.h"

#include "series/increase.h"

#include <math.h>
#include <string.h>

enum { MOST = 16 };

static struct increase_rules plain(void)
{
    return (struct increase_rules){ .from_s = NAN, .to_s = NAN, .range_j = NAN, .j_per_unit = 1 };
}

/* Values at 0 s, 10 s, 20 s ... */
static struct increase of(const double *values, size_t count, const struct increase_rules *rules)
{
    struct series_point points[MOST];
    const struct series series = { .points = points, .point_count = count };
    struct increase increase;
    struct error err;

    for (size_t i = 0; i < count; i++)
        points[i] = (struct series_point){ 10.0 * (double)i, values[i] };
    ck_assert(increase_of(&series, rules, &increase, &err));
    return increase;
}

#define OF(rules, ...)                                                                                                 \
    of((const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), rules)

START_TEST(forward)
{
    struct increase_rules rules = plain();
    struct increase increase = OF(&rules, 100, 150, 150, 210);

    ck_assert_double_eq_tol(increase.joules, 110, 1e-9);
    ck_assert_double_eq(increase.first_s, 0);
    ck_assert_double_eq(increase.last_s, 30);
    ck_assert_double_nan(increase.covered);
    ck_assert_double_eq_tol(increase.irate_w, 6, 1e-9);
    ck_assert_uint_eq(increase.points, 4);
    ck_assert_uint_eq(increase.resets + increase.wraps + increase.gaps, 0);
    rules.j_per_unit = 1e-6;
    increase = OF(&rules, 1e6, 3e6);
    ck_assert_double_eq_tol(increase.joules, 2, 1e-12);
    ck_assert_double_eq_tol(increase.last_j, 3, 1e-12);
}
END_TEST

START_TEST(too_few)
{
    struct increase_rules rules = plain();
    struct increase increase = OF(&rules, 7);

    ck_assert_double_nan(increase.joules);
    ck_assert_double_nan(increase.irate_w);
    ck_assert_double_eq(increase.last_j, 7);
    increase = OF(&rules, NAN, INFINITY, -INFINITY);
    ck_assert_double_nan(increase.joules);
    ck_assert_double_nan(increase.last_j);
    ck_assert_uint_eq(increase.points, 0);
}
END_TEST

START_TEST(window)
{
    struct increase_rules rules = plain();
    struct increase increase;

    rules.from_s = 5;
    rules.to_s = 45;
    increase = OF(&rules, 0, 10, 30, NAN, 60, 100);
    ck_assert_double_eq_tol(increase.joules, 50, 1e-9);
    ck_assert_double_eq(increase.first_s, 10);
    ck_assert_double_eq(increase.last_s, 40);
    ck_assert_double_eq_tol(increase.covered, 0.75, 1e-12);
    ck_assert_uint_eq(increase.points, 3);
    rules.from_s = 10;
    rules.to_s = 40;
    increase = OF(&rules, 0, 10, 30, NAN, 60, 100);
    ck_assert_double_eq_tol(increase.covered, 1, 1e-12);
}
END_TEST

/* It went on at the same power: the value after the reset is energy, some of what was before it is lost. */
START_TEST(reset)
{
    struct increase_rules rules = plain();
    struct increase increase = OF(&rules, 1000, 1100, 40, 140);

    ck_assert_double_eq_tol(increase.joules, 100 + 40 + 100, 1e-9);
    ck_assert_uint_eq(increase.resets, 1);
    ck_assert_uint_eq(increase.wraps, 0);
    ck_assert_double_eq_tol(increase.doubtful_j, 60, 1e-9);
    /* a thousand times the power of the other steps is none */
    increase = OF(&rules, 100000, 100100, 90000, 90100);
    ck_assert_double_eq_tol(increase.joules, 200, 1e-9);
    ck_assert_uint_eq(increase.resets, 1);
    ck_assert_double_eq_tol(increase.doubtful_j, 90000, 1e-9);
    /* nothing else tells what power is plausible */
    increase = OF(&rules, 1000, 40);
    ck_assert_double_eq(increase.joules, 0);
    ck_assert_double_eq_tol(increase.irate_w, 4, 1e-12);
    ck_assert_double_eq_tol(increase.doubtful_j, 40, 1e-12);
}
END_TEST

START_TEST(wrap)
{
    struct increase_rules rules = plain();
    struct increase increase;

    rules.raw = true;
    increase = OF(&rules, 65000, 65500, 467.389013, 967.389013);
    ck_assert_double_eq_tol(increase.joules, 1500, 1e-6);
    ck_assert_uint_eq(increase.wraps, 1);
    ck_assert_uint_eq(increase.resets, 0);
    increase = OF(&rules, 65000, 65500, 287.000387, 787.000387);
    ck_assert_double_eq_tol(increase.joules, 1500, 1e-6);
    increase = OF(&rules, 261500, 262000, 356.67115, 856.67115);
    ck_assert_double_eq_tol(increase.joules, 1500, 1e-6);
    /* above the smaller ranges, and far below the largest: it began again */
    increase = OF(&rules, 100000, 100500, 400, 900);
    ck_assert_double_eq_tol(increase.joules, 500 + 400 + 500, 1e-9);
    ck_assert_uint_eq(increase.resets, 1);
    ck_assert_uint_eq(increase.wraps, 0);
    /* that of two packages together */
    increase = OF(&rules, 130000, 130500, 1000 - (131065.221974 - 130500), 1500 - (131065.221974 - 130500));
    ck_assert_uint_eq(increase.wraps, 0);
    rules.zones_most = 8;
    increase = OF(&rules, 130000, 130500, 1000 - (131065.221974 - 130500), 1500 - (131065.221974 - 130500));
    ck_assert_uint_eq(increase.wraps, 1);
    ck_assert_double_eq_tol(increase.joules, 500 + 1000 + 500, 1e-6);
    rules.zones_most = 0;
    /* a range that is known is the only one */
    rules.range_j = 1000;
    increase = OF(&rules, 800, 900, 0, 100);
    ck_assert_double_eq_tol(increase.joules, 300, 1e-9);
    ck_assert_uint_eq(increase.wraps, 1);
    rules.raw = false;
    increase = OF(&rules, 800, 900, 0, 100);
    ck_assert_uint_eq(increase.wraps, 0);
    ck_assert_uint_eq(increase.resets, 1);
    ck_assert_double_eq_tol(increase.joules, 200, 1e-9);
}
END_TEST

START_TEST(gaps)
{
    struct increase_rules rules = plain();
    struct increase increase = OF(&rules, 0, 1, 2, NAN, NAN, 5, 6, 7, NAN, 9);

    ck_assert_uint_eq(increase.gaps, 1);
    ck_assert_double_eq_tol(increase.joules, 9, 1e-12);
    rules.untimed = true;
    increase = OF(&rules, 0, 1, 2, NAN, NAN, 5, 6);
    ck_assert_uint_eq(increase.gaps, 0);
}
END_TEST

/* At 10 W, within a factor of 3: 299 and 34 J are a wrap at 1000 J, 301 and 32 J are none. */
START_TEST(a_wrap_agrees_with_its_neighbours)
{
    struct increase_rules rules = plain();
    struct increase increase;

    rules.raw = true;
    rules.range_j = 1000;
    increase = OF(&rules, 800, 900, 199, 299);
    ck_assert_uint_eq(increase.wraps, 1);
    ck_assert_double_eq_tol(increase.joules, 100 + 299 + 100, 1e-9);
    ck_assert_double_eq(increase.doubtful_j, 0);
    ck_assert_uint_eq(OF(&rules, 800, 900, 201, 301).wraps, 0);
    ck_assert_uint_eq(OF(&rules, 890, 990, 24, 124).wraps, 1);
    ck_assert_uint_eq(OF(&rules, 890, 990, 22, 122).wraps, 0);
    /* 10 W before and 40 W after it: within 3 of the nearer of both */
    ck_assert_uint_eq(OF(&rules, 800, 900, 900 - 1, 900 - 1 + 400).wraps, 1);
    ck_assert_uint_eq(OF(&rules, 850, 950, 0, 400).wraps, 1);
    ck_assert_uint_eq(OF(&rules, 890, 990, 22, 422).wraps, 0);
    /* the first and the last step have one neighbour; at 10 s, 5000 J are none of 50 W */
    ck_assert_uint_eq(OF(&rules, 900, 0, 100).wraps, 1);
    ck_assert_uint_eq(OF(&rules, 800, 900, 0).wraps, 1);
    rules.range_j = NAN;
    increase = OF(&rules, NAN, 65000, 4467.389013, 4967.389013);
    ck_assert_uint_eq(increase.wraps, 0);
    ck_assert_double_eq_tol(increase.doubtful_j, 4467.389013, 1e-9);
    /* no neighbour, no power to agree with */
    ck_assert_uint_eq(OF(&rules, 65500, 467.389013).wraps, 0);
    rules.range_j = 0; /* it is not known */
    ck_assert_uint_eq(OF(&rules, 65000, 65500, 467.389013, 967.389013).wraps, 1);
    /* ranges of less than a joule, too */
    rules.range_j = 0.9;
    increase = OF(&rules, 0.7, 0.8, 0, 0.1);
    ck_assert_uint_eq(increase.wraps, 1);
    ck_assert_double_eq_tol(increase.joules, 0.3, 1e-12);
}
END_TEST

/* What was lost is what the largest power would have come to; a counter below zero tells nothing. */
START_TEST(what_a_reset_leaves)
{
    struct increase_rules rules = plain();
    struct increase increase = OF(&rules, 100, 100.5, 0.5, 1);

    ck_assert_double_eq_tol(increase.joules, 1.5, 1e-12);
    ck_assert_double_eq(increase.doubtful_j, 0);
    increase = OF(&rules, 100, 101, 0, 1);
    ck_assert_double_eq_tol(increase.joules, 2, 1e-12);
    ck_assert_double_eq_tol(increase.doubtful_j, 1, 1e-12);
    increase = OF(&rules, 10, 20, -5, 5);
    ck_assert_double_eq_tol(increase.joules, 20, 1e-12);
    ck_assert_double_eq(increase.doubtful_j, 0);
    ck_assert_uint_eq(increase.resets, 1);
    /* 10 and 20 W: three times the larger, 600 J, is plausible, and what was missed of 200 J is nothing */
    increase = OF(&rules, 1000, 1100, 1300, 590, 690);
    ck_assert_double_eq_tol(increase.joules, 100 + 200 + 590 + 100, 1e-9);
    ck_assert_double_eq(increase.doubtful_j, 0);
    increase = OF(&rules, 1000, 1100, 1300, 610, 710);
    ck_assert_double_eq_tol(increase.joules, 100 + 200 + 100, 1e-9);
    ck_assert_double_eq_tol(increase.doubtful_j, 610, 1e-9);
}
END_TEST

/* Longer than 2.5 usual intervals, of which there must be three. */
START_TEST(what_is_a_gap)
{
    struct increase_rules rules = plain();

    ck_assert_uint_eq(OF(&rules, 0, 1, NAN, NAN, NAN, 5).gaps, 0);
    ck_assert_uint_eq(OF(&rules, 0, 1, 2, NAN, NAN, NAN, 6).gaps, 1);
    ck_assert_uint_eq(OF(&rules, 0, 1, 2, NAN, 4).gaps, 0);
    ck_assert_uint_eq(OF(&rules, 0, 1, 2, 3, NAN, NAN, 6, 7, NAN, NAN, NAN, 11, 12).gaps, 2);
    /* 10, 10, 30, 30 and 30 s: 30 s are usual */
    ck_assert_uint_eq(OF(&rules, 0, 1, 2, NAN, NAN, 5, NAN, NAN, 8, NAN, NAN, 11).gaps, 0);
}
END_TEST

START_TEST(untimed)
{
    struct increase_rules rules = plain();
    struct increase increase;

    rules.untimed = rules.raw = true;
    increase = OF(&rules, 100, 250);
    ck_assert_double_eq_tol(increase.joules, 150, 1e-12);
    ck_assert_double_nan(increase.first_s);
    ck_assert_double_nan(increase.irate_w);
    increase = OF(&rules, 65500, 100);
    ck_assert_double_eq(increase.joules, 0);
    ck_assert_uint_eq(increase.resets, 1);
    ck_assert_double_eq_tol(increase.doubtful_j, 100, 1e-12);
}
END_TEST

START_TEST(power)
{
    const struct series_point points[] = { { 0, 4e6 }, { 10, 6e6 }, { 30, 6e6 } };
    const struct series series = { .points = (struct series_point *)points, .point_count = 3 };
    struct increase_rules rules = plain();
    struct increase increase;
    struct error err;

    rules.j_per_unit = 1e-6;
    ck_assert(increase_of_power(&series, &rules, &increase, &err));
    ck_assert_double_eq_tol(increase.joules, 50 + 120, 1e-9);
    ck_assert_double_eq_tol(increase.irate_w, 6, 1e-12);
    ck_assert_double_nan(increase.last_j);
    rules.untimed = true;
    ck_assert(increase_of_power(&series, &rules, &increase, &err));
    ck_assert_double_nan(increase.joules);
}
END_TEST

UNIT_SUITE("increase", forward, too_few, window, reset, wrap, a_wrap_agrees_with_its_neighbours,
           what_a_reset_leaves, gaps, what_is_a_gap, untimed, power)
