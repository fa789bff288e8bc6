/* SPDX-License-Identifier: MIT
 * What windows come to alone and together: energies, ranges, noise and shares, against figures worked out by hand. */
#include "unit.h"

#include "base/units.h"
#include "measurement/idle.h"

#include <math.h>
#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)
#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

enum { PACKAGE, CORES, MEMORY, DOMAINS };

/* Package and memory are counted, cores are inside. */
struct bench {
    struct domain domains[DOMAINS];
    struct meter meter;
    struct counting counting;
    struct window baselines[3];
    struct run runs[3];
    struct measurement measurement;
    struct summary summary;
    uint64_t now_ns;
};

/* One for all tests: each runs in a process of its own. */
static struct bench b;

static void begin(void)
{
    static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
    static struct energy_source source = { .driver = &driver };

    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < DOMAINS; i++) {
        b.domains[i] =
            (struct domain){ .quality = QUALITY_MEASURED, .update_ns = 1000000, .low_ratio = 1, .high_ratio = 1 };
        b.meter.domains[i] = (struct meter_domain){ .domain = &b.domains[i], .source = &source, .moved = true };
    }
    b.meter.domain_count = DOMAINS;
    b.counting.is_counted[PACKAGE] = b.counting.is_counted[MEMORY] = true;
    b.counting.counted = 2;
    b.measurement =
        (struct measurement){ .meter = &b.meter, .counting = &b.counting, .baselines = b.baselines, .runs = b.runs };
    b.now_ns = 50 * S;
}

static struct window window_of(uint64_t duration_s, uint64_t package_j, uint64_t memory_j)
{
    const struct window window = {
        .start_ns = b.now_ns,
        .duration_ns = duration_s * S,
        .energy_uj = { package_j * J, package_j * J / 2, memory_j * J },
        .known = { 1, 1, 1 },
        .machine_busy_known = true,
    };

    b.now_ns += window.duration_ns;
    return window;
}

static struct window *baseline(uint64_t duration_s, uint64_t package_j, uint64_t memory_j)
{
    struct window *window = &b.baselines[b.measurement.baseline_count++];

    *window = window_of(duration_s, package_j, memory_j);
    return window;
}

static struct run *run(uint64_t duration_s, uint64_t package_j, uint64_t memory_j)
{
    struct run *run = &b.runs[b.measurement.run_count++];

    *run = (struct run){ .window = window_of(duration_s, package_j, memory_j), .ended = true };
    return run;
}

/* Two runs, of 10 and 20 s, over 40 and 2 W idle: 1000 + 60 J and 1400 + 100 J. */
static void two_runs(void)
{
    baseline(5, 200, 10);
    run(10, 1000, 60);
    run(20, 1400, 100);
    baseline(7, 280, 14);
}

START_TEST(each_energy_of_each_domain)
{
    const struct domain_energy *package, *cores, *total;

    two_runs();
    summarize(&b.measurement, &b.summary);
    package = &b.summary.domains[PACKAGE];
    cores = &b.summary.domains[CORES];
    total = &b.summary.total;
    ck_assert_uint_eq(b.summary.runs, 2);
    NEAR(b.summary.duration_s.mean, 15);
    NEAR(b.summary.baseline_s, 12);
    NEAR(package->gross_j.mean, 1200);
    NEAR(package->gross_j.deviation, 200 * sqrt(2));
    NEAR(package->idle_j.mean, 600);
    NEAR(package->net_j.mean, 600);
    NEAR(package->net_j.deviation, 0);
    NEAR(package->net_interval_j.low, 600);
    NEAR(package->gross_w, 80);
    NEAR(package->idle_w, 40);
    NEAR(package->net_w, 40);
    NEAR(cores->gross_j.mean, 600);
    NEAR(cores->idle_j.mean, 300);
    NEAR(cores->net_j.mean, 300);
    NEAR(b.summary.domains[MEMORY].gross_j.mean, 80);
    NEAR(b.summary.domains[MEMORY].idle_j.mean, 30);
    NEAR(b.summary.domains[MEMORY].net_j.mean, 50);
    NEAR(total->gross_j.mean, 1280);
    NEAR(total->idle_j.mean, 630);
    NEAR(total->net_j.mean, 650);
    NEAR(total->net_j.max, 660);
    NEAR(total->gross_w, 1280 / 15.0);
    NEAR(total->idle_w, 42);
    NEAR(total->net_w, 650 / 15.0);
    ck_assert(isnan(total->gross_low_j) && isnan(total->gross_high_j));
    ck_assert(isnan(total->net_low_j) && isnan(total->net_high_j));
    NEAR(b.summary.resolution_j, 1280 / 15.0 * 0.002);
    ck_assert(isnan(b.summary.idle_deviation_w) && isnan(b.summary.net_noise_j));
    ck_assert_uint_eq(b.summary.counted_unknown, 0);
    ck_assert(!b.summary.below_resolution);
}
END_TEST

/* Without a baseline gross is as good as it was read. */
START_TEST(energies_without_a_baseline)
{
    run(10, 1000, 60);
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.total.gross_j.mean, 1060);
    NEAR(b.summary.total.gross_w, 106);
    ck_assert(isnan(b.summary.total.idle_j.mean) && isnan(b.summary.total.net_w));
    ck_assert_int_eq(b.summary.quality, QUALITY_MEASURED);
    b.meter.domains[MEMORY].moved = false;
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.total.gross_j.mean, 1000);
    ck_assert_uint_eq(b.summary.counted_unknown, 1);
    b.meter.domains[PACKAGE].moved = false;
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.quality, QUALITY_UNKNOWN);
    ck_assert(isnan(b.summary.total.gross_j.mean));
}
END_TEST

static void is_run(const struct run_figures *run, double duration_s, double gross_j, double idle_j, double net_j)
{
    NEAR(run->duration_s, duration_s);
    NEAR(run->gross_j, gross_j);
    NEAR(run->idle_j, idle_j);
    NEAR(run->net_j, net_j);
}

/* The same, run by run. */
START_TEST(a_series_of_its_runs)
{
    struct run_series series;

    two_runs();
    run(1, 7, 7)->warmup = true;
    ck_assert(measurement_series(&b.measurement, &b.summary.own_basis, "A", &series));
    ck_assert_uint_eq(series.count, 2);
    is_run(&series.runs[0], 10, 1060, 420, 640);
    is_run(&series.runs[1], 20, 1500, 840, 660);
    ck_assert(isnan(series.runs[0].items));
    ck_assert_str_eq(series.name, "A");
    series_free(&series);
    ck_assert(!series.runs && series.count == 0);
}
END_TEST

/* A model of the memory that is off by a half to two: 80 J are 40 to 160, 50 J net 25 to 100. What is measured adds
 * what it is. */
START_TEST(one_model_among_what_is_measured)
{
    two_runs();
    b.domains[MEMORY].quality = QUALITY_MODELLED;
    b.domains[MEMORY].low_ratio = 0.5;
    b.domains[MEMORY].high_ratio = 2;
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.quality, QUALITY_MODELLED);
    NEAR(b.summary.domains[MEMORY].gross_low_j, 40);
    NEAR(b.summary.domains[MEMORY].gross_high_j, 160);
    NEAR(b.summary.domains[MEMORY].net_low_j, 25);
    NEAR(b.summary.domains[MEMORY].net_high_j, 100);
    ck_assert(isnan(b.summary.domains[PACKAGE].gross_low_j));
    NEAR(b.summary.total.gross_low_j, 1240);
    NEAR(b.summary.total.gross_high_j, 1360);
    NEAR(b.summary.total.net_low_j, 625);
    NEAR(b.summary.total.net_high_j, 700);
    /* one that is not counted has a range of its own alone */
    b.counting.is_counted[MEMORY] = false;
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.domains[MEMORY].net_high_j, 100);
    ck_assert(isnan(b.summary.total.gross_low_j));
    ck_assert_int_eq(b.summary.quality, QUALITY_MEASURED);
}
END_TEST

/* A net of -100 J that is off by a half to two lies between -200 and -50 J. */
START_TEST(a_negative_net_has_its_ends_in_order)
{
    b.domains[PACKAGE].quality = QUALITY_MODELLED;
    b.domains[PACKAGE].low_ratio = 0.5;
    b.domains[PACKAGE].high_ratio = 2;
    baseline(10, 400, 0);
    run(10, 300, 0);
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.domains[PACKAGE].net_low_j, -200);
    NEAR(b.summary.domains[PACKAGE].net_high_j, -50);
    NEAR(b.summary.total.net_low_j, -200);
    NEAR(b.summary.total.net_high_j, -50);
}
END_TEST

static void give_parts(struct window *baseline, const double *parts_w, size_t count)
{
    memcpy(baseline->parts_w, parts_w, count * sizeof *parts_w);
    baseline->part_count = count;
}

/* 39 and 41 W: 1 x 2; 40, 40 and 43 W: 2 x 3. So 8 over 5 - 2 degrees of freedom; a baseline of one part says nothing.
 */
START_TEST(noise_is_pooled_over_the_baselines)
{
    static const double two[] = { 39, 41 }, three[] = { 40, 40, 43 }, one[] = { 90 }, unknown[] = { 40, NAN, 90 };
    const double deviation_w = sqrt(8 / 3.0);

    two_runs();
    give_parts(&b.baselines[0], two, 2);
    give_parts(&b.baselines[1], three, 3);
    give_parts(baseline(5, 200, 10), one, 1);
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.idle_deviation_w, deviation_w);
    NEAR(b.summary.net_noise_j, hypot(1280 / 15.0 * 0.002, 15 * deviation_w / sqrt(5)));
    give_parts(&b.baselines[2], unknown, 3);
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.idle_deviation_w, deviation_w);
}
END_TEST

/* 10 s of 2 cores busy, of which the job had half of one; 1 core is busy while idle: half of the net is the job's, and
 * a quarter of gross. In the other run it was alone. */
START_TEST(shares_of_each_run)
{
    two_runs();
    b.baselines[0].machine_busy_ns = 5 * S;
    b.baselines[1].machine_busy_ns = 7 * S;
    b.runs[0].window.machine_busy_ns = 20 * S;
    b.runs[0].usage.cpu_ns = (struct usage_value){ true, 5 * S, "cgroup" };
    b.runs[1].window.machine_busy_ns = 40 * S;
    b.runs[1].usage.cpu_ns = (struct usage_value){ true, 20 * S, "cgroup" };
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.share_j.mean, (640 / 2.0 + 660) / 2);
    NEAR(b.summary.share_j.max, 660);
    NEAR(b.summary.background_cores.max, 0.5);
    NEAR(b.summary.background_cores.min, 0);
    NEAR(b.summary.machine_share.min, 0.25);
    NEAR(b.summary.machine_share.max, 0.5);
    NEAR(b.summary.attributed_j.min, 1060 / 4.0);
    NEAR(b.summary.attributed_j.max, 1500 / 2.0);
}
END_TEST

/* The slowest of the counted; a rate needs ten of its updates. */
START_TEST(updates_of_the_counted)
{
    two_runs();
    ck_assert_uint_eq(measurement_update_ns(&b.measurement), 1000000);
    b.domains[CORES].update_ns = 3 * S;
    b.domains[MEMORY].update_ns = 2 * S;
    ck_assert_uint_eq(measurement_update_ns(&b.measurement), 2 * S);
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.resolution_j, 1280 / 15.0 * 4);
    /* readings that took longer than the updates */
    b.runs[0].window.span_ns = 5 * S;
    b.runs[1].window.span_ns = 3 * S;
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.resolution_j, 1280 / 15.0 * 5);
    b.runs[0].window.span_ns = b.runs[1].window.span_ns = 0;
    ck_assert(isnan(b.summary.total.gross_w) && isnan(b.summary.total.net_w));
    ck_assert(isnan(b.summary.domains[PACKAGE].gross_w) && isnan(b.summary.domains[PACKAGE].net_w));
    NEAR(b.summary.total.idle_w, 42);
    b.domains[MEMORY].update_ns = 3 * S / 2; /* ten of them are the 15 s of the mean run */
    summarize(&b.measurement, &b.summary);
    NEAR(b.summary.total.gross_w, 1280 / 15.0);
}
END_TEST

/* Of 0.1 s on a window tells when a power cannot be true; and that a counter does not move. */
START_TEST(what_a_window_cannot_say)
{
    bool too_short;

    run(0, 0, 0)->window.duration_ns = 100000000;
    b.domains[PACKAGE].max_w = 0.5;
    b.runs[0].window.energy_uj[PACKAGE] = 60000;
    ck_assert(window_is_impossible(&b.measurement, &b.runs[0].window, PACKAGE)); /* 0.6 W */
    ck_assert(!window_has_figure(&b.measurement, &b.runs[0].window, PACKAGE));
    ck_assert(!window_is_impossible(&b.measurement, &b.runs[0].window, CORES)); /* of which the most is not known */
    b.runs[0].window.energy_uj[PACKAGE] = 40000;
    ck_assert(!window_is_impossible(&b.measurement, &b.runs[0].window, PACKAGE));
    b.runs[0].window.energy_uj[PACKAGE] = 60000;
    b.runs[0].window.duration_ns--;
    ck_assert(!window_is_impossible(&b.measurement, &b.runs[0].window, PACKAGE));
    ck_assert(window_has_figure(&b.measurement, &b.runs[0].window, PACKAGE));
    b.runs[0].window.known[PACKAGE] = 0;
    ck_assert(!window_has_figure(&b.measurement, &b.runs[0].window, PACKAGE));
    ck_assert(!domain_is_still(&b.measurement, PACKAGE, &too_short) && !too_short);
    b.meter.domains[PACKAGE].moved = false;
    ck_assert(!domain_is_still(&b.measurement, PACKAGE, &too_short)); /* it was never read */
    b.runs[0].window.known[PACKAGE] = 1;
    ck_assert(domain_is_still(&b.measurement, PACKAGE, &too_short) && too_short);
    b.runs[0].window.unknown_ns[PACKAGE] = 1;
    b.runs[0].window.hole[PACKAGE] = HOLE_IMPLAUSIBLE;
    ck_assert(!domain_is_still(&b.measurement, PACKAGE, &too_short));
    b.runs[0].window.unknown_ns[PACKAGE] = 0;
    baseline(0, 0, 0)->duration_ns = 1;
    ck_assert_uint_eq(watched_ns(&b.measurement), 100000000);
    ck_assert(domain_is_still(&b.measurement, PACKAGE, &too_short) && !too_short);
    b.domains[PACKAGE].update_ns = 50000001; /* as a guest's, which is refreshed once a second */
    ck_assert(domain_is_still(&b.measurement, PACKAGE, &too_short) && too_short);
}
END_TEST

/* Of the first run. */
static void lose_a_second(size_t domain)
{
    b.runs[0].window.unknown_ns[domain] = S;
    b.runs[0].window.hole[domain] = HOLE_RESET;
    summarize(&b.measurement, &b.summary);
}

/* What lies beside the total, too: its energy is that of a part of the time. */
START_TEST(a_domain_with_a_hole_has_no_power)
{
    two_runs();
    lose_a_second(CORES);
    ck_assert(!b.summary.at_least);
    NEAR(b.summary.total.gross_w, 2560.0 / 30);
    ck_assert(domain_is_at_least(&b.measurement, CORES));
    ck_assert(isnan(b.summary.domains[CORES].gross_w));
    ck_assert(isfinite(b.summary.domains[PACKAGE].gross_w));
}
END_TEST

/* Of what has no figure at all nothing is known at least. */
START_TEST(what_is_contradicted_has_no_hole)
{
    two_runs();
    lose_a_second(MEMORY);
    ck_assert(b.summary.at_least);
    b.meter.domains[MEMORY].doubted = true;
    summarize(&b.measurement, &b.summary);
    ck_assert(!b.summary.at_least && b.summary.unknown_s == 0);
    NEAR(b.summary.total.gross_j.mean, 1200);
}
END_TEST

START_TEST(powers_of_a_window)
{
    struct window window;

    window = window_of(4, 100, 20);
    NEAR(window_counted_j(&b.measurement, &window), 120);
    NEAR(window_counted_w(&b.measurement, &window), 30);
    NEAR(window_w(&window, CORES), 12.5);
    window.known[MEMORY] = 0;
    NEAR(window_counted_j(&b.measurement, &window), 100);
}
END_TEST

START_TEST(nothing_is_left_of_a_closed_measurement)
{
    struct measurement measurement = { .baselines = calloc(2, sizeof *measurement.baselines),
                                       .baseline_count = 2,
                                       .runs = calloc(3, sizeof *measurement.runs),
                                       .run_count = 3 };

    measurement_close(&measurement);
    ck_assert(!measurement.baselines && measurement.baseline_count == 0);
    ck_assert(!measurement.runs && measurement.run_count == 0);
    measurement_close(&measurement);
}
END_TEST

UNIT_SUITE_IN("summary", begin, NULL, each_energy_of_each_domain, energies_without_a_baseline, a_series_of_its_runs,
              one_model_among_what_is_measured, a_negative_net_has_its_ends_in_order,
              noise_is_pooled_over_the_baselines, shares_of_each_run, updates_of_the_counted, what_a_window_cannot_say,
              a_domain_with_a_hole_has_no_power, what_is_contradicted_has_no_hole, powers_of_a_window,
              nothing_is_left_of_a_closed_measurement)
