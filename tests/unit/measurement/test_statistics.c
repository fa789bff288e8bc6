/* SPDX-License-Identifier: MIT
 * Quantiles, intervals and tests against published tables and worked examples, and what is unknown. */
#include "unit.h"

#include "measurement/statistics.h"

#include <math.h>

#define COUNT(values) (sizeof(values) / sizeof(values)[0])

/* Hours of sleep gained under two drugs (Student 1908), which R ships as `sleep` and tests with t.test. */
static const double sleep_1[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double sleep_2[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

static bool all_unknown(const struct welch *welch)
{
    return isnan(welch->low) && isnan(welch->high) && isnan(welch->freedom) && isnan(welch->t) && isnan(welch->p) &&
           isnan(welch->hedges_g) && isnan(welch->detectable);
}

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 (three decimals) and 1.3.6.7.1. */
START_TEST(quantiles_are_the_published_ones)
{
    static const struct {
        double freedom, upper_025, upper_10;
    } table[] = { { 1, 12.706, 3.078 }, { 2, 4.303, 1.886 },  { 3, 3.182, 1.638 },  { 4, 2.776, 1.533 },
                  { 5, 2.571, 1.476 },  { 9, 2.262, 1.383 },  { 10, 2.228, 1.372 }, { 19, 2.093, 1.328 },
                  { 29, 2.045, 1.311 }, { 30, 2.042, 1.310 }, { 100, 1.984, 1.290 } };

    for (size_t i = 0; i < COUNT(table); i++) {
        ck_assert_double_eq_tol(student_quantile(0.975, table[i].freedom), table[i].upper_025, 0.00051);
        ck_assert_double_eq_tol(student_quantile(0.025, table[i].freedom), -table[i].upper_025, 0.00051);
        ck_assert_double_eq_tol(student_quantile(0.9, table[i].freedom), table[i].upper_10, 0.00051);
        ck_assert_double_eq_tol(student_two_sided(table[i].upper_025, table[i].freedom), 0.05, 0.0001);
        ck_assert_double_eq_tol(student_two_sided(-table[i].upper_10, table[i].freedom), 0.2, 0.0002);
    }
    ck_assert_double_eq_tol(normal_quantile(0.975), 1.959964, 5e-7);
    ck_assert_double_eq_tol(normal_quantile(0.995), 2.575829, 5e-7);
    ck_assert_double_eq_tol(normal_quantile(0.8), 0.841621, 5e-7);
    ck_assert_double_eq_tol(normal_quantile(0.5), 0, 1e-15);
}
END_TEST

/* With one degree of freedom Student's distribution is Cauchy's, with two its quantile has a closed form, and with very
 * many it is the normal one. */
START_TEST(quantiles_follow_the_closed_forms)
{
    for (double p = 0.001; p < 1; p += 0.0373) {
        ck_assert_double_eq_tol(student_quantile(p, 1), tan(M_PI * (p - 0.5)),
                                1e-9 * (1 + fabs(tan(M_PI * (p - 0.5)))));
        ck_assert_double_eq_tol(student_quantile(p, 2), (2 * p - 1) / sqrt(2 * p * (1 - p)), 1e-9);
        ck_assert_double_eq_tol(student_quantile(p, 1e8), normal_quantile(p), 1e-6);
        ck_assert_double_eq_tol(student_quantile(p, 1e12), normal_quantile(p), 1e-9);
    }
    for (double t = 0; t < 50; t += 0.7)
        ck_assert_double_eq_tol(student_two_sided(t, 1), 1 - 2 / M_PI * atan(t), 1e-12);
    ck_assert_double_eq(student_two_sided(0, 7), 1);
    ck_assert_double_eq(student_two_sided(INFINITY, 7), 0);
    ck_assert_double_eq_tol(student_two_sided(1e300, 3), 0, 1e-300);
}
END_TEST

/* The two-sided probability is the inverse of the quantile, whole degrees of freedom or not. */
START_TEST(probabilities_invert_quantiles)
{
    for (double freedom = 1; freedom < 1e9; freedom *= 1.37)
        for (double p = 0.5; p < 1; p += 0.0499)
            ck_assert_double_eq_tol(student_two_sided(student_quantile(p, freedom), freedom), 2 * (1 - p), 1e-8);
}
END_TEST

/* The library would end the program at the last ones. */
START_TEST(what_has_no_quantile_is_unknown)
{
    static const double outside[][2] = {
        { 0, 5 },     { 1, 5 },      { -0.1, 5 },    { 1.1, 5 },          { NAN, 5 },        { INFINITY, 5 },
        { 0.975, 0 }, { 0.975, -1 }, { 0.975, NAN }, { 0.975, INFINITY }, { 0.975, 1e-300 }, { 1e-300, 5 }
    };

    for (size_t i = 0; i < COUNT(outside); i++)
        ck_assert(isnan(student_quantile(outside[i][0], outside[i][1])));
    for (size_t i = 0; i < 6; i++)
        ck_assert(isnan(normal_quantile(outside[i][0])));
    ck_assert(isnan(student_two_sided(NAN, 5)) && isnan(student_two_sided(2, 0)));
    ck_assert(isnan(student_two_sided(2, -1)) && isnan(student_two_sided(2, NAN)));
    ck_assert(isnan(student_two_sided(2, INFINITY)));
}
END_TEST

START_TEST(equal_values_have_no_deviation)
{
    static const double tenths[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
    const struct sample_stats spread = sample_stats_of(tenths, 10), one = sample_stats_of(tenths, 1),
                              none = sample_stats_of(NULL, 0);
    const struct interval interval = mean_interval(&spread);

    ck_assert_double_eq(spread.mean, 0.1);
    ck_assert_double_eq(spread.deviation, 0);
    ck_assert_double_eq(interval.low, 0.1);
    ck_assert_double_eq(interval.high, 0.1);
    ck_assert_double_eq(detectable_mean(&spread), 0);
    ck_assert(isnan(mean_interval(&one).low) && isnan(mean_interval(&one).high) && isnan(detectable_mean(&one)));
    ck_assert(isnan(mean_interval(&none).low) && isnan(mean_interval(&none).high) && isnan(detectable_mean(&none)));
}
END_TEST

/* A large offset takes no digits from the deviation: that of 4, 7, 13, 16 is the root of 30. */
START_TEST(deviation_stands_beside_a_large_mean)
{
    static const double values[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
    const struct sample_stats spread = sample_stats_of(values, 4);

    ck_assert_double_eq(spread.mean, 1e9 + 10);
    ck_assert_double_eq_tol(spread.deviation, sqrt(30), 1e-9);
}
END_TEST

/* 95 % half-widths in per cent of the mean for a deviation of 1 %, and R's t.test of the gains of sleep. */
START_TEST(interval_of_the_mean_is_students)
{
    static const struct {
        size_t count;
        double half;
    } table[] = { { 5, 1.24 }, { 10, 0.72 }, { 20, 0.47 }, { 30, 0.37 } };
    double gains[10];
    struct sample_stats spread;
    struct interval interval;

    for (size_t i = 0; i < COUNT(table); i++) {
        spread = (struct sample_stats){ 100, 1, 98, 102, table[i].count };
        interval = mean_interval(&spread);
        ck_assert_double_eq_tol(interval.high - 100, table[i].half, 0.0051);
        ck_assert_double_eq_tol(100 - interval.low, table[i].half, 0.0051);
    }
    for (size_t i = 0; i < 10; i++)
        gains[i] = sleep_1[i] - sleep_2[i];
    spread = sample_stats_of(gains, 10);
    interval = mean_interval(&spread);
    ck_assert_double_eq_tol(spread.mean, -1.58, 1e-12);
    ck_assert_double_eq_tol(interval.low, -2.4598858, 5e-8);
    ck_assert_double_eq_tol(interval.high, -0.7001142, 5e-8);
    ck_assert_double_eq_tol(student_two_sided(spread.mean / (spread.deviation / sqrt(10)), 9), 0.002833, 5e-7);
}
END_TEST

/* From the tables: (2.776 + 0.941) / sqrt(5), (2.262 + 0.883) / sqrt(10) deviations. */
START_TEST(detectable_mean_is_the_sum_of_both_quantiles)
{
    const struct sample_stats five = { 7, 2, 0, 0, 5 }, ten = { -7, 2, 0, 0, 10 };

    ck_assert_double_eq_tol(detectable_mean(&five), 2 * (2.776 + 0.941) / sqrt(5), 0.001);
    ck_assert_double_eq_tol(detectable_mean(&ten), 2 * (2.262 + 0.883) / sqrt(10), 0.001);
}
END_TEST

/* The least count that does is what a search from 2 finds. */
START_TEST(runs_to_tell_is_the_min)
{
    static const double deviations[] = { 0.01, 0.1, 0.2, 0.35, 0.5, 1, 1.7, 3, 10, 33 };

    for (size_t i = 0; i < COUNT(deviations); i++) {
        struct sample_stats spread = { 0, deviations[i], 0, 0, 2 };
        while (detectable_mean(&spread) > 1)
            spread.count++;
        ck_assert_uint_eq(runs_to_tell(1, deviations[i]), spread.count);
        ck_assert_uint_eq(runs_to_tell(-1, deviations[i]), spread.count);
        ck_assert_uint_eq(runs_to_tell(1e6, 1e6 * deviations[i]), spread.count);
    }
    /* half a deviation: 34 runs, the textbook figure (Cohen 1988) */
    ck_assert_uint_eq(runs_to_tell(0.5, 1), 34);
    ck_assert_uint_eq(runs_to_tell(1, 0), 2);
    /* (1.959964 + 0.841621)^2 = 7.84888: a million runs tell 0.00280158 deviations */
    ck_assert_uint_gt(runs_to_tell(0.0028017, 1), 999900);
    ck_assert_uint_le(runs_to_tell(0.0028017, 1), 1000000);
    ck_assert_uint_eq(runs_to_tell(0.0028015, 1), 0);
    ck_assert_uint_eq(runs_to_tell(1e-300, 1e300), 0);
    ck_assert_uint_eq(runs_to_tell(0, 1), 0);
    ck_assert_uint_eq(runs_to_tell(0, 0), 0);
    ck_assert_uint_eq(runs_to_tell(NAN, 1), 0);
    ck_assert_uint_eq(runs_to_tell(1, NAN), 0);
    ck_assert_uint_eq(runs_to_tell(INFINITY, 1), 0);
    ck_assert_uint_eq(runs_to_tell(1, INFINITY), 0);
}
END_TEST

/* The usual table by the normal quantiles, 2 (2.80 CV / difference)^2; those of Student add one or two. */
START_TEST(runs_to_tell_apart_are_those_of_the_table)
{
    static const double deviations[] = { 0.5, 1, 2, 3, 5 }, differences[] = { 0.5, 1, 2, 5, 10 };
    static const size_t table[5][5] = {
        { 17, 5, 2, 2, 2 },     { 64, 17, 5, 2, 2 },       { 253, 64, 17, 4, 2 },
        { 567, 143, 37, 7, 3 }, { 1571, 394, 100, 17, 5 },
    };

    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            const size_t runs = runs_to_tell_apart(differences[j], deviations[i], deviations[i]);
            ck_assert_msg(runs >= table[i][j] && runs <= table[i][j] + 2, "CV %g %%, difference %g %%: %zu, not %zu",
                          deviations[i], differences[j], runs, table[i][j]);
        }
    /* one deviation of difference: 17 of each (Cohen 1988) */
    ck_assert_uint_eq(runs_to_tell_apart(-1, 1, 1), 17);
}
END_TEST

START_TEST(runs_to_tell_apart_is_the_min)
{
    static const double deviations[][2] = { { 1, 1 }, { 0.2, 3 }, { 3, 0.2 }, { 0, 2 }, { 5, 4 } };

    for (size_t i = 0; i < COUNT(deviations); i++)
        for (double difference = 0.5; difference < 10; difference *= 1.7) {
            struct sample_stats a = { 0, deviations[i][0], 0, 0, 2 }, b = { 0, deviations[i][1], 0, 0, 2 };
            while (welch_of(&a, &b).detectable > difference)
                a.count = ++b.count;
            ck_assert_uint_eq(runs_to_tell_apart(difference, deviations[i][0], deviations[i][1]), a.count);
        }
    ck_assert_uint_eq(runs_to_tell_apart(1, 0, 0), 2);
    ck_assert_uint_eq(runs_to_tell_apart(0, 0, 0), 0);
    ck_assert_uint_eq(runs_to_tell_apart(1, 1000, 1000), 0);
    ck_assert_uint_eq(runs_to_tell_apart(1, NAN, 1), 0);
    ck_assert_uint_eq(runs_to_tell_apart(NAN, 1, 1), 0);
    ck_assert_uint_eq(runs_to_tell_apart(1, 1, INFINITY), 0);
}
END_TEST

/* R's t.test of both drugs: t = -1.8608, 17.776 degrees of freedom, p = 0.07939, -3.3654832 to 0.2054832. */
START_TEST(welch_of_student_s_own_data)
{
    const struct sample_stats a = sample_stats_of(sleep_1, 10), b = sample_stats_of(sleep_2, 10);
    const struct welch welch = welch_of(&a, &b), back = welch_of(&b, &a);
    const double pooled = sqrt((a.deviation * a.deviation + b.deviation * b.deviation) / 2);

    ck_assert_double_eq_tol(welch.difference, 1.58, 1e-12);
    ck_assert_double_eq_tol(welch.t, 1.8608, 5e-5);
    ck_assert_double_eq_tol(welch.freedom, 17.776, 5e-4);
    ck_assert_double_eq_tol(welch.p, 0.07939, 5e-6);
    ck_assert_double_eq_tol(welch.low, -0.2054832, 5e-8);
    ck_assert_double_eq_tol(welch.high, 3.3654832, 5e-8);
    ck_assert_double_eq_tol(welch.hedges_g, (1 - 3.0 / 71) * 1.58 / pooled, 1e-12);
    ck_assert_double_eq_tol(back.difference, -1.58, 1e-12);
    ck_assert_double_eq_tol(back.high, 0.2054832, 5e-8);
    ck_assert_double_eq_tol(back.t, -welch.t, 1e-12);
    ck_assert_double_eq_tol(back.p, welch.p, 1e-12);
    ck_assert_double_eq_tol(back.hedges_g, -welch.hedges_g, 1e-12);
    ck_assert_double_eq_tol(back.detectable, welch.detectable, 1e-12);
}
END_TEST

/* Three often printed examples: equal and unequal variances and counts. */
START_TEST(welch_of_worked_examples)
{
    static const double a_1[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                  21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4 };
    static const double b_1[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                  24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4 };
    static const double a_2[] = { 17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8 };
    static const double b_2[] = { 21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
                                  20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8 };
    static const double a_3[] = { 19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0 };
    static const double b_3[] = { 28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7,
                                  23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2 };
    const struct {
        struct sample_stats a, b;
        double t, freedom, p;
    } examples[] = { { sample_stats_of(a_1, 15), sample_stats_of(b_1, 15), 2.46, 25.0, 0.021 },
                     { sample_stats_of(a_2, 10), sample_stats_of(b_2, 20), 1.57, 9.9, 0.149 },
                     { sample_stats_of(a_3, 10), sample_stats_of(b_3, 20), 2.22, 24.5, 0.036 } };

    for (size_t i = 0; i < COUNT(examples); i++) {
        const struct welch welch = welch_of(&examples[i].a, &examples[i].b);
        ck_assert_double_eq_tol(welch.t, examples[i].t, 0.0051);
        ck_assert_double_eq_tol(welch.freedom, examples[i].freedom, 0.051);
        ck_assert_double_eq_tol(welch.p, examples[i].p, 0.00051);
        ck_assert_int_eq(welch.low > 0, welch.p < 0.05);
    }
}
END_TEST

/* 1, 2, 3 and 2, 4, 6: 2 apart, both pooled deviations sqrt(2.5); 4 degrees of freedom give 1 - 3 / 15. */
START_TEST(hedges_g_by_hand)
{
    const struct sample_stats a = { 2, 1, 1, 3, 3 }, b = { 4, 2, 2, 6, 3 };
    const struct sample_stats c = { 0, 1, 0, 0, 2 }, d = { 3, 2, 0, 0, 4 };

    ck_assert_double_eq_tol(welch_of(&a, &b).hedges_g, 0.8 * 2 / sqrt(2.5), 1e-12);
    /* unequal counts weigh by their degrees of freedom: (1 x 1 + 3 x 4) / 4 */
    ck_assert_double_eq_tol(welch_of(&c, &d).hedges_g, 0.8 * 3 / sqrt(13.0 / 4), 1e-12);
}
END_TEST

START_TEST(exact_figures_are_told_apart_by_their_difference)
{
    const struct sample_stats a = { 5, 0, 5, 5, 3 }, b = { 7, 0, 7, 7, 3 }, noisy = { 7, 2, 5, 9, 3 };
    struct welch welch = welch_of(&a, &b);

    ck_assert_double_eq(welch.difference, 2);
    ck_assert_double_eq(welch.low, 2);
    ck_assert_double_eq(welch.high, 2);
    ck_assert_double_eq(welch.p, 0);
    ck_assert_double_eq(welch.detectable, 0);
    ck_assert(isnan(welch.hedges_g) && isnan(welch.freedom) && isnan(welch.t));
    welch = welch_of(&a, &a);
    ck_assert_double_eq(welch.low, 0);
    ck_assert_double_eq(welch.high, 0);
    ck_assert_double_eq(welch.p, 1);
    /* one deviation 0: all the doubt, and all its degrees of freedom, are the other's */
    welch = welch_of(&a, &noisy);
    ck_assert_double_eq_tol(welch.freedom, 2, 1e-12);
    ck_assert_double_eq_tol(welch.high - welch.difference, 4.30265273 * 2 / sqrt(3), 1e-6);
    ck_assert_double_eq_tol(welch.hedges_g, 0.8 * 2 / sqrt(2), 1e-12);
}
END_TEST

START_TEST(welch_needs_two_of_each)
{
    const struct sample_stats two = { 5, 1, 4, 6, 2 }, one = { 7, 0, 7, 7, 1 }, none = sample_stats_of(NULL, 0);
    const struct sample_stats unknown = { NAN, NAN, NAN, NAN, 4 }, infinite = { INFINITY, NAN, 1, INFINITY, 4 };
    const struct welch with_one = welch_of(&two, &one), with_none = welch_of(&none, &two);
    const struct welch with_unknown = welch_of(&two, &unknown), with_infinite = welch_of(&infinite, &two);

    ck_assert_double_eq(with_one.difference, 2);
    ck_assert(all_unknown(&with_one));
    ck_assert(isnan(with_none.difference) && all_unknown(&with_none));
    ck_assert(isnan(with_unknown.difference) && all_unknown(&with_unknown));
    ck_assert(all_unknown(&with_infinite));
}
END_TEST

/* Neither the least nor the largest deviations that a double holds overflow on their way. */
START_TEST(extreme_scales_change_nothing)
{
    static const double scales[] = { 1e-300, 1e-9, 1, 1e9, 1e300 };

    for (size_t i = 0; i < COUNT(scales); i++) {
        const struct sample_stats a = { scales[i], 0.1 * scales[i], 0, 0, 5 },
                                  b = { 1.2 * scales[i], 0.2 * scales[i], 0, 0, 8 };
        const struct welch welch = welch_of(&a, &b);
        ck_assert_double_eq_tol(welch.t, 0.2 / sqrt(0.01 / 5 + 0.04 / 8), 1e-9);
        ck_assert_double_eq_tol(welch.freedom, 0.007 * 0.007 / (0.002 * 0.002 / 4 + 0.005 * 0.005 / 7), 1e-9);
        ck_assert_uint_eq(runs_to_tell_apart(welch.difference, a.deviation, b.deviation),
                          runs_to_tell_apart(0.2, 0.1, 0.2));
    }
}
END_TEST

START_TEST(the_median_is_in_the_middle)
{
    double odd[] = { 9, 1, 5 }, even[] = { 9, 1, 5, 6 }, one[] = { 3 };

    ck_assert_double_eq(median_of(odd, 3), 5);
    ck_assert_double_eq(median_of(even, 4), 5.5);
    ck_assert_double_eq(median_of(one, 1), 3);
    ck_assert(isnan(median_of(NULL, 0)));
}
END_TEST

/* Median 10, absolute deviations 0 .. 2, their median 1: beyond 3.5 / 0.6745 = 5.19 of them is an outlier. */
START_TEST(outliers_lie_far_from_the_median)
{
    static const double values[] = { 8, 9, 10, 11, 15.1, 9, 11 }, far[] = { 8, 9, 10, 11, 15.3, 9, 11 };
    static const double equal[] = { 4, 4, 4, 4, 90 }, unknown[] = { 8, NAN, 10, 11, 15.3, 9, 11, 9 };
    bool outlier[8] = { true };

    ck_assert(outliers_of(values, 7, outlier));
    for (size_t i = 0; i < 7; i++)
        ck_assert(!outlier[i]);
    ck_assert(outliers_of(far, 7, outlier));
    for (size_t i = 0; i < 7; i++)
        ck_assert_int_eq(outlier[i], i == 4);
    ck_assert(outliers_of(equal, 5, outlier));
    ck_assert(!outlier[4]);
    ck_assert(outliers_of(unknown, 8, outlier));
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(outlier[i], i == 4);
    ck_assert(outliers_of(NULL, 0, outlier));
    ck_assert(outliers_of(values, 1, outlier) && !outlier[0]);
}
END_TEST

/* Holm's own way: 0.01, 0.04, 0.03 and 0.005 of four become 3 x 0.01, then 2 x 0.03 = 0.06 for both of the larger two
 * (the last is no less than the one before), and 4 x 0.005. */
START_TEST(holm_corrects_step_by_step)
{
    static const double p[] = { 0.01, 0.04, 0.03, 0.005 }, unknown[] = { 0.02, NAN, 0.9, 0.03 };
    static const double equal[] = { 0.5, 0.5, 0 };
    double corrected[4];

    ck_assert(holm_of(p, 4, corrected));
    ck_assert_double_eq_tol(corrected[0], 0.03, 1e-12);
    ck_assert_double_eq_tol(corrected[1], 0.06, 1e-12);
    ck_assert_double_eq_tol(corrected[2], 0.06, 1e-12);
    ck_assert_double_eq_tol(corrected[3], 0.02, 1e-12);
    ck_assert(holm_of(unknown, 4, corrected));
    ck_assert_double_eq_tol(corrected[0], 0.06, 1e-12);
    ck_assert(isnan(corrected[1]));
    ck_assert_double_eq_tol(corrected[2], 0.9, 1e-12);
    ck_assert_double_eq_tol(corrected[3], 0.06, 1e-12);
    ck_assert(holm_of(equal, 3, corrected));
    ck_assert_double_eq(corrected[0], 1);
    ck_assert_double_eq(corrected[1], 1);
    ck_assert_double_eq(corrected[2], 0);
    ck_assert(holm_of(p, 1, corrected));
    ck_assert_double_eq(corrected[0], 0.01);
    ck_assert(holm_of(NULL, 0, corrected));
}
END_TEST

UNIT_SUITE("statistics", quantiles_are_the_published_ones, quantiles_follow_the_closed_forms,
           probabilities_invert_quantiles, what_has_no_quantile_is_unknown, equal_values_have_no_deviation,
           deviation_stands_beside_a_large_mean, interval_of_the_mean_is_students,
           detectable_mean_is_the_sum_of_both_quantiles, runs_to_tell_is_the_min,
           runs_to_tell_apart_are_those_of_the_table, runs_to_tell_apart_is_the_min, welch_of_student_s_own_data,
           welch_of_worked_examples, hedges_g_by_hand, exact_figures_are_told_apart_by_their_difference,
           welch_needs_two_of_each, extreme_scales_change_nothing, the_median_is_in_the_middle,
           outliers_lie_far_from_the_median, holm_corrects_step_by_step)
