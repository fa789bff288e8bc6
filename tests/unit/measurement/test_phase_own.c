/* SPDX-License-Identifier: MIT
 * The job's own energy in each of its phases, by the formulas of docs/METHOD.md. */
#include "unit.h"

#include "phase_fixture.h"

#include "power/power_curve.h"

#include <math.h>

/* 10 to 30 W of two CPUs: 10 W for each that is busy, whatever others do. */
START_TEST(a_model_tells_own_by_the_cpu_time_of_each)
{
    struct fixture *fixture = divided();
    const struct power_curve curve = curve_straight(10, 30);
    const struct phase_summary *load;
    double sum_j = 0;

    fixture->domains[FIXTURE_PACKAGE].quality = QUALITY_MODELLED;
    fixture->domains[FIXTURE_PACKAGE].curve = &curve;
    fixture->domains[FIXTURE_PACKAGE].curve_factor = 1;
    fixture->domains[FIXTURE_PACKAGE].low_ratio = 0.5;
    fixture->domains[FIXTURE_PACKAGE].high_ratio = 3;
    fixture->counting.is_counted[FIXTURE_DRAM] = false;
    for (size_t i = 0; i < 2; i++) /* both CPUs are another's */
        fixture->baselines[i].machine_busy_ns = 2 * fixture->baselines[i].duration_ns;
    report_finish(&fixture->report);
    load = row_named(&fixture->report, "load");
    ck_assert_str_eq(own_method_name(load->own_method), "cpu-time");
    ck_assert_double_eq_tol(load->cpu_s, 0.7, 1e-12);
    ck_assert_double_eq_tol(load->own_j.mean, 7, 1e-9);
    ck_assert_double_eq_tol(load->own_low_j, 3.5, 1e-9);
    ck_assert_double_eq_tol(load->own_high_j, 21, 1e-9);
    ck_assert_double_eq_tol(load->own_w, 7 / 2.5, 1e-9);
    ck_assert_int_eq(fixture->report.phases.part_of, FIGURE_OWN_J);
    ck_assert_double_eq_tol(load->part, 14.0 / 198, 1e-9);
    ck_assert_double_eq_tol(row_named(&fixture->report, "solve")->own_j.mean, 94, 1e-9);
    for (size_t i = 0; i < fixture->report.phases.count; i++)
        sum_j += fixture->report.phases.items[i].own_j.mean * (double)fixture->report.phases.items[i].runs;
    ck_assert_double_eq_tol(sum_j / 2, fixture->report.summary.total.own_j.mean, 1e-9);
    finish(fixture);
}
END_TEST

/* Others came with 0.4 of a CPU: "load", which kept 0.25 of one busy in 2 s, has 5/13 of its net, in the extreme cases
 * 4 times more or less for the same CPU time. */
START_TEST(beside_others_a_phase_has_a_share_of_its_net)
{
    struct fixture *fixture = divided();
    const struct phase_summary *load;

    fixture->measurement.run_count = fixture->measurement.baseline_count = 1;
    fixture->counting.is_counted[FIXTURE_DRAM] = false;
    fixture->baselines[0].machine_busy_ns = 0;
    fixture_be_steady(fixture, 30);
    fixture->runs[0].window.machine_busy_ns = fixture->runs[0].usage.cpu_ns.value + 4 * FIXTURE_S;
    report_finish(&fixture->report);
    load = row_named(&fixture->report, "load"); /* 100 J of which 60 J are idle */
    ck_assert_str_eq(own_method_name(load->own_method), "share");
    ck_assert_double_eq_tol(load->net_j.mean, 40, 1e-9);
    ck_assert_double_eq_tol(load->own_j.mean, 40 * 5 / 13.0, 1e-9);
    ck_assert_double_eq_tol(load->own_low_j, 40 * 5 / (5 + 4 * 8.0), 1e-9);
    ck_assert_double_eq_tol(load->own_high_j, 40 * 4 * 5 / (4 * 5 + 8.0), 1e-9);
    ck_assert_int_eq(fixture->report.phases.part_of, FIGURE_OWN_J);
    fixture->baselines[0].mask_cpus = 2;
    fixture->baselines[0].machine_busy_ns = fixture->baselines[0].mask_busy_ns = 10 * FIXTURE_S; /* they made way */
    report_finish(&fixture->report);
    load = row_named(&fixture->report, "load");
    ck_assert_str_eq(own_method_name(load->own_method), "unknown");
    ck_assert(isnan(load->own_j.mean));
    ck_assert_double_eq_tol(load->own_high_j, 100 * 4 * 5 / (4 * 5 + 8.0), 1e-9);
    ck_assert_int_eq(fixture->report.phases.part_of, FIGURE_GROSS_J);
    finish(fixture);
}
END_TEST

UNIT_SUITE("phase-own", a_model_tells_own_by_the_cpu_time_of_each, beside_others_a_phase_has_a_share_of_its_net)
