/* SPDX-License-Identifier: MIT
 * How busy others kept the machine in the baselines: against figures worked out by hand. */
#include "unit.h"

#include "idle_bench.h"

#include <math.h>

/* Both baselines by their length: (5 s x 0.4 - 0.1 s + 15 s x 1.2 - 0.3 s) / 20 s. */
START_TEST(a_baseline_knows_how_many_cpus_others_kept_busy)
{
    struct bench b;

    set_up(&b);
    ck_assert(isnan(baseline_busy_cpus(&b.measurement)));
    baseline(&b, 5, 100, 0.4);
    run(&b, 10, 1000, 2, 1);
    baseline(&b, 15, 300, 1.2);
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

UNIT_SUITE("idleness", a_baseline_knows_how_many_cpus_others_kept_busy)
