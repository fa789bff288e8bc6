/* SPDX-License-Identifier: MIT
 * Several results held against the first: what is compared, what is not, and what is told of it. */
#include "noticed.h"
#include "unit.h"

#include "commands/compare/comparison.h"
#include "report_fixture.h"

#include <math.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-12 * fabs((double)(b)))

/* The fixture's nets are 550 and 574 J; other's are 50 J less. */
struct two {
    struct fixture *first, *other;
    struct comparison comparison;
};

/* Of the test that runs. */
static struct two two;

static void open_two(void)
{
    struct error err;

    two.first = fixture_new();
    two.other = fixture_new();
    for (size_t i = 0; i < 2; i++)
        two.other->runs[i].window.energy_uj[FIXTURE_PACKAGE] -= 50 * FIXTURE_J;
    ck_assert(comparison_open(&two.comparison, 2, &err));
    two.comparison.candidates[0].name = "old";
    two.comparison.candidates[0].report = &two.first->report;
    two.comparison.candidates[1].name = "new";
    two.comparison.candidates[1].report = &two.other->report;
}

static const struct pair *finish_two(void)
{
    struct error err;

    report_finish(&two.first->report);
    report_finish(&two.other->report);
    ck_assert(comparison_finish(&two.comparison, &err));
    ck_assert_uint_eq(two.comparison.pair_count, 1);
    return &two.comparison.pairs[0];
}

static void close_two(void)
{
    comparison_close(&two.comparison);
    fixture_free(two.first);
    fixture_free(two.other);
}

static bool has_notice(const char *what)
{
    return notices_say(&two.comparison.doubts, what);
}

/* Means 562 and 512 J; two runs each 24 J apart: variance 288, standard error sqrt(288) with 2 degrees of freedom. */
START_TEST(a_difference_in_every_figure)
{
    const struct pair *pair;

    pair = finish_two();
    ck_assert(two.comparison.compared == FIGURE_NET_J && pair->verdict.compared == FIGURE_NET_J);
    NEAR(pair->energy_j.welch.difference, -50);
    NEAR(pair->energy_j.percent, -50 / 5.62);
    NEAR(pair->energy_j.welch.freedom, 2);
    NEAR(pair->energy_j.welch.t, -50 / sqrt(288));
    NEAR(pair->power_w.welch.difference, -5);
    NEAR(pair->power_w.percent, -50 / 5.62);
    ck_assert_double_eq(pair->duration_s.welch.difference, 0);
    ck_assert_double_eq(pair->duration_s.percent, 0);
    NEAR(pair->kgco2eq.welch.difference, -50 / 3.6e6 * 1.2 * 0.044);
    NEAR(pair->kgco2eq.welch.high, pair->energy_j.welch.high / 3.6e6 * 1.2 * 0.044);
    NEAR(pair->kgco2eq.welch.detectable, pair->energy_j.welch.detectable / 3.6e6 * 1.2 * 0.044);
    NEAR(pair->kgco2eq.percent_low, pair->energy_j.percent_low);
    ck_assert_double_eq(pair->kgco2eq.welch.p, pair->energy_j.welch.p);
    ck_assert_double_eq(pair->p_holm, pair->energy_j.welch.p);
    ck_assert_uint_eq(pair->energy_j.runs_needed, pair->verdict.runs_needed);
    NEAR(two.comparison.candidates[1].kgco2eq.mean, 512 / 3.6e6 * 1.2 * 0.044);
    NEAR(two.comparison.candidates[1].kgco2eq.deviation, sqrt(288) / 3.6e6 * 1.2 * 0.044);
}
END_TEST

START_TEST(without_baselines_gross_is_compared)
{
    const struct pair *pair;

    two.other->measurement.baseline_count = 0;
    pair = finish_two();
    ck_assert(two.comparison.compared == FIGURE_GROSS_J && pair->verdict.compared == FIGURE_GROSS_J);
    NEAR(pair->energy_j.percent, -50 / 9.42);
    NEAR(two.comparison.candidates[0].kgco2eq.mean, 942 / 3.6e6 * 1.2 * 0.044);
}
END_TEST

START_TEST(kilograms_by_different_factors_are_not_compared)
{
    for (int i = 0; i < 2; i++) {
        const struct pair *pair;

        close_two();
        open_two();
        if (i)
            two.other->report.pue = 1.3;
        else
            two.other->report.factor.kgco2eq_per_kwh = 0.05;
        pair = finish_two();
        NEAR(pair->energy_j.welch.difference, -50);
        ck_assert(isnan(pair->kgco2eq.welch.difference) && isnan(pair->kgco2eq.welch.p) &&
                  isnan(pair->kgco2eq.percent) && isnan(pair->kgco2eq.welch.detectable));
        ck_assert_uint_eq(pair->kgco2eq.runs_needed, 0);
        ck_assert(has_notice("the emissions of 'old' and 'new' are not comparable; only energy is compared"));
    }
}
END_TEST

/* Ten updates of the meter make a rate. */
START_TEST(short_runs_have_no_watts)
{
    const struct pair *pair;

    two.other->domains[FIXTURE_PACKAGE].update_ns = 2 * FIXTURE_S;
    pair = finish_two();
    NEAR(pair->energy_j.welch.difference, -50);
    ck_assert(isnan(pair->power_w.welch.difference) && isnan(pair->power_w.percent));
}
END_TEST

START_TEST(a_run_that_goes_on_is_not_compared)
{
    const struct pair *pair;

    two.other->runs[1].ended = false;
    pair = finish_two();
    ck_assert_uint_eq(two.comparison.candidates[1].series.count, 1);
    ck_assert_int_eq(pair->verdict.verdict, VERDICT_ONE_RUN);
    NEAR(pair->energy_j.welch.difference, 500 - 562);
    ck_assert_uint_eq(pair->energy_j.runs_needed, 0);
    two.other->measurement.run_count = 0;
    close_two();
    open_two();
    two.other->measurement.run_count = 0;
    pair = finish_two();
    ck_assert_int_eq(pair->verdict.verdict, VERDICT_UNKNOWN);
    ck_assert(isnan(pair->energy_j.welch.difference) && isnan(pair->duration_s.welch.difference));
}
END_TEST

START_TEST(a_notice_is_told_once_and_of_whom)
{
    size_t count = 0;

    notice_add(&two.first->report.own_notices, NOTICE_LEFT_OUT, "", "", "of both");
    notice_add(&two.other->report.own_notices, NOTICE_LEFT_OUT, "why", "fix", "of one");
    notice_add(&two.other->report.own_notices, NOTICE_LEFT_OUT, "", "", "of both");
    notice_add(&two.comparison.notices, NOTICE_LEFT_OUT, "", "", "of the comparison");
    finish_two();
    ck_assert(has_notice("of both") && has_notice("'new': of one") && has_notice("of the comparison"));
    for (size_t i = 0; i < two.comparison.doubts.count; i++) {
        count += strstr(two.comparison.doubts.item[i].what, "of both") != NULL;
        if (strcmp(two.comparison.doubts.item[i].what, "'new': of one") == 0)
            ck_assert_str_eq(two.comparison.doubts.item[i].fix, "fix");
    }
    ck_assert_uint_eq(count, 1);
}
END_TEST

UNIT_SUITE_IN("contest", open_two, close_two, a_difference_in_every_figure, without_baselines_gross_is_compared,
              kilograms_by_different_factors_are_not_compared, short_runs_have_no_watts,
              a_run_that_goes_on_is_not_compared, a_notice_is_told_once_and_of_whom)
