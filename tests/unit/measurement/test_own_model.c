/* SPDX-License-Identifier: MIT
 * A job's own energy by a model and by a machine's profile, which go by CPU time: docs/METHOD.md, "Own". */
#include "own_bench.h"

/* 4 W idle, 7 W at half and 8 W at full load. */
static void model(void)
{
    begin();
    b.curve = (struct power_curve){ .at_w = { 4, NAN, NAN, NAN, NAN, 7, NAN, NAN, NAN, NAN, 8 }, .a = NAN };
    b.flat = (struct power_curve){ .at_w = { 3 }, .a = NAN };
    for (int i = 1; i < CURVE_POINTS; i++)
        b.flat.at_w[i] = 3;
    b.domains[PACKAGE].quality = b.domains[MEMORY].quality = QUALITY_MODELLED;
    b.domains[PACKAGE].curve = &b.curve;
    b.domains[MEMORY].curve = &b.flat;
    b.domains[PACKAGE].curve_factor = b.domains[MEMORY].curve_factor = 10;
    b.domains[PACKAGE].low_ratio = 0.5;
    b.domains[PACKAGE].high_ratio = 2;
}

/* CPU time × slope, whatever was there before and however full the machine was; memory adds nothing. */
START_TEST(a_model_goes_by_cpu_time)
{
    static const struct {
        double busy, job, slope_w;
    } cases[] = {
        { 4, 1, 10 * 4.0 / 4 },       /* full */
        { 2, 2, 10 * 3.0 / 2 },       /* half */
        { 0.02, 0.02, 10 * 3.0 / 2 }, /* from where the curve begins */
        { 3, 1, 10 * (3.5 / 3) },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int idle = 0; idle < 2; idle++) {
            const double own_j = cases[i].slope_w * cases[i].job * 10;
            model();
            b.counting.is_counted[MEMORY] = true;
            baseline(5 * S, 50, idle ? 0 : 4);
            run(10 * S, 700, cases[i].busy, cases[i].job)->window.energy_uj[MEMORY] = 300000000;
            own_is(total_of(), OWN_CPU_TIME, own_j, own_j / 2, own_j * 2);
            NEAR(b.summary.own_basis.slope_w[PACKAGE], cases[i].slope_w);
            ck_assert_double_eq(b.summary.domains[MEMORY].own_j.mean, 0);
        }
}
END_TEST

/* All jobs by the slope of the load that they make together, and idle, add up to what the model says of it. */
START_TEST(the_parts_add_up)
{
    double sum_j = 40 * 10;

    for (int job = 1; job <= 3; job++) {
        model();
        baseline(5 * S, 50, 0);
        run(10 * S, 700, 3.6, 0.6 * job);
        sum_j += total_of()->own_j.mean;
    }
    NEAR(sum_j, 10 * 10 * curve_w(&b.curve, 0.9));
}
END_TEST

/* A second command with the same CPU time has the same own to the digit, though the ticks of others scatter. */
START_TEST(commands_of_a_series_share_a_slope)
{
    struct measurement view[2];
    struct summary summary[2];

    for (size_t i = 0; i < 4; i++) {
        baseline(5 * S, 50, 2);
        run(300 * MS, 20, 3 + 0.1 * (double)i, 1)->command = i % 2;
    }
    for (size_t i = 0; i < 2; i++) {
        ck_assert(measurement_of_command(&b.measurement, i, &view[i]));
        summarize(&view[i], &summary[i]);
        NEAR(summary[i].own_basis.slope_w[PACKAGE], 10 * (curve_w(&b.curve, 3.15 / 4) - 4) / 3.15);
        measurement_close(&view[i]);
    }
    ck_assert(summary[0].total.own_j.mean == summary[1].total.own_j.mean);
}
END_TEST

/* On a full machine it is that of the whole machine, whichever made more way. */
START_TEST(a_full_machine_has_one_slope)
{
    struct measurement view[2];
    struct summary summary;

    for (size_t i = 0; i < 2; i++) {
        baseline(5 * S, 50, 4);
        run(10 * S, 800, 3.96, i ? 2 : 0.5)->command = i;
    }
    for (size_t i = 0; i < 2; i++) {
        ck_assert(measurement_of_command(&b.measurement, i, &view[i]));
        summarize(&view[i], &summary);
        NEAR(summary.own_basis.slope_w[PACKAGE], 10 * (curve_w(&b.curve, 0.99) - 4) / 3.96);
        measurement_close(&view[i]);
    }
}
END_TEST

/* In 30 ms a tick is a third of a CPU: others are told by the baselines with it. */
START_TEST(a_run_of_milliseconds_has_an_own)
{
    baseline(970 * MS, 50, 2);
    run(30 * MS, 20, 1, 1);
    NEAR(total_of()->own_j.mean, 10 * (curve_w(&b.curve, (1 + 1.94) / 4) - 4) / (1 + 1.94) * 0.03);
}
END_TEST

START_TEST(a_model_without_cpu_time_tells_nothing)
{
    run(10 * S, 700, 4, 1)->usage.cpu_ns.known = false;
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, NAN);
    model();
    run(10 * S, 700, 4, 1);
    b.domains[PACKAGE].curve = NULL; /* of a record that does not have it */
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, NAN);
    b.domains[PACKAGE].slope_known = true;
    b.domains[PACKAGE].slope_w = 7;
    own_is(total_of(), OWN_CPU_TIME, 70, 35, 140);
}
END_TEST

/* A model whose range ends below what it told counts for that, and so does its slope. */
START_TEST(a_limited_model_has_a_smaller_slope)
{
    b.domains[PACKAGE].high_ratio = 0.8;
    run(10 * S, 700, 4, 1);
    own_is(total_of(), OWN_CPU_TIME, 80, 50, 80);
}
END_TEST

/* The machine's profile has 10 W for each busy CPU, 8 to 12 W: where the meter does not tell it, and within its bounds.
 */
START_TEST(a_profile_tells_what_a_meter_does_not)
{
    b.domains[PACKAGE].quality = QUALITY_MEASURED;
    b.domains[PACKAGE].low_ratio = b.domains[PACKAGE].high_ratio = 1;
    b.domains[PACKAGE].slope_low_ratio = 0.8;
    b.domains[PACKAGE].slope_high_ratio = 1.2;
    baseline(5 * S, 400, 4);
    run(10 * S, 800, 4, 1);
    own_is(total_of(), OWN_PROFILE, 100, 80, 120);
    NEAR(b.summary.total.own_others_j.mean, 300.0);
    NEAR(b.summary.total.own_idle_j.mean, 400.0);
    b.runs[0].window.energy_uj[PACKAGE] = 130 * 1000000; /* of these it cannot have had so much */
    ck_assert_int_eq(total_of()->own_method, OWN_UNKNOWN);
    b.runs[0].window.energy_uj[PACKAGE] = 800 * 1000000;
    b.baselines[0].machine_busy_ns = 0;
    b.baselines[0].energy_uj[PACKAGE] = 200 * 1000000;
    ck_assert_int_eq(total_of()->own_method, OWN_PROFILE); /* others came */
    b.runs[0].window.machine_busy_ns = 10 * S;
    own_is(total_of(), OWN_NET, 400, NAN, NAN);
}
END_TEST

/* Modelled memory beside a metered package: each by its own method. */
START_TEST(domains_have_methods_of_their_own)
{
    b.domains[PACKAGE].quality = QUALITY_MEASURED;
    b.domains[MEMORY].curve = &b.curve;
    b.domains[MEMORY].low_ratio = 0.5;
    b.domains[MEMORY].high_ratio = 2;
    b.counting.is_counted[MEMORY] = true;
    baseline(5 * S, 50, 0);
    run(10 * S, 300, 2, 2);
    own_is(total_of(), OWN_CPU_TIME, 200 + 300, 200 + 150, 200 + 600);
    ck_assert_int_eq(b.summary.domains[PACKAGE].own_method, OWN_NET);
}
END_TEST

UNIT_SUITE_IN("own_model", model, NULL, a_model_goes_by_cpu_time, the_parts_add_up, commands_of_a_series_share_a_slope,
              a_full_machine_has_one_slope, a_run_of_milliseconds_has_an_own, a_model_without_cpu_time_tells_nothing,
              a_limited_model_has_a_smaller_slope, a_profile_tells_what_a_meter_does_not,
              domains_have_methods_of_their_own)
