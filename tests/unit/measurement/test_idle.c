/* SPDX-License-Identifier: MIT
 * What is idle under a run, whose the net is, and whether the meter can tell at all: against figures worked out by
 * hand. */
#include "unit.h"

#include "idle_bench.h"
#include "measurement/cpu_share.h"

#include <math.h>

/* A run between two equal baselines, in which the job keeps so many cores busy and nobody else any. */
static void between_baselines(uint64_t baseline_s, uint64_t baseline_j, uint64_t run_s, uint64_t run_j, double cores)
{
    baseline(baseline_s, baseline_j, 0);
    run(run_s, run_j, cores, cores);
    baseline(baseline_s, baseline_j, 0);
}

/* Idle power grows by 1 W a second: 40 W in the middle of the run, wherever the baselines lie and however long. */
START_TEST(a_linear_drift_cancels_wherever_the_baselines_lie)
{
    baseline(10, 300, 0); /* 30 W, its middle 10 s before the run's */
    run(10, 1000, 0, 0);
    b.now_ns += 20 * S;   /* a rest */
    baseline(10, 700, 0); /* 70 W, its middle 30 s after the run's */
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.total.idle_w, 40, 1e-9);
    ck_assert_double_eq_tol(b.summary.total.net_j.mean, 600, 1e-9);
}
END_TEST

START_TEST(one_baseline_stands_alone)
{
    run(10, 1000, 0, 0);
    baseline(5, 100, 0);
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.total.net_j.mean, 800, 1e-9);
}
END_TEST

/* Between two runs lie two: the first is the first run's, the second the second's. */
START_TEST(each_run_has_baselines_of_its_own)
{
    between_baselines(2, 20, 10, 400, 0);
    between_baselines(2, 40, 10, 400, 0);
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.total.net_j.max, 300, 1e-9);
    ck_assert_double_eq_tol(b.summary.total.net_j.min, 200, 1e-9);
    ck_assert_int_eq(b.summary.verdict.verdict, VERDICT_NOISE); /* 250 J, t_0.975(1) = 12.7 times 50 J either way */
}
END_TEST

/* idle 60 W, loaded 100 W, 100 s: gross 10 kJ, idle 6, net 4; the job's share 4 alone and 2 beside an equal. */
START_TEST(the_share_of_the_worked_example)
{
    struct neighbours neighbours;

    baseline(50, 3000, 0.5);
    run(100, 10000, 8.5, 8);
    baseline(50, 3000, 0.5);
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.total.gross_j.mean, 10000, 1e-9);
    ck_assert_double_eq_tol(b.summary.total.idle_j.mean, 6000, 1e-9);
    ck_assert_double_eq_tol(b.summary.total.net_j.mean, 4000, 1e-9);
    ck_assert_double_eq_tol(b.summary.share_j.mean, 4000, 1e-9);
    ck_assert_double_eq_tol(b.summary.background_cores.mean, 0, 1e-9);

    b.runs[0].window.machine_busy_ns = 1650 * S; /* the neighbour's 8 cores, too */
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.background_cores.mean, 8, 1e-9);
    ck_assert_double_eq_tol(b.summary.share_j.mean, 2000, 1e-9);

    /* the neighbour's own carbon sees the same window: both shares are all of net */
    neighbours = neighbours_of(&b.measurement, &b.runs[0].window);
    ck_assert_double_eq_tol(2 * cpu_share_of(&neighbours, &b.runs[0]).fraction, 1, 1e-12);
}
END_TEST

/* Three jobs of 1, 2 and 5 cores: each seen from its own side. */
START_TEST(shares_add_up_to_net)
{
    static const double cores[] = { 1, 2, 5 };
    double sum = 0;

    for (size_t i = 0; i < 3; i++) {
        struct neighbours neighbours;
        begin();
        baseline(10, 100, 0.25);
        run(20, 4000, 8.25, cores[i]);
        neighbours = neighbours_of(&b.measurement, &b.runs[0].window);
        sum += cpu_share_of(&neighbours, &b.runs[0]).fraction;
    }
    ck_assert_double_eq_tol(sum, 1, 1e-12);
}
END_TEST

/* Ticks of one process can be more than the machine's busy ticks: 180 and 140 of 130 seconds. */
START_TEST(a_share_is_never_more_than_net)
{
    struct neighbours neighbours;

    baseline(10, 100, 0);
    run(100, 4000, 1.3, 1.8);
    neighbours = neighbours_of(&b.measurement, &b.runs[0].window);
    ck_assert_double_eq(cpu_share_of(&neighbours, &b.runs[0]).fraction, 1);
    ck_assert_double_eq(cpu_share_of(&neighbours, &b.runs[0]).background_cores, 0);
}
END_TEST

START_TEST(a_share_needs_cpu_time_and_a_second)
{
    struct neighbours neighbours;

    baseline(10, 100, 0);
    run(20, 4000, 2, 1);
    neighbours = neighbours_of(&b.measurement, &b.runs[0].window);
    ck_assert_double_eq_tol(cpu_share_of(&neighbours, &b.runs[0]).fraction, 0.5, 1e-12);
    b.runs[0].usage.cpu_ns.known = false;
    ck_assert(isnan(cpu_share_of(&neighbours, &b.runs[0]).fraction));
    b.runs[0].usage.cpu_ns.known = true;
    b.runs[0].window.machine_busy_known = false;
    ck_assert(isnan(cpu_share_of(&neighbours, &b.runs[0]).fraction));
    b.runs[0].window.machine_busy_known = true;
    b.runs[0].window.duration_ns = S - 1;
    ck_assert(isnan(cpu_share_of(&neighbours, &b.runs[0]).fraction));
    b.runs[0].window.duration_ns = S;
    b.runs[0].window.machine_busy_ns = 2 * S;
    b.runs[0].usage.cpu_ns.value = S;
    ck_assert_double_eq_tol(cpu_share_of(&neighbours, &b.runs[0]).fraction, 0.5, 1e-12);
    b.runs[0].ended = false;
    ck_assert(isnan(cpu_share_of(&neighbours, &b.runs[0]).fraction));
    ck_assert(isnan(machine_share_of(&b.runs[0])));
    b.runs[0].ended = true;
    b.runs[0].usage.cpu_ns.value = 20 * S;
    /* 2 % of a core is nobody */
    b.runs[0].window.duration_ns = 20 * S;
    b.runs[0].window.machine_busy_ns = (uint64_t)(1.019 * 20 * (double)S);
    ck_assert_double_eq(cpu_share_of(&neighbours, &b.runs[0]).fraction, 1);
}
END_TEST

/* 100 W in every window, to a thousandth, while the job keeps a core busy: half the TDP, not a measurement. */
START_TEST(a_constant_is_not_measurable)
{
    between_baselines(10, 1000, 20, 2000, 1);
    between_baselines(10, 1000, 20, 2001, 1);
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.verdict.verdict, VERDICT_NOT_MEASURABLE);

    /* a job that sleeps draws what idle draws: that is no constant */
    b.runs[0].window.machine_busy_ns = b.runs[1].window.machine_busy_ns = S / 10;
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.verdict.verdict, VERDICT_NOISE);

    /* 3 % more in the runs is told */
    b.runs[0].window.machine_busy_ns = b.runs[1].window.machine_busy_ns = 20 * S;
    b.runs[0].window.energy_uj[0] = 2060 * J;
    b.runs[1].window.energy_uj[0] = 2061 * J;
    summarize(&b.measurement, &b.summary);
    ck_assert_int_eq(b.summary.verdict.verdict, VERDICT_MORE);
    ck_assert_double_eq_tol(b.summary.total.net_j.mean, 60.5, 1e-9);
}
END_TEST

/* A baseline, a run, a baseline and a run of 10 s, at these powers, with half a core busy. */
static bool is_constant(double baseline_w, double run_w, double next_baseline_w, double next_run_w)
{
    const double powers_w[] = { baseline_w, run_w, next_baseline_w, next_run_w };

    begin();
    for (size_t i = 0; i < 4; i++) {
        if (i % 2)
            run(10, 0, 1, 0.5)->window.energy_uj[0] = (uint64_t)(powers_w[i] * 1e7);
        else {
            baseline(10, 0, 0);
            b.baselines[i / 2].energy_uj[0] = (uint64_t)(powers_w[i] * 1e7);
        }
    }
    return measurement_is_constant(&b.measurement);
}

/* Within a thousandth whatever runs; up to five where runs and baselines lie among each other. */
START_TEST(how_even_a_constant_is)
{
    ck_assert(is_constant(1000, 1000.9, 1000, 1000.9));
    ck_assert(!is_constant(1000, 1001.1, 1000, 1001.1)); /* above all baselines, */
    ck_assert(!is_constant(1001.1, 1000, 1001.1, 1000)); /* or below */
    ck_assert(is_constant(1000, 1002, 1003, 1001));
    ck_assert(is_constant(1000, 1001, 1004.9, 1001));
    ck_assert(is_constant(1001, 1000, 1001, 1004.9));
    ck_assert(!is_constant(1000, 1002, 1005.1, 1001));
    ck_assert(!is_constant(1002, 1000, 1001, 1005.1));
    ck_assert(is_constant(1000, 1002, 1002, 1004)); /* they touch */
    ck_assert(is_constant(1002, 1000, 1004, 1002));
    ck_assert(is_constant(0.5, 0.5, 0.5, 0.5));
    ck_assert(!is_constant(0, 0, 0, 0));
}
END_TEST

/* Windows of a second tell it, shorter ones do not; a tenth of a CPU more has to be busy than in the baselines. */
START_TEST(what_tells_a_constant)
{
    baseline(10, 1000, 0);
    run(10, 1000, 1, 1);
    run(1, 200, 1, 1);
    ck_assert(!measurement_is_constant(&b.measurement));
    b.runs[1].window.duration_ns = S - 1;
    ck_assert(measurement_is_constant(&b.measurement));
    b.runs[0].window.machine_busy_known = false;
    ck_assert(!measurement_is_constant(&b.measurement));
    b.runs[0].window.machine_busy_known = true;
    b.baselines[0].machine_busy_known = false;
    ck_assert(!measurement_is_constant(&b.measurement));
    b.baselines[0].machine_busy_known = true;
    baseline(1, 200, 0);
    ck_assert(!measurement_is_constant(&b.measurement));
    b.baselines[1].duration_ns = S - 1;
    ck_assert(measurement_is_constant(&b.measurement));
    b.runs[0].window.machine_busy_ns = S; /* of 10 s */
    ck_assert(measurement_is_constant(&b.measurement));
    b.runs[0].window.machine_busy_ns = S - 1;
    ck_assert(!measurement_is_constant(&b.measurement));
    b.runs[0].window.machine_busy_ns = 10 * S;
    b.baselines[0].machine_busy_ns = 10 * S; /* as busy as in the run */
    ck_assert(!measurement_is_constant(&b.measurement));
    b.baselines[0].machine_busy_ns = 8 * S;
    ck_assert(measurement_is_constant(&b.measurement));
    b.measurement.baseline_count = 0;
    ck_assert(!measurement_is_constant(&b.measurement));
}
END_TEST

/* 90 and 110 W back to back are 100 W; with more than 10 ms between them they are two. */
START_TEST(baselines_back_to_back_are_one)
{
    baseline(10, 900, 0);
    b.now_ns += S / 100;
    baseline(10, 1100, 0);
    run(10, 1000, 1, 1);
    ck_assert(measurement_is_constant(&b.measurement));
    b.baselines[1].start_ns++;
    ck_assert(!measurement_is_constant(&b.measurement));
    b.baselines[1].start_ns--;
    b.baselines[1].known[0] = 0; /* then neither says anything */
    ck_assert(!measurement_is_constant(&b.measurement));
}
END_TEST

/* The halves between two runs are one baseline for that: 0.6 s each are 1.2 s. */
START_TEST(the_halves_of_a_baseline_are_looked_at_together)
{
    run(2, 200, 1, 1);
    for (size_t i = 0; i < 2; i++) {
        baseline(1, 100, 0);
        b.baselines[i].duration_ns = b.baselines[i].duration_ns * 6 / 10;
        b.baselines[i].energy_uj[0] = 60 * J;
        b.now_ns = b.baselines[i].start_ns + b.baselines[i].duration_ns;
    }
    run(2, 200, 1, 1);
    ck_assert(measurement_is_constant(&b.measurement));
    b.baselines[1].start_ns += S; /* apart, each is too short to say so */
    ck_assert(!measurement_is_constant(&b.measurement));
}
END_TEST

START_TEST(a_command_of_several_has_its_own_runs_and_baselines)
{
    struct measurement view;

    for (size_t i = 0; i < 4; i++) {
        baseline(2, 20 + 2 * i, 0);
        run(10, 400, 0, 0)->command = i % 2;
        baseline(2, 20 + 2 * i, 0);
    }
    ck_assert(measurement_of_command(&b.measurement, 1, &view));
    ck_assert_uint_eq(view.run_count, 2);
    ck_assert_uint_eq(view.baseline_count, 4);
    ck_assert_uint_eq(view.baselines[0].energy_uj[0], 22 * J);
    ck_assert_uint_eq(view.baselines[1].energy_uj[0], 22 * J);
    ck_assert_uint_eq(view.baselines[2].energy_uj[0], 26 * J);
    summarize(&view, &b.summary);
    ck_assert_double_eq_tol(b.summary.total.idle_j.mean, 120, 1e-9);
    measurement_close(&view);
}
END_TEST

START_TEST(a_failure_after_successes_is_left_out)
{
    baseline(2, 20, 0);
    run(10, 400, 0, 0);
    run(10, 9000, 0, 0)->left_out = true;
    summarize(&b.measurement, &b.summary);
    ck_assert_uint_eq(b.summary.runs, 1);
    ck_assert_double_eq_tol(b.summary.total.gross_j.mean, 400, 1e-9);
}
END_TEST

/* 3 of 12 busy core-seconds: a quarter of gross, whatever was there before. */
START_TEST(a_part_of_the_busy_time_needs_no_baseline)
{
    run(10, 4000, 1.2, 0.3);
    summarize(&b.measurement, &b.summary);
    ck_assert_double_eq_tol(b.summary.machine_share.mean, 0.25, 1e-12);
    ck_assert_double_eq_tol(b.summary.attributed_j.mean, 1000, 1e-9);
    ck_assert(isnan(b.summary.share_j.mean));
    /* ticks of one process can be more than the machine's */
    b.runs[0].window.machine_busy_ns = 2 * S;
    ck_assert_double_eq(machine_share_of(&b.runs[0]), 1);
    b.runs[0].window.machine_busy_ns = 0;
    ck_assert(isnan(machine_share_of(&b.runs[0])));
    b.runs[0].window.machine_busy_ns = 12 * S;
    b.runs[0].window.duration_ns = S - 1;
    ck_assert(isnan(machine_share_of(&b.runs[0])));
    b.runs[0].window.duration_ns = 10 * S;
    b.runs[0].usage.cpu_ns.known = false;
    summarize(&b.measurement, &b.summary);
    ck_assert(isnan(b.summary.machine_share.mean) && isnan(b.summary.attributed_j.mean));
}
END_TEST

/* A card beside the package: idle 10 W, 40 W in the run. What its driver tells goes before the CPU time. */
static void with_card(struct gpu_use use)
{
    static struct domain card = { .name = "gpu-0", .component = COMPONENT_GPU, .quality = QUALITY_MEASURED };

    b.meter.domains[1] = (struct meter_domain){ .domain = &card, .source = &source, .started = true, .moved = true };
    b.meter.domain_count = 2;
    b.counting.is_counted[1] = true;
    b.counting.counted = 2;
    for (size_t i = 0; i < b.measurement.baseline_count; i++) {
        b.baselines[i].energy_uj[1] = 10 * (b.baselines[i].duration_ns / S) * J;
        b.baselines[i].known[1] = 1;
    }
    b.runs[0].window.energy_uj[1] = 40 * (b.runs[0].window.duration_ns / S) * J;
    b.runs[0].window.known[1] = 1;
    use.domain = 1;
    b.runs[0].gpus[0] = use;
    b.runs[0].gpu_count = 1;
    summarize(&b.measurement, &b.summary);
}

START_TEST(a_card_is_shared_by_its_own_time)
{
    baseline(10, 600, 0);
    run(100, 10000, 16, 4); /* a quarter of net of the package, 4 kJ, is the job's */
    baseline(10, 600, 0);
    with_card((struct gpu_use){ .reported = GPU_ATTRIBUTED, .own_uj = 1200 * J, .used_uj = 2000 * J });
    ck_assert_double_eq_tol(b.summary.total.gross_j.mean, 10000 + 4000, 1e-9);
    ck_assert_double_eq_tol(b.summary.domains[1].gpu_own_j.mean, 1200, 1e-9);
    ck_assert_double_eq_tol(b.summary.total.gpu_own_j.mean, 1200, 1e-9);
    ck_assert(isnan(b.summary.domains[0].gpu_own_j.mean));
    ck_assert_double_eq_tol(b.summary.share_j.mean, 4000 / 4.0 + 3000 * 0.6, 1e-9);
    ck_assert_double_eq_tol(b.summary.attributed_j.mean, 10000 / 4.0 + 1200, 1e-9);
    /* nobody used it: of its net nothing is the job's */
    with_card((struct gpu_use){ .reported = GPU_ATTRIBUTED });
    ck_assert_double_eq(b.summary.total.gpu_own_j.mean, 0);
    ck_assert_double_eq_tol(b.summary.share_j.mean, 4000 / 4.0, 1e-9);
    /* not told: by CPU time, and its own unknown */
    with_card((struct gpu_use){ .reported = GPU_PARTITIONED, .own_uj = 1 });
    ck_assert(isnan(b.summary.total.gpu_own_j.mean) && isnan(b.summary.domains[1].gpu_own_j.mean));
    ck_assert_double_eq_tol(b.summary.share_j.mean, 7000 / 4.0, 1e-9);
    ck_assert_double_eq_tol(b.summary.attributed_j.mean, 14000 / 4.0, 1e-9);
    /* without a figure of the card there is none of a part of it */
    with_card((struct gpu_use){ .reported = GPU_ATTRIBUTED, .own_uj = 1200 * J, .used_uj = 2000 * J });
    b.runs[0].window.known[1] = 0;
    summarize(&b.measurement, &b.summary);
    ck_assert(isnan(b.summary.total.gpu_own_j.mean));
    ck_assert_double_eq_tol(b.summary.attributed_j.mean, 10000 / 4.0, 1e-9);
}
END_TEST

UNIT_SUITE_IN("idle", begin, NULL, a_linear_drift_cancels_wherever_the_baselines_lie, one_baseline_stands_alone,
              each_run_has_baselines_of_its_own, the_share_of_the_worked_example, shares_add_up_to_net,
              a_share_is_never_more_than_net, a_share_needs_cpu_time_and_a_second, a_constant_is_not_measurable,
              how_even_a_constant_is, what_tells_a_constant, baselines_back_to_back_are_one,
              the_halves_of_a_baseline_are_looked_at_together, a_command_of_several_has_its_own_runs_and_baselines,
              a_failure_after_successes_is_left_out, a_part_of_the_busy_time_needs_no_baseline,
              a_card_is_shared_by_its_own_time)
