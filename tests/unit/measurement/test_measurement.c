/* SPDX-License-Identifier: MIT
 * Windows and summaries, against figures worked out by hand. */
#include "noticed.h"
#include "unit.h"

#include "base/units.h"
#include "measurement/noise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)

/* A package and its dram are counted, the cores are not; what a test needs is changed in place. */
struct bench {
    struct domain domains[3];
    struct meter meter;
    struct counting counting;
    struct window baselines[4];
    struct run runs[3];
    struct measurement measurement;
    struct summary summary;
    struct notices notices;
};

/* One for all tests: each runs in a process of its own. */
static struct bench b;

static struct energy_driver powercap = { .name = "powercap", .quality = QUALITY_MEASURED };
static struct energy_source source = { .driver = &powercap };

static void begin(void)
{
    static const char *const names[] = { "package-0", "core-0", "dram-0" };
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_CORES, COMPONENT_MEMORY };
    static const struct machine machine = { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 86 };

    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < 3; i++) {
        b.domains[i] = (struct domain){ .component = components[i],
                                        .package = 0,
                                        .die = -1,
                                        .quality = QUALITY_MEASURED,
                                        .update_ns = 1000000,
                                        .low_ratio = 1,
                                        .high_ratio = 1 };
        snprintf(b.domains[i].name, sizeof b.domains[i].name, "%s", names[i]);
        b.meter.domains[i] =
            (struct meter_domain){ .domain = &b.domains[i], .source = &source, .started = true, .moved = true };
    }
    b.meter.domain_count = 3;
    b.meter.machine = &machine;
    b.counting.counts[0] = b.counting.counts[2] = true;
    b.counting.counted = 2;
    b.measurement =
        (struct measurement){ .meter = &b.meter, .counting = &b.counting, .baselines = b.baselines, .runs = b.runs };
}

static struct window window_of(uint64_t duration_s, uint64_t package_j, uint64_t core_j, uint64_t dram_j)
{
    struct window window = { .duration_ns = duration_s * S, .energy_uj = { package_j * J, core_j * J, dram_j * J } };

    memset(window.known, 1, sizeof window.known);
    return window;
}

static uint64_t end_ns(const struct window *window)
{
    return window->start_ns + window->duration_ns;
}

/* One after the other, from second 1 on. */
static void add_pair(struct window baseline, struct window run)
{
    const size_t runs = b.measurement.run_count;

    baseline.start_ns = runs ? end_ns(&b.runs[runs - 1].window) : S;
    run.start_ns = end_ns(&baseline);
    b.baselines[b.measurement.baseline_count++] = baseline;
    b.runs[b.measurement.run_count++] = (struct run){ .window = run, .ended = true };
}

static bool noticed(const char *words)
{
    return notices_have(&b.notices, words);
}

/* 1000 J in 10 s over a baseline of 40 W are 600 J net; dram adds its own; cores are inside. */
START_TEST(net_is_gross_less_idle)
{
    add_pair(window_of(5, 200, 100, 10), window_of(10, 1000, 700, 50));
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq(b.summary.domains[0].gross_j.mean, 1000);
    ck_assert_double_eq(b.summary.domains[0].idle_w, 40);
    ck_assert_double_eq(b.summary.domains[0].net_j.mean, 600);
    ck_assert_double_eq(b.summary.total.gross_j.mean, 1050);
    ck_assert_double_eq(b.summary.total.idle_j.mean, 420);
    ck_assert_double_eq(b.summary.total.net_j.mean, 630);
    ck_assert_double_eq(b.summary.total.gross_w, 105);
    ck_assert_double_eq(b.summary.total.net_w, 63);
    ck_assert_int_eq(b.summary.quality, QUALITY_MEASURED);
    ck_assert(isnan(b.summary.total.gross_low_j));
    ck_assert_uint_eq(b.summary.counted_unknown, 0);
}
END_TEST

START_TEST(no_baseline_leaves_net_unknown)
{
    b.runs[b.measurement.run_count++] = (struct run){ .window = window_of(10, 1000, 700, 50), .ended = true };
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq(b.summary.total.gross_j.mean, 1050);
    ck_assert(isnan(b.summary.total.net_j.mean) && isnan(b.summary.total.idle_w));
    ck_assert_uint_eq(b.summary.total.net_j.count, 0);
}
END_TEST

/* Idle power falls from 40 to 30 to 20 W: run 1 stands on 35 W, run 2 on its own baseline alone. */
START_TEST(neighbouring_baselines_cancel_drift)
{
    add_pair(window_of(5, 200, 0, 0), window_of(10, 1000, 0, 0));
    add_pair(window_of(5, 150, 0, 0), window_of(10, 1000, 0, 0));
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq(b.summary.total.net_j.max, 1000 - 300);
    ck_assert_double_eq(b.summary.total.net_j.min, 1000 - 350);
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(noticed("baselines vary by up to 25 %"));
}
END_TEST

START_TEST(warmups_are_left_out)
{
    add_pair(window_of(5, 200, 0, 0), window_of(10, 5000, 0, 0));
    add_pair(window_of(5, 200, 0, 0), window_of(10, 1000, 0, 0));
    b.runs[0].warmup = true;
    summarize(&b.measurement, &b.summary);
    ck_assert_uint_eq(b.summary.runs, 1);
    ck_assert_double_eq(b.summary.total.gross_j.mean, 1000);
}
END_TEST

START_TEST(spread_is_the_sample_deviation)
{
    const double values[] = { 708, 649, 648, 648, 648 };
    const struct spread spread = spread_of(values, 5), one = spread_of(values, 1), none = spread_of(NULL, 0);

    ck_assert_double_eq_tol(spread.mean, 660.2, 1e-12);
    ck_assert_double_eq_tol(spread.deviation, 26.7245, 1e-4); /* sqrt(2856.8 / 4) */
    ck_assert_double_eq(spread.min, 648);
    ck_assert_double_eq(spread.max, 708);
    ck_assert_double_eq(one.deviation, 0);
    ck_assert(isnan(none.mean) && none.count == 0);
}
END_TEST

START_TEST(a_counter_that_stands_still_is_unknown)
{
    b.meter.domains[2].moved = false;
    add_pair(window_of(5, 200, 0, 0), window_of(10, 1000, 0, 0));
    summarize(&b.measurement, &b.summary);
    ck_assert(isnan(b.summary.domains[2].gross_j.mean));
    ck_assert_double_eq(b.summary.total.gross_j.mean, 1000);
    ck_assert_uint_eq(b.summary.counted_unknown, 1);
    ck_assert(!b.summary.below_resolution);
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(noticed("the counter of dram-0 is stuck"));
    ck_assert(noticed("total incomplete: 1 of 2"));
}
END_TEST

START_TEST(nothing_known_is_null_not_zero)
{
    b.meter.domains[0].moved = b.meter.domains[2].moved = false;
    add_pair(window_of(5, 0, 0, 0), window_of(10, 0, 0, 0));
    summarize(&b.measurement, &b.summary);
    ck_assert(isnan(b.summary.total.gross_j.mean) && isnan(b.summary.total.gross_w));
    ck_assert_int_eq(b.summary.quality, QUALITY_UNKNOWN);
}
END_TEST

START_TEST(too_short_is_below_resolution)
{
    b.meter.domains[0].moved = b.meter.domains[2].moved = false;
    b.runs[0] = (struct run){ .window = window_of(0, 0, 0, 0), .ended = true };
    b.runs[0].window.duration_ns = 800000;
    b.measurement.run_count = 1;
    summarize(&b.measurement, &b.summary);
    ck_assert(b.summary.below_resolution);
    ck_assert(isnan(b.summary.total.gross_j.mean));
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(noticed("below the resolution"));
    ck_assert(!noticed("did not move"));
}
END_TEST

/* 5 J in 8 ms: the energy stands, a rate would be made of two edges of 1 ms each. */
START_TEST(a_rate_needs_ten_updates)
{
    b.runs[0] = (struct run){ .window = window_of(0, 5, 0, 0), .ended = true };
    b.runs[0].window.duration_ns = 8000000;
    b.measurement.run_count = 1;
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq(b.summary.total.gross_j.mean, 5);
    ck_assert(isnan(b.summary.total.gross_w));
}
END_TEST

START_TEST(a_modelled_figure_has_a_range)
{
    for (int i = 0; i < 3; i++) {
        b.domains[i].quality = QUALITY_MODELLED;
        b.domains[i].low_ratio = 0.5;
        b.domains[i].high_ratio = 2;
    }
    add_pair(window_of(5, 200, 0, 10), window_of(10, 1000, 0, 50));
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.quality, QUALITY_MODELLED);
    ck_assert_double_eq(b.summary.total.gross_low_j, 525);
    ck_assert_double_eq(b.summary.total.gross_high_j, 2100);
    ck_assert_double_eq(b.summary.total.net_low_j, 315);
    ck_assert_double_eq(b.summary.total.net_high_j, 1260);
}
END_TEST

START_TEST(negative_net_is_shown)
{
    add_pair(window_of(5, 200, 0, 0), window_of(10, 300, 0, 0));
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq(b.summary.total.net_j.mean, -100);
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(noticed("net energy is negative"));
}
END_TEST

/* Parts of 39, 40, 41, 40, 40 W: deviation 0.707 W; over 10 s and 5 parts 3.16 J, with 2 ms of
 * 40.3 W at the edges. */
START_TEST(net_within_the_baselines_spread_is_told)
{
    const double parts_w[] = { 39, 40, 41, 40, 40 };

    add_pair(window_of(5, 200, 0, 0), window_of(10, 403, 0, 0));
    memcpy(b.baselines[0].parts_w, parts_w, sizeof parts_w);
    b.baselines[0].part_count = 5;
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.idle_deviation_w, sqrt(0.5), 1e-12);
    ck_assert_double_eq_tol(b.summary.net_noise_j, hypot(0.0806, 10 * sqrt(0.5 / 5)), 1e-9);
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(noticed("net energy 3.00 J is within the baseline noise (± 6.33 J)"));
}
END_TEST

START_TEST(windows_are_differences_of_samples)
{
    struct sample start = { .time_ns = 5 * S, .boottime_ns = 5 * S, .energy_uj = { 7, 100 }, .read = { 1, 1 } };
    struct sample end = { .time_ns = 8 * S, .boottime_ns = 68 * S, .energy_uj = { 10, 100 }, .read = { 1, 0 } };
    const struct window window = window_between(&start, &end);

    ck_assert_uint_eq(window.duration_ns, 3 * S);
    ck_assert_uint_eq(window.suspended_ns, 60 * S);
    ck_assert_uint_eq(window.energy_uj[0], 3);
    ck_assert(window.known[0] && !window.known[1]);
}
END_TEST

/* What another domain contradicts has no figure, and what was found is told. */
START_TEST(what_is_doubted_is_unknown)
{
    add_pair(window_of(5, 200, 0, 0), window_of(10, 1000, 0, 0));
    b.meter.domains[0].doubted = true;
    notice_add(&b.meter.findings, NOTICE_MIRROR, "", "", "something is wrong with it");
    summarize(&b.measurement, &b.summary);
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(isnan(b.summary.domains[0].gross_j.mean));
    ck_assert(!(b.summary.total.gross_j.mean > 0)); /* of the others, which used nothing */
    ck_assert(noticed("something is wrong with it"));
}
END_TEST

START_TEST(an_outlier_is_flagged_and_kept)
{
    const uint64_t energies_j[] = { 708, 649, 648 };

    for (int i = 0; i < 3; i++)
        add_pair(window_of(5, 200, 0, 0), window_of(10, energies_j[i], 0, 0));
    summarize(&b.measurement, &b.summary);
    noise_notices(&b.measurement, &b.summary, &b.notices);
    ck_assert(noticed("run 1 used 9 % more than the median run"));
    ck_assert_double_eq(b.summary.total.gross_j.max, 708);
}
END_TEST

UNIT_SUITE_IN("measurement", begin, NULL, net_is_gross_less_idle, no_baseline_leaves_net_unknown,
              neighbouring_baselines_cancel_drift, warmups_are_left_out, spread_is_the_sample_deviation,
              a_counter_that_stands_still_is_unknown, nothing_known_is_null_not_zero, too_short_is_below_resolution,
              a_rate_needs_ten_updates, a_modelled_figure_has_a_range, negative_net_is_shown,
              net_within_the_baselines_spread_is_told, windows_are_differences_of_samples, what_is_doubted_is_unknown,
              an_outlier_is_flagged_and_kept)
