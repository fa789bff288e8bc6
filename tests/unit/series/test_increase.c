/* SPDX-License-Identifier: MIT
 * What a counter has counted: every right value is worked out by hand. */
#include "unit.h"

#include "series/increase.h"

#include <math.h>
#include <string.h>

enum { MAX = 16 };

static struct increase_rules plain(void)
{
    return (struct increase_rules){ .from_s = NAN, .to_s = NAN, .range_j = NAN, .j_per_unit = 1 };
}

/* Values at 0 s, 10 s, 20 s ... */
static struct increase of(const double *values, size_t count, const struct increase_rules *rules)
{
    struct series_point points[MAX];
    const struct metric_series series = { .points = points, .point_count = count };
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

/* What crosses an edge counts by its share in time; what may lie within is between nothing and all of it. */
START_TEST(window)
{
    struct increase_rules rules = plain();
    struct increase increase;

    rules.from_s = 5;
    rules.to_s = 45;
    increase = OF(&rules, 0, 10, 30, NAN, 60, 100);
    ck_assert_double_eq_tol(increase.joules, 5 + 20 + 30 + 20, 1e-9);
    ck_assert_double_eq_tol(increase.low_j, 20 + 30, 1e-9);
    ck_assert_double_eq_tol(increase.high_j, 100, 1e-9);
    ck_assert_double_eq(increase.first_s, 5);
    ck_assert_double_eq(increase.last_s, 45);
    ck_assert_double_eq_tol(increase.covered, 1, 1e-12);
    ck_assert_double_eq(increase.last_j, 60);
    ck_assert_uint_eq(increase.points, 3);
    rules.from_s = 10;
    rules.to_s = 40;
    increase = OF(&rules, 0, 10, 30, NAN, 60, 100);
    ck_assert_double_eq_tol(increase.joules, 50, 1e-9);
    ck_assert(increase.low_j == increase.joules && increase.high_j == increase.joules);
    ck_assert_double_eq_tol(increase.covered, 1, 1e-12);
    /* within one interval */
    rules.from_s = 22;
    rules.to_s = 27;
    increase = OF(&rules, 0, 10, 30, NAN, 60, 100);
    ck_assert_double_eq_tol(increase.joules, 7.5, 1e-9);
    ck_assert_double_eq(increase.low_j, 0);
    ck_assert_double_eq_tol(increase.high_j, 30, 1e-9);
    /* nothing is extrapolated: before the first sample and behind the last it is not known */
    rules.from_s = -20;
    rules.to_s = 60;
    increase = OF(&rules, 0, 10, 30, 40, 60);
    ck_assert_double_eq_tol(increase.joules, 60, 1e-9);
    ck_assert_double_eq_tol(increase.covered, 0.5, 1e-12);
    ck_assert_double_eq(increase.first_s, 0);
    ck_assert_double_eq(increase.last_s, 40);
    /* it had ended before, it began behind */
    rules.from_s = 50;
    ck_assert_uint_eq(OF(&rules, 0, 10, 30, 40, 60).reported, 0);
    rules.from_s = -20;
    rules.to_s = -10;
    increase = OF(&rules, 0, 10, 30, 40, 60);
    ck_assert_uint_eq(increase.reported, 0);
    ck_assert_double_nan(increase.joules);
}
END_TEST

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

/* Joules at such a time of what draws 100 W, and between 60 and 140 W by turns of an hour. */
static double drawn_j(double time_s)
{
    return 100 * time_s + 40 * 3600 / (2 * M_PI) * (1 - cos(2 * M_PI * time_s / 3600));
}

/* A thousand windows at a thousand scrape intervals from 1 to 120 s, none of them regular: each has what the counter
 * says at its edges, a window that is cut adds up, and the bounds hold. */
START_TEST(windows_add_up)
{
    enum { SAMPLES = 4000, WINDOWS = 1000 };
    struct series_point *points = malloc(SAMPLES * sizeof *points);
    const struct metric_series series = { .points = points, .point_count = SAMPLES };
    struct increase_rules rules = plain();
    unsigned state = 19;
    struct error err;

    for (int i = 0; i < WINDOWS; i++) {
        const double interval_s = 1 + 119 * uniform(&state);
        double at_s = interval_s * uniform(&state), parts_j = 0;
        struct increase whole, part;
        for (size_t p = 0; p < SAMPLES; p++, at_s += interval_s * (0.9 + 0.2 * uniform(&state)))
            points[p] = (struct series_point){ at_s, drawn_j(at_s) };
        rules.from_s = interval_s * (2 + 100 * uniform(&state));
        rules.to_s = rules.from_s + interval_s * (20 + 3000 * uniform(&state));
        const double from_s = rules.from_s, to_s = rules.to_s, true_j = drawn_j(to_s) - drawn_j(from_s);
        ck_assert(increase_of(&series, &rules, &whole, &err));
        ck_assert_double_eq_tol(whole.joules, true_j, 1e-3 * true_j);
        ck_assert(whole.low_j <= true_j && true_j <= whole.high_j);
        ck_assert_double_eq_tol(whole.covered, 1, 1e-9);
        for (double end_s = from_s; end_s < to_s;) {
            rules.from_s = end_s;
            rules.to_s = end_s = fmin(to_s, end_s + interval_s * (0.1 + 500 * uniform(&state)));
            ck_assert(increase_of(&series, &rules, &part, &err));
            parts_j += part.joules;
        }
        ck_assert_double_eq_tol(parts_j, whole.joules, 1e-9 * whole.joules);
    }
    free(points);
}
END_TEST

/* A step of more than can be drawn is none; a second of grace for what was counted before it was read. */
START_TEST(implausible)
{
    struct increase_rules rules = plain();
    struct increase increase;

    rules.max_w = 100;
    increase = OF(&rules, 0, 1100, 1200);
    ck_assert_double_eq_tol(increase.joules, 1200, 1e-9);
    ck_assert_uint_eq(increase.implausible, 0);
    rules.from_s = 0;
    rules.to_s = 30;
    increase = OF(&rules, 0, 100, 4.6e15, 4.6e15 + 50);
    ck_assert_double_eq_tol(increase.joules, 150, 1e-3);
    ck_assert_uint_eq(increase.implausible, 1);
    ck_assert_double_eq_tol(increase.implausible_j, 4.6e15 - 100, 1);
    ck_assert_double_eq_tol(increase.covered, 2 / 3.0, 1e-12);
    increase = OF(&rules, 0, 4.6e15);
    ck_assert_double_nan(increase.joules);
    ck_assert(!increase.single && increase.reported);
    /* nobody waits for ten years */
    rules.untimed = true;
    ck_assert_double_nan(OF(&rules, 0, 4.6e15).joules);
}
END_TEST

/* Two values of one time: neither counts; the same twice is one. */
START_TEST(given_twice)
{
    const struct series_point points[] = { { 0, 10 }, { 10, 20 }, { 10, 20 }, { 20, 30 }, { 20, 90 }, { 30, 40 } };
    const struct metric_series series = { .points = (struct series_point *)points, .point_count = 6 };
    struct increase_rules rules = plain();
    struct increase increase;
    struct error err;

    ck_assert(increase_of(&series, &rules, &increase, &err));
    ck_assert_double_eq_tol(increase.joules, 30, 1e-12);
    ck_assert_uint_eq(increase.twice, 1);
    ck_assert_uint_eq(increase.points, 3);
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
    /* nothing else tells what power is plausible: since it began again at 0 it has counted so much, and not nothing */
    increase = OF(&rules, 1000, 40);
    ck_assert_double_eq(increase.joules, 40);
    ck_assert_double_eq_tol(increase.irate_w, 4, 1e-12);
    rules.max_w = 1;
    increase = OF(&rules, 1000, 40);
    ck_assert_double_nan(increase.joules);
    ck_assert_double_eq_tol(increase.doubtful_j, 40, 1e-12);
    /* a processor's own counter may also have wrapped, which comes to another energy */
    rules.max_w = 0;
    rules.raw = true;
    ck_assert_double_nan(OF(&rules, 262100, 43.328).joules);
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
    rules.zones_max = 8;
    increase = OF(&rules, 130000, 130500, 1000 - (131065.221974 - 130500), 1500 - (131065.221974 - 130500));
    ck_assert_uint_eq(increase.wraps, 1);
    ck_assert_double_eq_tol(increase.joules, 500 + 1000 + 500, 1e-6);
    rules.zones_max = 0;
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
    ck_assert_double_eq_tol(increase.joules, 15, 1e-12); /* 5 J in the 20 s round the one that is no energy */
    ck_assert_double_eq_tol(increase.doubtful_j, 15, 1e-12);
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
    ck_assert_double_nan(increase.joules);
    ck_assert_uint_eq(increase.resets, 1);
    ck_assert_double_eq_tol(increase.doubtful_j, 100, 1e-12);
}
END_TEST

START_TEST(power)
{
    const struct series_point points[] = { { 0, 4e6 }, { 10, 6e6 }, { 30, 6e6 } };
    const struct metric_series series = { .points = (struct series_point *)points, .point_count = 3 };
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

/* What one value too high would have told lies between its neighbours only. */
START_TEST(implausible_power)
{
    const struct series_point points[] = { { 0, 6 }, { 10, 6 }, { 20, 1e9 }, { 30, 6 }, { 40, 6 } };
    const struct metric_series series = { .points = (struct series_point *)points, .point_count = 5 };
    struct increase_rules rules = plain();
    struct increase increase;
    struct error err;

    rules.max_w = 100;
    ck_assert(increase_of_power(&series, &rules, &increase, &err));
    ck_assert_double_eq_tol(increase.joules, 60 + 60, 1e-9);
    ck_assert_uint_eq(increase.implausible, 2);
    ck_assert_double_eq_tol(increase.implausible_j, 2 * (1e9 + 6) / 2 * 10, 1e-3);
}
END_TEST

UNIT_SUITE("increase", forward, too_few, window, reset, wrap, a_wrap_agrees_with_its_neighbours, what_a_reset_leaves,
           gaps, what_is_a_gap, untimed, power, implausible_power, windows_add_up, implausible, given_twice)
