/* SPDX-License-Identifier: MIT
 * A job's own energy by meters: each row of the table in docs/METHOD.md, "Own", by its formula. */
#include "own_bench.h"

/* 10 W idle, with 0.05 CPUs of four at work: it is net to the last bit, interval and all. */
START_TEST(on_an_idle_machine_it_is_net)
{
    const struct domain_energy *total;

    baseline(5 * S, 50.000003, 0.05);
    run(10 * S, 300.000007, 1.05, 1);
    baseline(5 * S, 50.1, 0.05);
    run(10 * S, 310.7, 1.06, 1);
    total = total_of();
    own_is(total, OWN_NET, total->net_j.mean, NAN, NAN);
    ck_assert(total->own_j.mean == total->net_j.mean && total->own_j.deviation == total->net_j.deviation);
    ck_assert(total->own_interval_j.low == total->net_interval_j.low && total->own_w == total->net_w);
    ck_assert(b.summary.domains[PACKAGE].own_j.mean == total->net_j.mean);
}
END_TEST

/* 0.08 of four CPUs are idle, 0.09 are not; two ticks in 0.1 s are nothing. */
START_TEST(an_idle_baseline_has_an_edge)
{
    static const struct {
        uint64_t baseline_ns;
        double busy;
        enum own_method method;
    } cases[] = { { 5 * S, 0.0799, OWN_NET }, { 5 * S, 0.09, OWN_UNKNOWN }, { 100 * MS, 0.2, OWN_NET } };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        baseline(cases[i].baseline_ns, 10 * s_from_ns(cases[i].baseline_ns), cases[i].busy);
        run(10 * S, 300, 4, 4 - cases[i].busy);
        ck_assert_int_eq(total_of()->own_method, cases[i].method);
    }
}
END_TEST

/* One CPU of the job's, three of others that came: a quarter by CPU time, k = 4 either way. */
START_TEST(beside_others_that_came_it_is_a_share)
{
    const double part = 0.25, net_j = 200;

    baseline(5 * S, 50, 0);
    run(10 * S, 300, 4, 1);
    own_is(total_of(), OWN_SHARE, part * net_j, net_j * part / (part + 4 * 0.75), net_j * 4 * part / (4 * part + 0.75));
}
END_TEST

/* One CPU of others throughout, one of the job's, two to spare: the difference is the job's. */
START_TEST(beside_others_that_stay_it_is_net)
{
    baseline(5 * S, 100, 1);
    run(10 * S, 350, 2.04, 1);
    own_is(total_of(), OWN_NET, 150, NAN, NAN);
    b.runs[0].window.machine_busy_ns = 206 * S / 10; /* they did 6 % of what the job does more, */
    ck_assert_int_eq(total_of()->own_method, OWN_UNKNOWN);
    b.runs[0].window.machine_busy_ns = 226 * S / 10; /* of a larger one 5 % */
    b.runs[0].usage.cpu_ns.value = 12 * S;
    own_is(total_of(), OWN_NET, 150, NAN, NAN);
    b.runs[0].window.machine_busy_ns = 11 * S; /* ticks were lost: it alone used more */
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, 350);
    b.runs[0].window.machine_busy_ns = 226 * S / 10;
    b.runs[0].window.machine_lost_ns = 3 * S; /* or the kernel lacks them */
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, 350);
    b.runs[0].window.machine_lost_ns = 0;
    b.baselines[0].machine_lost_ns = S;
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, 350 * 4 * 12 / (4 * 12 + 10.6));
    b.baselines[0].machine_lost_ns = 0;
    own_is(total_of(), OWN_NET, 150, NAN, NAN);
}
END_TEST

/* The job may run on one CPU of four. That nobody else wants it is enough, however full it is of the job; where another
 * has a part of it there is a fight, though two CPUs are idle elsewhere. */
START_TEST(cpus_to_spare_are_the_job_s)
{
    baseline(5 * S, 100, 1);
    run(10 * S, 350, 2, 1);
    b.baselines[0].mask_cpus = b.runs[0].window.mask_cpus = 1;
    b.runs[0].window.mask_busy_ns = 10 * S;
    own_is(total_of(), OWN_NET, 150, NAN, NAN);
    b.baselines[0].mask_busy_ns = 9 * S / 4; /* 0.45 CPUs of others */
    b.runs[0].window.machine_busy_ns = 155 * S / 10;
    b.runs[0].usage.cpu_ns.value = 55 * S / 10;
    ck_assert_int_eq(total_of()->own_method, OWN_UNKNOWN);
    b.runs[0].window.mask_busy_ns = 95 * S / 10; /* it was not full */
    own_is(total_of(), OWN_NET, 150, NAN, NAN);
}
END_TEST

/* What the two windows leave possible: others of the run may have drawn four times what those of the baseline did, and
 * the job as little as these. The CPU time of the baseline is told to two ticks, its energy to a millisecond of the
 * run's power. */
static double min_of_two(double gross_j, double net_j, double job, double others, double baseline)
{
    return (net_j - gross_j * 0.001 / 5) / (job + 4 * others - baseline + TICKS) * job;
}

/* Four CPUs of others, of which the job takes one: net misses what they do no more. */
START_TEST(where_others_made_way_there_are_bounds)
{
    const double part = 0.25;

    baseline(5 * S, 200, 4);
    run(10 * S, 410, 4, 1);
    own_is(total_of(), OWN_UNKNOWN, NAN, min_of_two(410, 10, 1, 3, 4), 410 * 4 * part / (4 * part + 0.75));
    b.runs[0].window.energy_uj[PACKAGE] = 390 * 1000000;
    /* others that draw 4 w made way for one that draws w: of 1 W less than before */
    own_is(total_of(), OWN_UNKNOWN, NAN, 10 * (1 - 40 * (0.001 / 5 + 0.001 / 10)) / (4 * (4 + TICKS) - 4 + TICKS / 2),
           390 * 4 * part / (4 * part + 0.75));
    b.measurement.baseline_count = 0;
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, 390 * 4 * part / (4 * part + 0.75));
    begin(); /* more came on top of those that were there */
    baseline(5 * S, 100, 1);
    run(10 * S, 350, 2.5, 1);
    own_is(total_of(), OWN_UNKNOWN, NAN, min_of_two(350, 150, 1, 1.5, 1), 350 * 4 * 0.4 / (4 * 0.4 + 0.6));
}
END_TEST

/* Nothing tells who used the CPUs: as it always was. */
START_TEST(unseen_cpus_leave_net)
{
    baseline(5 * S, 50, 0);
    run(10 * S, 300, 4, 1)->usage.cpu_ns.known = false;
    b.baselines[0].machine_busy_known = b.runs[0].window.machine_busy_known = false;
    own_is(total_of(), OWN_NET, 200, NAN, NAN);
}
END_TEST

/* Ten runs of 0.15 s: others by all of them together. */
START_TEST(short_runs_go_by_all_of_them)
{
    const struct domain_energy *total;

    for (int i = 0; i < 7; i++) {
        baseline(500 * MS, 5, 0);
        run(200 * MS, 6, 2, 1);
    }
    total = total_of();
    own_is(total, OWN_SHARE, 2, 4 * 0.2, 4 * 0.8);
    for (int i = 0; i < 7; i++)
        b.runs[i].window.machine_busy_ns = 200 * MS;
    total = total_of();
    own_is(total, OWN_NET, 4, NAN, NAN);
    ck_assert(total->own_j.mean == total->net_j.mean);
}
END_TEST

/* 100 J of the card above idle: three quarters of its processors' time were the job's. */
START_TEST(a_card_tells_who_used_it)
{
    struct run *r;

    b.counting.is_counted[CARD] = true;
    baseline(5 * S, 50, 0);
    b.baselines[0].energy_uj[CARD] = 100000000;
    r = run(10 * S, 300, 1, 1);
    r->window.energy_uj[CARD] = 300000000;
    r->gpus[r->gpu_count++] =
        (struct gpu_use){ .domain = CARD, .reported = GPU_ATTRIBUTED, .own_uj = 150000000, .used_uj = 200000000 };
    own_is(total_of(), OWN_SHARE, 200 + 75, NAN, NAN);
    r->gpus[0].own_uj = 200000000;
    own_is(total_of(), OWN_NET, 300, NAN, NAN);
    r->gpus[0].reported = GPU_SILENT;
    own_is(total_of(), OWN_NET, 300, NAN, NAN);
    r->gpus[0].reported = GPU_UNDIVIDED; /* a server may have used it, too: at most all of it is the job's */
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, 200 + 300);
    r->gpus[0] = (struct gpu_use){ .domain = CARD, .reported = GPU_ATTRIBUTED };
    own_is(total_of(), OWN_SHARE, 200, NAN, NAN);
}
END_TEST

/* A part of the run is not known. */
START_TEST(a_hole_leaves_nothing)
{
    baseline(5 * S, 50, 0);
    run(10 * S, 300, 1, 1)->window.unknown_ns[PACKAGE] = S;
    own_is(total_of(), OWN_UNKNOWN, NAN, NAN, NAN);
}
END_TEST

UNIT_SUITE_IN("own", begin, NULL, on_an_idle_machine_it_is_net, an_idle_baseline_has_an_edge,
              beside_others_that_came_it_is_a_share, beside_others_that_stay_it_is_net, cpus_to_spare_are_the_job_s,
              where_others_made_way_there_are_bounds, unseen_cpus_leave_net, short_runs_go_by_all_of_them,
              a_card_tells_who_used_it, a_hole_leaves_nothing)
