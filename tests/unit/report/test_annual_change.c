/* SPDX-License-Identifier: MIT
 * One year against the one before, and what is made of a year of which only a part was measured, by hand. */
#include "annual_fixture.h"
#include "unit.h"

START_TEST(the_change_is_split_to_the_last_digit)
{
    for (int i = 1; i < 200; i++) {
        const struct annual_figures before = { .facility_kwh = 100.0 / i, .kgco2eq = 7.0 / i, .kgco2eq_per_kwh = 0.07 },
                                    now = { .facility_kwh = 3.0 * i, .kgco2eq = 0.1 * i, .kgco2eq_per_kwh = 0.1 / 3 };
        const struct annual_change change = annual_change_of(&before, &now);

        ck_assert(change.kgco2eq == now.kgco2eq - before.kgco2eq);
        CLOSE(change.energy_kgco2eq + change.factor_kgco2eq, change.kgco2eq);
        CLOSE(change.energy_kgco2eq, (3.0 * i - 100.0 / i) * (0.07 + 0.1 / 3) / 2);
        ck_assert_double_eq_tol(change.factor_kgco2eq, (0.1 / 3 - 0.07) * (3.0 * i + 100.0 / i) / 2, 1e-9);
    }
}
END_TEST

/* 2 kWh at 0.1 before, 3 kWh at 0.2 now: (3 - 2) x 0.15 by the energy, (0.2 - 0.1) x 2.5 by the factor. */
START_TEST(a_year_against_the_one_before)
{
    const struct annual_figures previous = { .records = 1, .facility_kwh = 2, .kgco2eq = 0.2, .kgco2eq_per_kwh = 0.1 };
    const struct annual_figures none = { .records = 0, .facility_kwh = NAN };
    struct annual annual = {
        .total = { .records = 1, .facility_kwh = 3, .kgco2eq = 0.6, .kgco2eq_per_kwh = 0.2 },
    };

    annual_set_previous(&annual, &none);
    ck_assert(!annual.has_previous);
    annual_set_previous(&annual, &previous);
    ck_assert(annual.has_previous);
    CLOSE(annual.previous.facility_kwh, 2);
    CLOSE(annual.change.kgco2eq, 0.4);
    CLOSE(annual.change.energy_kgco2eq, 0.15);
    CLOSE(annual.change.factor_kgco2eq, 0.25);
    annual.total.records = 0;
    annual_set_previous(&annual, &previous);
    ck_assert(!annual.has_previous);
}
END_TEST

static struct annual_extrapolation extrapolated(int number, enum annual_rule rule, double hours, double runs, bool idle)
{
    struct year *year = open_year(number, false);
    struct annual_extrapolation more;
    struct error err;

    for (uint64_t i = 0; i < 10; i++) {
        /* 1 W, of which half is idle power, for an hour */
        const struct contribution contribution =
            account_with(year->annual.from_ns + i * 86400 * NS_PER_S_INT, 3600, 3600);
        add(year, &contribution);
    }
    finish(year);
    ck_assert_msg(annual_extrapolate(year->sum, rule, hours, runs, idle, &err), "%s", err.what);
    more = year->annual.extrapolation;
    close_year(year);
    return more;
}

START_TEST(what_was_not_measured_is_declared)
{
    struct annual_extrapolation more = extrapolated(2024, RULE_DUTY, 8784, NAN, false);
    struct year *year;
    struct contribution contribution;
    struct error err;

    CLOSE(more.it_kwh, 8.784); /* 1 W for all of a leap year */
    CLOSE(more.kgco2eq, 8.784 * 1.2 * 0.05);
    CLOSE(more.kwh_interval.low, 8.784); /* ten equal records */
    CLOSE(more.kwh_interval.high, 8.784);
    more = extrapolated(2026, RULE_DUTY, 2920, NAN, true);
    CLOSE(more.busy_kwh, 2.92);
    CLOSE(more.idle_kwh, 0.5 * (8760 - 2920) / 1000);
    more = extrapolated(2026, RULE_RUNS, NAN, 5000, true);
    CLOSE(more.it_kwh, 5 + 0.5 * 3.76);
    more = extrapolated(2026, RULE_IDLE, NAN, NAN, true);
    CLOSE(more.it_kwh, 0.01 + 0.5 * 8.75);

    /* 1, 2 and 3 W: mean 2 W, standard error 1 / sqrt(3) */
    year = open_year(2026, false);
    for (int i = 1; i <= 3; i++) {
        contribution = account_with(at("2026-05-01") + (uint64_t)i * 7200 * NS_PER_S_INT, 3600, 3600 * i);
        add(year, &contribution);
    }
    finish(year);
    ck_assert(annual_extrapolate(year->sum, RULE_DUTY, 1000, NAN, false, &err));
    CLOSE(year->annual.extrapolation.it_kwh, 2);
    CLOSE(year->annual.extrapolation.kwh_interval.high, 2 + student_quantile(0.975, 2) / sqrt(3));
    close_year(year);
    year = open_year(2026, false);
    finish(year);
    ck_assert(!annual_extrapolate(year->sum, RULE_DUTY, 1000, NAN, false, &err));
    ck_assert(reported(&year->annual, "nothing is known of this period"));
    close_year(year);
}
END_TEST

/* One record of so many joules, of which half is idle, in so many seconds. */
struct part_of_year {
    double duration_s, gross_j;
    int64_t runs;
};

static struct year *year_of(const struct part_of_year *parts, size_t count)
{
    struct year *year = open_year(2026, false);

    for (size_t i = 0; i < count; i++) {
        struct contribution contribution =
            account_with(at("2026-05-01") + i * 86400 * NS_PER_S_INT, parts[i].duration_s, parts[i].gross_j);
        contribution.runs = parts[i].runs;
        add(year, &contribution);
    }
    return year;
}

static const struct annual_extrapolation *extrapolate(struct year *year, enum annual_rule rule, double hours,
                                                      double runs, bool idle)
{
    struct error err;

    ck_assert_msg(annual_extrapolate(year->sum, rule, hours, runs, idle, &err), "%s: %s", err.what, err.why);
    return &year->annual.extrapolation;
}

/* 1, 2 and 3 W for an hour, and half of each idle: 2 W with a standard error of 1 / sqrt(3) W, and 1 W with half of
 * that. 1000 h are 2 kWh, the other 7760 h 7.76 kWh, and each has its own doubt. */
START_TEST(the_doubt_of_an_extrapolation)
{
    static const struct part_of_year parts[] = { { 3600, 3600, 1 }, { 3600, 7200, 1 }, { 3600, 10800, 1 } };
    const double error = 1 / sqrt(3), both = hypot(error, 7.76 / 2 * error);
    struct year *year = year_of(parts, 3);
    const struct annual_extrapolation *more;
    double t;

    t = student_quantile(0.975, 2);
    finish(year);
    more = extrapolate(year, RULE_DUTY, 1000, NAN, false);
    ck_assert_uint_eq(more->records, 3);
    CLOSE(more->mean_w, 2);
    CLOSE(more->run_kwh, 0.002);
    ck_assert(isnan(more->idle_w) && more->idle_kwh == 0 && more->hours == 1000);
    CLOSE(more->kwh_interval.high, 2 + t * error);
    ck_assert_double_eq(more->kwh_interval.low, 0); /* 2 - 2.48: less than nothing is nothing */
    CLOSE(more->kgco2eq_interval.high, (2 + t * error) * 1.2 * 0.05);
    ck_assert_str_eq(more->text, "mean power 2.000 W x 1000 h");
    more = extrapolate(year, RULE_DUTY, 1000, NAN, true);
    CLOSE(more->idle_w, 1);
    CLOSE(more->idle_hours, 7760);
    CLOSE(more->idle_kwh, 7.76);
    CLOSE(more->it_kwh, 9.76);
    CLOSE(more->kwh_interval.high, 9.76 + t * both);
    ck_assert_double_eq_tol(more->kwh_interval.low, 9.76 - t * both > 0 ? 9.76 - t * both : 0, 1e-9);
    ck_assert_str_eq(more->text, "mean power 2.000 W x 1000 h + idle power 1.000 W x the other 7760 h");
    /* a run of an hour */
    more = extrapolate(year, RULE_RUNS, NAN, 4000, false);
    CLOSE(more->it_kwh, 8);
    CLOSE(more->kwh_interval.high, 8 + t * 4 * error);
    CLOSE(more->kgco2eq_interval.high, more->kwh_interval.high * 1.2 * 0.05);
    ck_assert_str_eq(more->text, "0.002000 kWh per run x 4000 runs");
    more = extrapolate(year, RULE_RUNS, NAN, 4000, true);
    CLOSE(more->idle_hours, 4760);
    more = extrapolate(year, RULE_IDLE, NAN, NAN, true);
    CLOSE(more->busy_kwh, 0.006);
    CLOSE(more->idle_hours, 8757);
    CLOSE(more->kwh_interval.high, 0.006 + 8.757 * (1 + t * error / 2));
    more = extrapolate(year, RULE_DUTY, 8760, NAN, true);
    ck_assert_double_eq(more->idle_kwh, 0);
    close_year(year);
}
END_TEST

/* 1 W for an hour and 2 W for two: 18000 J / 10800 s, and 2400 J off it either way: sqrt(2 x 2 x 2400^2) / 10800 W.
 * Four runs, of 4500 J and 2700 s. */
START_TEST(records_weigh_by_their_time)
{
    static const struct part_of_year parts[] = { { 3600, 3600, 1 }, { 7200, 14400, 3 }, { 0, 3.6e6, 0 } };
    struct year *year = year_of(parts, 2);
    const struct annual_extrapolation *more;

    finish(year);
    more = extrapolate(year, RULE_DUTY, 1000, NAN, false);
    CLOSE(more->busy_kwh, 5 / 3.0);
    CLOSE(more->kwh_interval.high, 5 / 3.0 + student_quantile(0.975, 1) * 4 / 9);
    more = extrapolate(year, RULE_RUNS, NAN, 1000, true);
    CLOSE(more->run_kwh, 4500 / 3.6e6);
    CLOSE(more->idle_hours, 8760 - 750);
    CLOSE(more->idle_w, 2.5 / 3);
    /* 3600 - 4500 J and 14400 - 13500 J of one and three runs: sqrt(2 x 2 x 900^2) / 4 J; idle as above, half */
    CLOSE(more->kwh_interval.high, more->it_kwh + student_quantile(0.975, 1) * hypot(0.125, 2 / 9.0 * 8.01));
    close_year(year);
    /* what took no time has no power, and no run no energy */
    year = year_of(parts, 3);
    finish(year);
    more = extrapolate(year, RULE_DUTY, 1000, NAN, false);
    ck_assert_uint_eq(more->records, 2);
    CLOSE(more->mean_w, 5 / 3.0);
    CLOSE(more->run_kwh, 4500 / 3.6e6);
    close_year(year);
}
END_TEST

/* Of one record the doubt is unknown; of a model's 1 kWh, 0.5 to 2 kWh, an extrapolation has the same range. */
START_TEST(an_extrapolation_of_a_model)
{
    struct year *year = open_year(2026, false);
    struct contribution contribution = account_with(at("2026-05-01"), 3600, 3.6e6);
    const struct annual_extrapolation *more;
    struct error err;

    contribution.quality = "modelled";
    contribution.gross_low_j = 1.8e6;
    contribution.gross_high_j = 7.2e6;
    contribution.net_j = NAN;
    add(year, &contribution);
    finish(year);
    more = extrapolate(year, RULE_DUTY, 10, NAN, false);
    CLOSE(more->it_kwh, 10);
    ck_assert(isnan(more->kwh_interval.high));
    ck_assert(!annual_extrapolate(year->sum, RULE_DUTY, 10, NAN, true, &err));
    ck_assert_str_eq(err.why, "no run of the period has a baseline, so the idle power is unknown");
    close_year(year);
    year = open_year(2026, false);
    contribution.net_j = 1.8e6;
    add(year, &contribution);
    contribution.started_ns += (int64_t)(86400 * NS_PER_S_INT);
    contribution.ended_ns += (int64_t)(86400 * NS_PER_S_INT);
    add(year, &contribution);
    finish(year);
    more = extrapolate(year, RULE_DUTY, 10, NAN, false);
    CLOSE(more->it_kwh, 10);
    CLOSE(more->kwh_interval.low, 5);
    CLOSE(more->kwh_interval.high, 20);
    CLOSE(more->kgco2eq_interval.low, 5 * 1.2 * 0.05);
    CLOSE(more->kgco2eq_interval.high, 20 * 1.2 * 0.05);
    close_year(year);
}
END_TEST

UNIT_SUITE("annual_change", the_change_is_split_to_the_last_digit, a_year_against_the_one_before,
           what_was_not_measured_is_declared, the_doubt_of_an_extrapolation, records_weigh_by_their_time,
           an_extrapolation_of_a_model)
