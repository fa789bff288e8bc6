/* SPDX-License-Identifier: MIT
 * From a measurement to a finished result, its record and its row. */
#include "unit.h"

#include "report_suite.h"

#include <math.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-12 * fabs((double)(b)))

START_TEST(a_result_is_worked_out_from_its_windows)
{
    struct report *report = &fixture->report;

    report_finish(report);
    NEAR(report->summary.total.gross_j.mean, 942);
    NEAR(report->summary.total.idle_j.mean, 380);
    NEAR(report->summary.total.net_j.mean, 562);
    NEAR(report->gross.footprint.it_kwh, 942 / 3.6e6);
    NEAR(report->gross.footprint.kgco2eq, 942 / 3.6e6 * 1.2 * 0.044);
    NEAR(report->net.footprint.facility_kwh, 562 / 3.6e6 * 1.2);
    NEAR(report->net.footprint.kgco2eq, 562 / 3.6e6 * 1.2 * 0.044);
    NEAR(report->net.kgco2eq_per_h, 56.2 / 1000 * 1.2 * 0.044);
    NEAR(report->net.kgco2eq_per_year, 56.2 / 1000 * 1.2 * 0.044 * 8760);
    ck_assert(isnan(report->net.kgco2eq_low) && isnan(report->gross.kgco2eq_high));
    NEAR(report->components[COMPONENT_PACKAGE].gross_j, 810);
    NEAR(report->components[COMPONENT_CORES].net_j, 405);
    NEAR(report->components[COMPONENT_MEMORY].idle_j, 80);
    ck_assert(isnan(report->components[COMPONENT_PLATFORM].gross_j));
    ck_assert(isnan(report->components[COMPONENT_MACHINE].net_j));
    NEAR(report->start_gap_s, 0.0003);
    NEAR(report->end_gap_s, 0.0001);
    ck_assert_uint_eq(report->all_notices.count, 0);
    ck_assert(report->exit_known);
}
END_TEST

START_TEST(usage_is_the_mean_and_of_memory_the_highest)
{
    const struct usage_summary *usage = &fixture->report.usage;

    fixture->runs[1].usage.cpu_ns.value = 5900000000;
    fixture->runs[1].usage.memory_peak_bytes.value = 99;
    fixture->runs[1].usage.major_faults.known = false;
    fixture->runs[0].usage.minor_faults.value = UINT64_C(1) << 52;
    report_finish(&fixture->report);
    NEAR(usage->cpu_s.value, 7.9);
    NEAR(usage->cpu_percent_of_core.value, 79);
    NEAR(usage->cpu_percent_of_machine.value, 39.5);
    NEAR(usage->memory_peak_bytes.value, 58720256);
    NEAR(usage->minor_faults.value, 2251799813685865.0);
    ck_assert_str_eq(usage->memory_peak_bytes.from, "cgroup");
    ck_assert(isnan(usage->major_faults.value));
    ck_assert_ptr_null(usage->major_faults.from);
}
END_TEST

START_TEST(a_run_alone_is_worked_out_like_the_whole)
{
    struct run_summary first, second;

    fixture->runs[0].warmup = true;
    report_finish(&fixture->report);
    ck_assert_uint_eq(fixture->report.warmups, 1);
    NEAR(fixture->report.summary.total.net_j.mean, 574);
    first = run_summary_of(&fixture->report, 0);
    second = run_summary_of(&fixture->report, 1);
    NEAR(first.gross_j, 930);
    NEAR(first.net_j, 550);
    NEAR(first.usage.cpu_percent_of_core.value, 99);
    NEAR(second.gross_j, 954);
    NEAR(second.idle_j, 380);
    /* the idle power of a run comes from the baselines beside it */
    fixture->baselines[1].energy_uj[FIXTURE_PACKAGE] = 160 * FIXTURE_J;
    NEAR(run_summary_of(&fixture->report, 0).idle_j, 390);
    NEAR(run_summary_of(&fixture->report, 1).idle_j, 400);
}
END_TEST

START_TEST(finishing_again_does_not_heap_up_notices)
{
    struct report *report = &fixture->report;
    size_t count;

    notice_add(&report->own_notices, NOTICE_BUSY_BASELINE, "", "", "the caller's own");
    report->recorded_tree = true;
    fixture->baselines[1].energy_uj[FIXTURE_PACKAGE] = 170 * FIXTURE_J;
    report_finish(report);
    count = report->all_notices.count;
    ck_assert_uint_eq(count, 3);
    ck_assert_str_eq(report->all_notices.item[0].what, "the caller's own");
    ck_assert_str_eq(report->all_notices.item[1].what, "the counters are those of a recorded machine");
    fixture->baselines[1].energy_uj[FIXTURE_PACKAGE] = 190 * FIXTURE_J;
    report_finish(report);
    ck_assert_uint_eq(report->all_notices.count, count);
    ck_assert_uint_eq(report->own_notices.count, 1);
}
END_TEST

START_TEST(without_a_baseline_net_is_unknown)
{
    fixture->measurement.baseline_count = 0;
    report_finish(&fixture->report);
    NEAR(fixture->report.gross.footprint.kgco2eq, 942 / 3.6e6 * 1.2 * 0.044);
    ck_assert(isnan(fixture->report.net.footprint.kgco2eq) && isnan(fixture->report.net.footprint.it_kwh));
    ck_assert(isnan(fixture->report.net.kgco2eq_per_year));
}
END_TEST

START_TEST(a_modelled_result_has_its_range)
{
    struct report *report = &fixture->report;

    for (size_t i = 0; i < FIXTURE_DOMAINS; i++) {
        fixture->domains[i].quality = QUALITY_MODELLED;
        fixture->domains[i].low_ratio = 0.5;
        fixture->domains[i].high_ratio = 2;
    }
    report_finish(report);
    ck_assert_int_eq(report->summary.quality, QUALITY_MODELLED);
    NEAR(report->gross.kgco2eq_low, report->gross.footprint.kgco2eq / 2);
    NEAR(report->net.kgco2eq_high, report->net.footprint.kgco2eq * 2);
}
END_TEST

START_TEST(a_run_too_short_for_a_power_has_no_rates)
{
    fixture->runs[0].window.duration_ns = fixture->runs[1].window.duration_ns = 3000000;
    report_finish(&fixture->report);
    ck_assert(isfinite(fixture->report.gross.footprint.kgco2eq));
    ck_assert(isnan(fixture->report.gross.kgco2eq_per_h) && isnan(fixture->report.net.kgco2eq_per_year));
}
END_TEST

/* A second source that repeats the first, the MMIO twin and one core's register do not add up. */
START_TEST(components_beside_the_total_are_not_doubled)
{
    fixture->domains[FIXTURE_DRAM].component = COMPONENT_CORES;
    fixture->counting.is_counted[FIXTURE_DRAM] = false;
    fixture->meter.sources[1].driver = &fixture_refused;
    fixture->meter.source_count = 2;
    fixture->meter.domains[FIXTURE_CORES].source = &fixture->meter.sources[1];
    report_finish(&fixture->report);
    NEAR(fixture->report.components[COMPONENT_CORES].gross_j, 132);
    strcpy(fixture->domains[FIXTURE_DRAM].not_counted, "one core's register");
    report_finish(&fixture->report);
    NEAR(fixture->report.components[COMPONENT_CORES].gross_j, 505);
    fixture->domains[FIXTURE_CORES].access = ACCESS_MMIO;
    report_finish(&fixture->report);
    ck_assert(isnan(fixture->report.components[COMPONENT_CORES].gross_j));
}
END_TEST

START_TEST(only_what_was_watched_is_attributed_a_part_of_gross)
{
    const struct summary *summary = &fixture->report.summary;
    const struct usage_summary *usage = &fixture->report.usage;

    for (size_t i = 0; i < 2; i++)
        fixture->runs[i].usage.cpu_ns.value = 2500000000;
    report_finish(&fixture->report);
    ck_assert(isnan(summary->machine_share.mean) && isnan(summary->attributed_j.mean));
    ck_assert(isnan(run_summary_of(&fixture->report, 0).attributed_j));
    ck_assert(isnan(usage->memory_bytes.value) && isnan(usage->received_bytes.value));
    fixture->report.target = "container web (docker, 514161fc81dd)";
    fixture_leave(fixture);
    report_finish(&fixture->report);
    NEAR(summary->machine_share.mean, 0.25);
    NEAR(summary->attributed_j.mean, (930 + 954) / 2.0 / 4);
    NEAR(run_summary_of(&fixture->report, 1).attributed_j, 954 / 4.0);
    NEAR(usage->memory_bytes.value, 41943040);
    NEAR(usage->working_set_bytes.value, 31457280);
    NEAR(usage->received_bytes.value, 7000);
    ck_assert_str_eq(usage->sent_bytes.from, "docker stats");
}
END_TEST

UNIT_SUITE_IN("report", begin, end, a_result_is_worked_out_from_its_windows,
              usage_is_the_mean_and_of_memory_the_highest, a_run_alone_is_worked_out_like_the_whole,
              finishing_again_does_not_heap_up_notices, without_a_baseline_net_is_unknown,
              a_modelled_result_has_its_range, a_run_too_short_for_a_power_has_no_rates,
              components_beside_the_total_are_not_doubled, only_what_was_watched_is_attributed_a_part_of_gross)
