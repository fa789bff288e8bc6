/* SPDX-License-Identifier: MIT
 * How busy others kept the machine in the baselines: against figures worked out by hand. */
#include "unit.h"

#include "base/cpu_ticks.h"
#include "idle_bench.h"

#include <math.h>

static void on_two_cpus(void)
{
    static const struct machine machine = { .cpus_online = 2 };

    b.meter.machine = &machine;
}

/* The job may run on both. */
static void within_all(void)
{
    for (size_t i = 0; i < b.measurement.baseline_count; i++) {
        b.baselines[i].mask_cpus = 2;
        b.baselines[i].mask_busy_ns = b.baselines[i].machine_busy_ns;
    }
}

/* Both baselines by their length: (5 s x 0.4 - 0.1 s + 15 s x 1.2 - 0.3 s) / 20 s. */
START_TEST(a_baseline_knows_how_many_cpus_others_kept_busy)
{
    ck_assert(isnan(baseline_busy_cpus(&b.measurement)));
    baseline(5, 100, 0.4);
    run(10, 1000, 2, 1);
    baseline(15, 300, 1.2);
    b.baselines[0].carbon_busy_ns = S / 10;
    b.baselines[1].carbon_busy_ns = 3 * S / 10;
    ck_assert_double_eq_tol(baseline_busy_cpus(&b.measurement), 19.6 / 20, 1e-9);
    ck_assert(isnan(baseline_busy_mask_cpus(&b.measurement)));
    b.baselines[0].mask_cpus = b.baselines[1].mask_cpus = 1;
    b.baselines[0].mask_busy_ns = S / 20; /* all of it was carbon's own */
    ck_assert(isnan(idle_mask_cores_under(&(struct neighbours){ NULL, NULL }, &b.runs[0].window)));
    b.baselines[1].mask_busy_ns = 9 * S;
    ck_assert_double_eq_tol(baseline_busy_mask_cpus(&b.measurement), 8.7 / 20, 1e-9);
    ck_assert_double_eq_tol(idle_mask_cores_under(&(struct neighbours){ &b.baselines[0], NULL }, &b.runs[0].window),
                            0.01, 1e-9);
    b.baselines[1].mask_cpus = 0;
    b.baselines[0].machine_busy_known = false;
    ck_assert(isnan(baseline_busy_cpus(&b.measurement)) && isnan(baseline_busy_mask_cpus(&b.measurement)));
}
END_TEST

/* Others kept both CPUs busy in the baselines, and the job displaces them: no load changed, so that nothing is said of
 * the source. */
START_TEST(a_full_machine_is_no_constant)
{
    on_two_cpus();
    baseline(10, 1000, 1.99);
    run(20, 2000, 2, 1);
    baseline(10, 1000, 2);
    ck_assert(!measurement_is_constant(&b.measurement));
    within_all();
    ck_assert_int_eq(baseline_idleness(&b.measurement), IDLENESS_FULL);
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.verdict.verdict, VERDICT_NO_IDLE_BASELINE);
    ck_assert(!b.summary.net_is_reported);
    ck_assert_double_eq_tol(b.summary.baseline_busy_cpus, 1.995, 1e-9);
    ck_assert_double_eq_tol(b.summary.baseline_busy_mask_cpus, 1.995, 1e-9);
    ck_assert_uint_eq(b.summary.mask_cpus, 2);
}
END_TEST

/* 2 % of two CPUs, and a tick of each in a baseline of 10 s. */
START_TEST(how_idle_an_idle_machine_is)
{
    const double tick_cpus = 2 * s_from_ns(tick_ns()) / 10;
    const struct {
        double busy_cpus, mask_busy_cpus;
        unsigned mask_cpus;
        enum idleness idleness;
    } cases[] = {
        { 0, 0, 2, IDLENESS_IDLE },
        { 0.0399 + tick_cpus, 0, 0, IDLENESS_IDLE },
        { 0.0401 + tick_cpus, 0, 0, IDLENESS_BUSY },
        { 0.0401 + tick_cpus, 0.0401 + tick_cpus, 2, IDLENESS_BUSY },
        { 1.499, 1.499, 2, IDLENESS_BUSY },
        { 1.501, 1.501, 2, IDLENESS_FULL },
        { 1, 0, 1, IDLENESS_BUSY },                           /* the other CPU is busy, */
        { 1, 1, 1, IDLENESS_FULL },                           /* or the job's own */
        { 0.0399, 0.0201 + tick_cpus / 2, 1, IDLENESS_BUSY }, /* more than 2 % of that */
        { 2, 0, 0, IDLENESS_BUSY },                           /* what the job may use is not known */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        on_two_cpus();
        ck_assert_int_eq(baseline_idleness(&b.measurement), IDLENESS_UNKNOWN);
        baseline(10, 1000, cases[i].busy_cpus);
        b.baselines[0].mask_cpus = cases[i].mask_cpus;
        b.baselines[0].mask_busy_ns = (uint64_t)(cases[i].mask_busy_cpus * 10 * (double)S);
        ck_assert_msg(baseline_idleness(&b.measurement) == cases[i].idleness, "case %zu: %d", i,
                      baseline_idleness(&b.measurement));
        b.baselines[0].machine_busy_known = false;
        b.baselines[0].mask_cpus = 0;
        ck_assert_int_eq(baseline_idleness(&b.measurement), IDLENESS_UNKNOWN);
    }
}
END_TEST

UNIT_SUITE_IN("idleness", begin, NULL, a_baseline_knows_how_many_cpus_others_kept_busy, a_full_machine_is_no_constant,
              how_idle_an_idle_machine_is)
