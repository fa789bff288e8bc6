/* SPDX-License-Identifier: MIT
 * What the figures of repeated runs come to. */
#include "unit.h"

#include "measurement/run_series.h"

#include <math.h>
#include <string.h>

#define COUNT(values) (sizeof(values) / sizeof(values)[0])

static struct run_figures run_of(double duration_s, double gross_j, double idle_w)
{
    return (struct run_figures){ duration_s, gross_j, idle_w * duration_s, gross_j - idle_w * duration_s, NAN, NAN };
}

static struct run_series series_of(struct run_figures *runs, size_t count)
{
    return (struct run_series){ .name = "A", .runs = runs, .count = count, .quality = QUALITY_MEASURED };
}

START_TEST(powers_are_worked_out_run_by_run)
{
    struct run_figures runs[] = { { 10, 1000, 400, 600, 50, NAN }, { 20, 1000, 800, 200, 50, NAN } };
    const struct run_series series = series_of(runs, 2);

    ck_assert_double_eq(series_spread(&series, FIGURE_DURATION_S).mean, 15);
    ck_assert_double_eq(series_spread(&series, FIGURE_GROSS_J).mean, 1000);
    ck_assert_double_eq(series_spread(&series, FIGURE_IDLE_J).mean, 600);
    ck_assert_double_eq(series_spread(&series, FIGURE_NET_J).mean, 400);
    ck_assert_double_eq(series_spread(&series, FIGURE_GROSS_W).mean, 75);
    ck_assert_double_eq(series_spread(&series, FIGURE_IDLE_W).mean, 40);
    ck_assert_double_eq(series_spread(&series, FIGURE_NET_W).mean, 35);
    ck_assert_double_eq(series_spread(&series, FIGURE_NET_W).deviation, sqrt(2 * 25 * 25));
    ck_assert_double_eq(series_spread(&series, FIGURE_ITEMS_PER_S).mean, 3.75);
}
END_TEST

/* One unknown figure makes the spread unknown; the others stand. */
START_TEST(a_spread_is_of_all_runs_or_unknown)
{
    struct run_figures runs[] = { { 10, 1000, 400, 600, 50, NAN },
                                  { 20, 1000, NAN, NAN, NAN, NAN },
                                  { 0, 1000, 0, 1000, 5, NAN } };
    const struct run_series two = series_of(runs, 2), instant = series_of(runs + 2, 1), none = series_of(NULL, 0);

    ck_assert_uint_eq(series_spread(&two, FIGURE_NET_J).count, 0);
    ck_assert(isnan(series_spread(&two, FIGURE_NET_W).mean));
    ck_assert_uint_eq(series_spread(&two, FIGURE_ITEMS_PER_S).count, 0);
    ck_assert_uint_eq(series_spread(&two, FIGURE_GROSS_J).count, 2);
    ck_assert_uint_eq(series_spread(&instant, FIGURE_GROSS_W).count, 0);
    ck_assert_uint_eq(series_spread(&none, FIGURE_GROSS_J).count, 0);
}
END_TEST

START_TEST(verdicts_have_names)
{
    static const char *const names[] = { "unknown", "one-run",  "less",           "more",
                                         "noise",   "modelled", "not-measurable", "no-idle-baseline" };

    for (size_t i = 0; i < COUNT(names); i++)
        ck_assert_str_eq(verdict_name((enum verdict)i), names[i]);
}
END_TEST

/* 590, 600, 610 J: deviation 10, so 600 +- 4.3027 x 10 / sqrt(3), and (4.3027 + 1.0607) x 10 / sqrt(3) is detectable.
 */
START_TEST(net_has_an_interval_and_a_verdict)
{
    struct run_figures runs[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_series series = series_of(runs, 3);
    struct net_verdict net = net_verdict_of(&series);

    ck_assert_double_eq(net.net_j.mean, 600);
    ck_assert_double_eq_tol(net.net_j_interval.low, 600 - 24.841, 0.001);
    ck_assert_double_eq_tol(net.net_j_interval.high, 600 + 24.841, 0.001);
    ck_assert_double_eq_tol(net.detectable_j, 30.965, 0.001);
    ck_assert_uint_eq(net.runs_needed, 2);
    ck_assert_int_eq(net.verdict, VERDICT_MORE);
    for (size_t i = 0; i < 3; i++)
        runs[i] = run_of(10, 990 + 10 * (double)i, 99);
    net = net_verdict_of(&series);
    ck_assert_int_eq(net.verdict, VERDICT_NOISE);
    /* a deviation of 10 J against a mean of 10 J: 10 runs, by (2.262 + 0.883) / sqrt(10) < 1 < (2.306 + 0.889) / 3 */
    ck_assert_uint_eq(net.runs_needed, 10);
    for (size_t i = 0; i < 3; i++)
        runs[i] = run_of(10, 990 + 10 * (double)i, 110);
    ck_assert_int_eq(net_verdict_of(&series).verdict, VERDICT_LESS);
}
END_TEST

START_TEST(what_can_be_said_depends_on_the_source)
{
    struct run_figures runs[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures unknown[] = { run_of(10, NAN, 40), run_of(10, 1000, 40) };
    struct run_series series = series_of(runs, 3), one = series_of(runs, 1), nothing = series_of(unknown, 2);
    struct net_verdict net;

    series.quality = QUALITY_MODELLED;
    net = net_verdict_of(&series);
    ck_assert_int_eq(net.verdict, VERDICT_MODELLED);
    ck_assert_double_eq_tol(net.net_j_interval.low, 600 - 24.841, 0.001);
    series.constant = true;
    ck_assert_int_eq(net_verdict_of(&series).verdict, VERDICT_NOT_MEASURABLE);
    series.no_idle = true; /* a full machine says nothing of the source */
    ck_assert_int_eq(net_verdict_of(&series).verdict, VERDICT_NO_IDLE_BASELINE);
    ck_assert(!verdict_has_net(VERDICT_NO_IDLE_BASELINE) && !verdict_has_net(VERDICT_NOT_MEASURABLE));
    ck_assert(verdict_has_net(VERDICT_NOISE) && verdict_has_net(VERDICT_MODELLED));
    net = net_verdict_of(&one);
    ck_assert_int_eq(net.verdict, VERDICT_ONE_RUN);
    ck_assert_double_eq(net.net_j.mean, 590);
    ck_assert(isnan(net.net_j_interval.low) && isnan(net.net_j_interval.high) && isnan(net.detectable_j));
    ck_assert_uint_eq(net.runs_needed, 0);
    net = net_verdict_of(&nothing);
    ck_assert_int_eq(net.verdict, VERDICT_UNKNOWN);
    ck_assert_uint_eq(net.net_j.count, 0);
    nothing.constant = true;
    ck_assert_int_eq(net_verdict_of(&nothing).verdict, VERDICT_UNKNOWN);
}
END_TEST

/* 600 against 660 J net, 10 J of deviation each: 60 +- 2.7764 x 10 x sqrt(2 / 3), in per cent of 600. */
START_TEST(two_commands_are_compared_by_net)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1130, 40), run_of(12, 1140, 40), run_of(12, 1150, 40) };
    const struct run_series a = series_of(runs_a, 3), b = series_of(runs_b, 3);
    const struct series_verdict forth = series_verdict_of(&a, &b), back = series_verdict_of(&b, &a);

    ck_assert_int_eq(forth.compared, FIGURE_NET_J);
    ck_assert_double_eq(forth.energy_j.difference, 60);
    ck_assert_double_eq_tol(forth.energy_j.low, 60 - 22.670, 0.001);
    ck_assert_double_eq_tol(forth.energy_j.high, 60 + 22.670, 0.001);
    ck_assert_double_eq_tol(forth.percent, 10, 1e-12);
    ck_assert_double_eq_tol(forth.percent_low, 10 - 22.670 / 6, 0.001);
    ck_assert_double_eq_tol(forth.percent_high, 10 + 22.670 / 6, 0.001);
    /* (2.7764 + 0.9410) x 10 x sqrt(2 / 3) J */
    ck_assert_double_eq_tol(forth.detectable_percent, 30.353 / 6, 0.001);
    ck_assert_double_eq_tol(forth.power_w.difference, 55 - 60, 1e-12);
    ck_assert_double_eq(forth.duration_s.difference, 2);
    ck_assert_double_eq(forth.duration_s.low, 2);
    ck_assert_uint_eq(forth.runs_needed, 2);
    ck_assert_int_eq(forth.verdict, VERDICT_MORE);
    ck_assert_int_eq(back.verdict, VERDICT_LESS);
    ck_assert_double_eq_tol(back.percent, -100 * 60 / 660.0, 1e-12);
}
END_TEST

/* Own: a third of net, by this method. */
static struct run_series by_own(struct run_figures *runs, size_t count, enum own_method method)
{
    struct run_series series = series_of(runs, count);

    for (size_t i = 0; i < count; i++)
        runs[i].own_j = runs[i].net_j / 3;
    series.own_method = method;
    return series;
}

/* Only where both tell it alike, and otherwise than by net. */
START_TEST(two_commands_are_compared_by_own)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1130, 40), run_of(12, 1140, 40), run_of(12, 1150, 40) };
    struct run_series a = by_own(runs_a, 3, OWN_CPU_TIME), b = by_own(runs_b, 3, OWN_CPU_TIME);
    struct series_verdict verdict;

    a.quality = b.quality = QUALITY_MODELLED;
    a.constant = true; /* a model tells the same of a machine that is full */
    verdict = series_verdict_of(&a, &b);
    ck_assert_int_eq(verdict.compared, FIGURE_OWN_J);
    ck_assert_int_eq(verdict.own_method, OWN_CPU_TIME);
    ck_assert_double_eq_tol(verdict.energy_j.difference, 20, 1e-9);
    ck_assert_double_eq_tol(verdict.energy_j.low, (60 - 22.670) / 3, 0.001);
    ck_assert_double_eq_tol(verdict.power_w.difference, 55 / 3.0 - 20, 1e-9);
    ck_assert_double_eq_tol(verdict.percent, 10, 1e-9);
    ck_assert_int_eq(verdict.verdict, VERDICT_MORE);
    ck_assert_int_eq(series_verdict_of(&b, &a).verdict, VERDICT_LESS);
    b.count = 1;
    ck_assert_int_eq(series_verdict_of(&a, &b).verdict, VERDICT_ONE_RUN);
    b.count = 3;
    b.own_method = OWN_SHARE;
    verdict = series_verdict_of(&a, &b);
    ck_assert_int_eq(verdict.compared, FIGURE_NET_J);
    ck_assert_int_eq(verdict.own_method, OWN_UNKNOWN);
    a.own_method = b.own_method = OWN_NET;
    ck_assert_int_eq(series_verdict_of(&a, &b).compared, FIGURE_NET_J);
    a.own_method = b.own_method = OWN_CPU_TIME;
    runs_b[1].own_j = NAN;
    ck_assert_int_eq(series_verdict_of(&a, &b).compared, FIGURE_NET_J);
}
END_TEST

/* What was learnt may be off by 15 J of one and 8 J of the other in all runs, which no scatter shows: with net the
 * interval is as wide as both say. A share has none to go by. */
START_TEST(what_was_learnt_widens_a_comparison)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1130, 40), run_of(12, 1140, 40), run_of(12, 1150, 40) };
    struct run_series a = by_own(runs_a, 3, OWN_PROFILE), b = by_own(runs_b, 3, OWN_NET);
    struct series_verdict verdict = series_verdict_of(&a, &b);
    const double half = verdict.energy_j.high - verdict.energy_j.difference;

    ck_assert_int_eq(verdict.compared, FIGURE_OWN_J);
    ck_assert_int_eq(verdict.own_method, OWN_PROFILE);
    ck_assert_int_eq(verdict.verdict, VERDICT_MORE);
    a.own_doubt_j = 15;
    b.own_doubt_j = 8;
    verdict = series_verdict_of(&a, &b);
    ck_assert_double_eq_tol(verdict.energy_j.high - 20, sqrt(half * half + 17 * 17), 1e-9);
    ck_assert_double_eq_tol(20 - verdict.energy_j.low, sqrt(half * half + 17 * 17), 1e-9);
    ck_assert_int_eq(verdict.verdict, VERDICT_MORE);
    ck_assert_double_lt(verdict.energy_j.p, 0.05);
    a.own_doubt_j = 20;
    verdict = series_verdict_of(&a, &b);
    ck_assert_int_eq(verdict.verdict, VERDICT_NOISE);
    ck_assert_double_gt(verdict.energy_j.p, 0.05);
    ck_assert_double_eq_tol(verdict.duration_s.difference, 2, 1e-9); /* of which nothing was learnt */
    a = by_own(runs_a, 3, OWN_SHARE);
    b = by_own(runs_b, 3, OWN_SHARE);
    verdict = series_verdict_of(&a, &b);
    ck_assert_int_eq(verdict.own_method, OWN_SHARE);
    ck_assert_int_eq(verdict.verdict, VERDICT_UNKNOWN);
}
END_TEST

/* Where one of them has a run without a baseline, gross is compared. */
START_TEST(without_a_baseline_gross_is_compared)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1000, NAN), run_of(12, 1010, 40), run_of(12, 1020, 40) };
    const struct run_series a = series_of(runs_a, 3), b = series_of(runs_b, 3);
    const struct series_verdict verdict = series_verdict_of(&a, &b);

    ck_assert_int_eq(verdict.compared, FIGURE_GROSS_J);
    ck_assert_double_eq(verdict.energy_j.difference, 10);
    ck_assert_double_eq_tol(verdict.percent, 1, 1e-12);
    ck_assert_double_eq_tol(verdict.power_w.difference, 1010 / 12.0 - 100, 1e-12);
    ck_assert_int_eq(verdict.verdict, VERDICT_NOISE);
    /* one deviation apart */
    ck_assert_uint_eq(verdict.runs_needed, 17);
}
END_TEST

START_TEST(a_comparison_says_no_more_than_its_worse_half)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(10, 1990, 40), run_of(10, 2010, 40) };
    struct run_series a = series_of(runs_a, 2), b = series_of(runs_b, 2), one = series_of(runs_b, 1);
    const struct run_series none = series_of(NULL, 0);
    struct series_verdict verdict = series_verdict_of(&a, &one);

    ck_assert_int_eq(verdict.verdict, VERDICT_ONE_RUN);
    ck_assert_double_eq(verdict.energy_j.difference, 990);
    ck_assert_double_eq_tol(verdict.percent, 165, 1e-9);
    ck_assert(isnan(verdict.energy_j.low) && isnan(verdict.percent_low) && isnan(verdict.detectable_percent));
    ck_assert_uint_eq(verdict.runs_needed, 0);
    verdict = series_verdict_of(&none, &b);
    ck_assert_int_eq(verdict.verdict, VERDICT_UNKNOWN);
    ck_assert(isnan(verdict.energy_j.difference) && isnan(verdict.percent));
    b.quality = QUALITY_MODELLED;
    verdict = series_verdict_of(&a, &b);
    ck_assert_int_eq(verdict.verdict, VERDICT_MODELLED);
    ck_assert(verdict.energy_j.low > 0);
    a.constant = true;
    ck_assert_int_eq(series_verdict_of(&a, &b).verdict, VERDICT_NOT_MEASURABLE);
    b.no_idle = true;
    ck_assert_int_eq(series_verdict_of(&a, &b).verdict, VERDICT_NO_IDLE_BASELINE);
    runs_b[0].net_j = NAN; /* gross needs no baseline */
    b.quality = QUALITY_MEASURED;
    a.constant = false;
    ck_assert_int_eq(series_verdict_of(&a, &b).verdict, VERDICT_MORE);
}
END_TEST

/* Of a mean that is above what it may be off by: 600 +- 24.8 J; 20 +- 24.8 J is not. */
START_TEST(a_percentage_is_of_what_is_above_its_noise)
{
    struct run_figures runs[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures little[] = { run_of(10, 410, 40), run_of(10, 420, 40), run_of(10, 430, 40) };
    struct run_series series = series_of(runs, 3), noise = series_of(little, 3), one = series_of(runs, 1);

    ck_assert_double_eq_tol(series_per_cent(&series, FIGURE_NET_J), 100 / 600.0, 1e-12);
    ck_assert_double_eq_tol(series_per_cent(&series, FIGURE_NET_W), 100 / 60.0, 1e-12);
    ck_assert(isnan(series_per_cent(&noise, FIGURE_NET_J)) && isnan(series_per_cent(&noise, FIGURE_NET_W)));
    ck_assert_double_eq_tol(series_per_cent(&noise, FIGURE_GROSS_J), 100 / 420.0, 1e-12);
    ck_assert(isnan(series_verdict_of(&noise, &series).percent));
    ck_assert_double_eq_tol(series_verdict_of(&series, &noise).percent, -100 * 580 / 600.0, 1e-9);

    series.no_idle = true;
    ck_assert(isnan(series_per_cent(&series, FIGURE_NET_J)));
    ck_assert_double_eq_tol(series_per_cent(&series, FIGURE_GROSS_J), 0.1, 1e-12);
    series.no_idle = false;
    series.constant = true;
    ck_assert(isnan(series_per_cent(&series, FIGURE_NET_J)));

    one.net_noise_j = 589;
    ck_assert_double_eq_tol(series_per_cent(&one, FIGURE_NET_J), 100 / 590.0, 1e-12);
    ck_assert_double_eq_tol(series_per_cent(&one, FIGURE_NET_W), 100 / 59.0, 1e-12);
    one.net_noise_j = 590;
    ck_assert(isnan(series_per_cent(&one, FIGURE_NET_J)) && isnan(series_per_cent(&one, FIGURE_NET_W)));
    one.net_noise_j = NAN;
    ck_assert(isnan(series_per_cent(&one, FIGURE_NET_J)));
    ck_assert_double_eq_tol(series_per_cent(&one, FIGURE_DURATION_S), 10, 1e-12);
}
END_TEST

/* A share of nothing, or of less than nothing, says nothing. */
START_TEST(no_percentage_of_what_is_not_above_zero)
{
    struct run_figures runs_a[] = { run_of(10, 395, 40), run_of(10, 405, 40) };
    struct run_figures runs_b[] = { run_of(10, 990, 40), run_of(10, 1010, 40) };
    const struct run_series a = series_of(runs_a, 2), b = series_of(runs_b, 2);
    const struct series_verdict verdict = series_verdict_of(&a, &b);

    ck_assert_double_eq(verdict.energy_j.difference, 600);
    ck_assert_int_eq(verdict.verdict, VERDICT_MORE);
    ck_assert(isnan(verdict.percent) && isnan(verdict.percent_low) && isnan(verdict.percent_high));
    ck_assert(isnan(verdict.detectable_percent));
}
END_TEST

START_TEST(nothing_is_not_minus_nothing)
{
    struct run_figures runs_a[] = { { 10, -0.0, 0, -0.0, NAN, NAN }, { 10, -0.0, 0, -0.0, NAN, NAN } };
    struct run_figures runs_b[] = { { 10, 400, 400, 0, NAN, NAN }, { 10, 400, 400, 0, NAN, NAN } };
    const struct run_series a = series_of(runs_a, 2), b = series_of(runs_b, 2);
    const struct net_verdict net = net_verdict_of(&a);
    const struct series_verdict forth = series_verdict_of(&a, &b), back = series_verdict_of(&b, &a);

    ck_assert_int_eq(net.verdict, VERDICT_NOISE);
    ck_assert(!signbit(net.net_j.mean) && !signbit(net.net_j.min) && !signbit(net.net_j.max));
    ck_assert(!signbit(net.net_j_interval.low) && !signbit(net.net_j_interval.high));
    ck_assert_int_eq(forth.verdict, VERDICT_NOISE);
    ck_assert(!signbit(forth.energy_j.difference) && !signbit(back.energy_j.difference));
    ck_assert(!signbit(forth.energy_j.low) && !signbit(back.energy_j.low));
    ck_assert(!signbit(forth.energy_j.high) && !signbit(back.energy_j.high));
    ck_assert(!signbit(back.power_w.difference) && !signbit(back.duration_s.difference));
}
END_TEST

UNIT_SUITE("series", powers_are_worked_out_run_by_run, a_spread_is_of_all_runs_or_unknown, verdicts_have_names,
           net_has_an_interval_and_a_verdict, what_can_be_said_depends_on_the_source, two_commands_are_compared_by_net,
           two_commands_are_compared_by_own, what_was_learnt_widens_a_comparison, without_a_baseline_gross_is_compared,
           a_comparison_says_no_more_than_its_worse_half, a_percentage_is_of_what_is_above_its_noise,
           no_percentage_of_what_is_not_above_zero, nothing_is_not_minus_nothing)
