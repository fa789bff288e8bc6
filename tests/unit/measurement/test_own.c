/* SPDX-License-Identifier: MIT
 * A job's own energy: each row of the table in docs/METHOD.md, "Own", by its formula. */
#include "unit.h"

#include "base/units.h"
#include "measurement/cpu_sums.h"
#include "measurement/own_runs.h"
#include "power/power_curve.h"

#include <math.h>
#include <string.h>

#define S NS_PER_S_INT
#define MS (NS_PER_S_INT / 1000)
#define TICKS 0.004 /* CPUs: two of 10 ms in a baseline of 5 s */
#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9 * fmax(1, fabs(b)))

enum { PACKAGE, MEMORY, CARD, MOST_WINDOWS = 8 };

/* Four CPUs; the package counts, and what else a test makes count. */
struct bench {
    struct machine machine;
    struct domain domains[3];
    struct meter meter;
    struct counting counting;
    struct window baselines[MOST_WINDOWS];
    struct run runs[MOST_WINDOWS];
    struct measurement measurement;
    struct summary summary;
    struct power_curve curve, flat;
    uint64_t now_ns;
};

static void set_up(struct bench *b)
{
    static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
    static struct energy_source source = { .driver = &driver };
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_MEMORY, COMPONENT_GPU };

    memset(b, 0, sizeof *b);
    b->machine.cpus_online = 4;
    b->meter.machine = &b->machine;
    for (size_t i = 0; i < 3; i++) {
        b->domains[i] = (struct domain){ .component = components[i],
                                         .quality = QUALITY_MEASURED,
                                         .update_ns = 1000000,
                                         .low_ratio = 1,
                                         .high_ratio = 1 };
        b->meter.domains[i] = (struct meter_domain){ .domain = &b->domains[i], .source = &source, .moved = true };
    }
    b->meter.domain_count = 3;
    b->counting.counts[PACKAGE] = true;
    b->counting.counted = 1;
    b->measurement = (struct measurement){
        .meter = &b->meter, .counting = &b->counting, .baselines = b->baselines, .runs = b->runs
    };
    b->now_ns = 50 * S;
}

/* Of so many joules of the package; busy: CPUs that everything kept busy. */
static struct window window_of(struct bench *b, uint64_t duration_ns, double package_j, double busy)
{
    struct window window = {
        .start_ns = b->now_ns,
        .duration_ns = duration_ns,
        .energy_uj = { (uint64_t)llround(package_j * UJ_PER_J) },
        .known = { 1, 1, 1 },
        .machine_busy_known = true,
        .machine_busy_ns = (uint64_t)llround(busy * (double)duration_ns),
    };

    b->now_ns += duration_ns;
    return window;
}

static void baseline(struct bench *b, uint64_t duration_ns, double package_j, double busy)
{
    b->baselines[b->measurement.baseline_count++] = window_of(b, duration_ns, package_j, busy);
}

/* job: CPUs that the job kept busy. */
static struct run *run(struct bench *b, uint64_t duration_ns, double package_j, double busy, double job)
{
    struct run *run = &b->runs[b->measurement.run_count++];

    *run = (struct run){ .window = window_of(b, duration_ns, package_j, busy), .ended = true };
    run->usage.cpu_ns = (struct usage_u64){ true, (uint64_t)llround(job * (double)duration_ns), "cgroup" };
    return run;
}

static const struct domain_energy *total_of(struct bench *b)
{
    summarize(&b->measurement, &b->summary);
    return &b->summary.total;
}

static void own_is(const struct domain_energy *energy, enum own_method method, double own_j, double low_j,
                   double high_j)
{
    ck_assert_str_eq(own_method_name(energy->own_method), own_method_name(method));
    if (isnan(own_j))
        ck_assert(isnan(energy->own_j.mean));
    else
        NEAR(energy->own_j.mean, own_j);
    ck_assert(isnan(energy->own_low_j) == isnan(low_j) && isnan(energy->own_high_j) == isnan(high_j));
    if (isfinite(low_j))
        NEAR(energy->own_low_j, low_j);
    if (isfinite(high_j))
        NEAR(energy->own_high_j, high_j);
}

/* 10 W idle, with 0.05 CPUs of four at work: it is net to the last bit, interval and all. */
START_TEST(on_an_idle_machine_it_is_net)
{
    const struct domain_energy *total;
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 50.000003, 0.05);
    run(&b, 10 * S, 300.000007, 1.05, 1);
    baseline(&b, 5 * S, 50.1, 0.05);
    run(&b, 10 * S, 310.7, 1.06, 1);
    total = total_of(&b);
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
        struct bench b;
        set_up(&b);
        baseline(&b, cases[i].baseline_ns, 10 * s_from_ns(cases[i].baseline_ns), cases[i].busy);
        run(&b, 10 * S, 300, 4, 4 - cases[i].busy);
        ck_assert_int_eq(total_of(&b)->own_method, cases[i].method);
    }
}
END_TEST

/* One CPU of the job's, three of others that came: a quarter by CPU time, k = 4 either way. */
START_TEST(beside_others_that_came_it_is_a_share)
{
    const double part = 0.25, net_j = 200;
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 50, 0);
    run(&b, 10 * S, 300, 4, 1);
    own_is(total_of(&b), OWN_SHARE, part * net_j, net_j * part / (part + 4 * 0.75),
           net_j * 4 * part / (4 * part + 0.75));
}
END_TEST

/* One CPU of others throughout, one of the job's, two to spare: the difference is the job's. */
START_TEST(beside_others_that_stay_it_is_net)
{
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 100, 1);
    run(&b, 10 * S, 350, 2.04, 1);
    own_is(total_of(&b), OWN_NET, 150, NAN, NAN);
    b.runs[0].window.machine_busy_ns = 206 * S / 10; /* they did 6 % of what the job does more, */
    ck_assert_int_eq(total_of(&b)->own_method, OWN_UNKNOWN);
    b.runs[0].window.machine_busy_ns = 226 * S / 10; /* of a larger one 5 % */
    b.runs[0].usage.cpu_ns.value = 12 * S;
    own_is(total_of(&b), OWN_NET, 150, NAN, NAN);
    b.runs[0].window.machine_busy_ns = 11 * S; /* ticks were lost: it alone used more */
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, 350);
    b.runs[0].window.machine_busy_ns = 226 * S / 10;
    b.runs[0].window.machine_lost_ns = 3 * S; /* or the kernel lacks them */
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, 350);
    b.runs[0].window.machine_lost_ns = 0;
    b.baselines[0].machine_lost_ns = S;
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, 350 * 4 * 12 / (4 * 12 + 10.6));
    b.baselines[0].machine_lost_ns = 0;
    own_is(total_of(&b), OWN_NET, 150, NAN, NAN);
}
END_TEST

/* The job may run on one CPU of four. That nobody else wants it is enough, however full it is of the job; where another
 * has a part of it there is a fight, though two CPUs are idle elsewhere. */
START_TEST(cpus_to_spare_are_the_job_s)
{
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 100, 1);
    run(&b, 10 * S, 350, 2, 1);
    b.baselines[0].mask_cpus = b.runs[0].window.mask_cpus = 1;
    b.runs[0].window.mask_busy_ns = 10 * S;
    own_is(total_of(&b), OWN_NET, 150, NAN, NAN);
    b.baselines[0].mask_busy_ns = 9 * S / 4; /* 0.45 CPUs of others */
    b.runs[0].window.machine_busy_ns = 155 * S / 10;
    b.runs[0].usage.cpu_ns.value = 55 * S / 10;
    ck_assert_int_eq(total_of(&b)->own_method, OWN_UNKNOWN);
    b.runs[0].window.mask_busy_ns = 95 * S / 10; /* it was not full */
    own_is(total_of(&b), OWN_NET, 150, NAN, NAN);
}
END_TEST

/* What the two windows leave possible: others of the run may have drawn four times what those of the baseline did, and
 * the job as little as these. The CPU time of the baseline is told to two ticks, its energy to a millisecond of the
 * run's power. */
static double least_of_two(double gross_j, double net_j, double job, double others, double baseline)
{
    return (net_j - gross_j * 0.001 / 5) / (job + 4 * others - baseline + TICKS) * job;
}

/* Four CPUs of others, of which the job takes one: net misses what they do no more. */
START_TEST(where_others_made_way_there_are_bounds)
{
    const double part = 0.25;
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 200, 4);
    run(&b, 10 * S, 410, 4, 1);
    own_is(total_of(&b), OWN_UNKNOWN, NAN, least_of_two(410, 10, 1, 3, 4), 410 * 4 * part / (4 * part + 0.75));
    b.runs[0].window.energy_uj[PACKAGE] = 390 * 1000000;
    /* others that draw 4 w made way for one that draws w: of 1 W less than before */
    own_is(total_of(&b), OWN_UNKNOWN, NAN, 10 * (1 - 40 * (0.001 / 5 + 0.001 / 10)) / (4 * (4 + TICKS) - 4 + TICKS / 2),
           390 * 4 * part / (4 * part + 0.75));
    b.measurement.baseline_count = 0;
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, 390 * 4 * part / (4 * part + 0.75));
    set_up(&b); /* more came on top of those that were there */
    baseline(&b, 5 * S, 100, 1);
    run(&b, 10 * S, 350, 2.5, 1);
    own_is(total_of(&b), OWN_UNKNOWN, NAN, least_of_two(350, 150, 1, 1.5, 1), 350 * 4 * 0.4 / (4 * 0.4 + 0.6));
}
END_TEST

/* Nothing tells who used the CPUs: as it always was. */
START_TEST(unseen_cpus_leave_net)
{
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 50, 0);
    run(&b, 10 * S, 300, 4, 1)->usage.cpu_ns.known = false;
    b.baselines[0].machine_busy_known = b.runs[0].window.machine_busy_known = false;
    own_is(total_of(&b), OWN_NET, 200, NAN, NAN);
}
END_TEST

/* Ten runs of 0.15 s: others by all of them together. */
START_TEST(short_runs_go_by_all_of_them)
{
    const struct domain_energy *total;
    struct bench b;

    set_up(&b);
    for (int i = 0; i < 7; i++) {
        baseline(&b, 500 * MS, 5, 0);
        run(&b, 200 * MS, 6, 2, 1);
    }
    total = total_of(&b);
    own_is(total, OWN_SHARE, 2, 4 * 0.2, 4 * 0.8);
    for (int i = 0; i < 7; i++)
        b.runs[i].window.machine_busy_ns = 200 * MS;
    total = total_of(&b);
    own_is(total, OWN_NET, 4, NAN, NAN);
    ck_assert(total->own_j.mean == total->net_j.mean);
}
END_TEST

/* 4 W idle, 7 W at half and 8 W at full load. */
static void model(struct bench *b)
{
    set_up(b);
    b->curve = (struct power_curve){ .at_w = { 4, NAN, NAN, NAN, NAN, 7, NAN, NAN, NAN, NAN, 8 }, .a = NAN };
    b->flat = (struct power_curve){ .at_w = { 3 }, .a = NAN };
    for (int i = 1; i < CURVE_POINTS; i++)
        b->flat.at_w[i] = 3;
    b->domains[PACKAGE].quality = b->domains[MEMORY].quality = QUALITY_MODELLED;
    b->domains[PACKAGE].curve = &b->curve;
    b->domains[MEMORY].curve = &b->flat;
    b->domains[PACKAGE].curve_factor = b->domains[MEMORY].curve_factor = 10;
    b->domains[PACKAGE].low_ratio = 0.5;
    b->domains[PACKAGE].high_ratio = 2;
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
            struct bench b;
            model(&b);
            b.counting.counts[MEMORY] = true;
            baseline(&b, 5 * S, 50, idle ? 0 : 4);
            run(&b, 10 * S, 700, cases[i].busy, cases[i].job)->window.energy_uj[MEMORY] = 300000000;
            own_is(total_of(&b), OWN_CPU_TIME, own_j, own_j / 2, own_j * 2);
            NEAR(b.summary.own_basis.slope_w[PACKAGE], cases[i].slope_w);
            ck_assert_double_eq(b.summary.domains[MEMORY].own_j.mean, 0);
        }
}
END_TEST

/* All jobs by the slope of the load that they make together, and idle, add up to what the model says of it. */
START_TEST(the_parts_add_up)
{
    struct bench b;
    double sum_j = 40 * 10;

    model(&b);
    for (int job = 1; job <= 3; job++) {
        model(&b);
        baseline(&b, 5 * S, 50, 0);
        run(&b, 10 * S, 700, 3.6, 0.6 * job);
        sum_j += total_of(&b)->own_j.mean;
    }
    NEAR(sum_j, 10 * 10 * curve_w(&b.curve, 0.9));
}
END_TEST

/* A second command with the same CPU time has the same own to the digit, though the ticks of others scatter. */
START_TEST(commands_of_a_series_share_a_slope)
{
    struct measurement view[2];
    struct summary summary[2];
    struct bench b;

    model(&b);
    for (size_t i = 0; i < 4; i++) {
        baseline(&b, 5 * S, 50, 2);
        run(&b, 300 * MS, 20, 3 + 0.1 * (double)i, 1)->command = i % 2;
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
    struct bench b;

    model(&b);
    for (size_t i = 0; i < 2; i++) {
        baseline(&b, 5 * S, 50, 4);
        run(&b, 10 * S, 800, 3.96, i ? 2 : 0.5)->command = i;
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
    struct bench b;

    model(&b);
    baseline(&b, 970 * MS, 50, 2);
    run(&b, 30 * MS, 20, 1, 1);
    NEAR(total_of(&b)->own_j.mean, 10 * (curve_w(&b.curve, (1 + 1.94) / 4) - 4) / (1 + 1.94) * 0.03);
}
END_TEST

START_TEST(a_model_without_cpu_time_tells_nothing)
{
    struct bench b;

    model(&b);
    run(&b, 10 * S, 700, 4, 1)->usage.cpu_ns.known = false;
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, NAN);
    model(&b);
    run(&b, 10 * S, 700, 4, 1);
    b.domains[PACKAGE].curve = NULL; /* of a record that does not have it */
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, NAN);
    b.domains[PACKAGE].slope_known = true;
    b.domains[PACKAGE].slope_w = 7;
    own_is(total_of(&b), OWN_CPU_TIME, 70, 35, 140);
}
END_TEST

/* A model whose range ends below what it told counts for that, and so does its slope. */
START_TEST(a_limited_model_has_a_smaller_slope)
{
    struct bench b;

    model(&b);
    b.domains[PACKAGE].high_ratio = 0.8;
    run(&b, 10 * S, 700, 4, 1);
    own_is(total_of(&b), OWN_CPU_TIME, 80, 50, 80);
}
END_TEST

/* The machine's profile has 10 W for each busy CPU, 8 to 12 W: where the meter does not tell it, and within its bounds.
 */
START_TEST(a_profile_tells_what_a_meter_does_not)
{
    struct bench b;

    model(&b);
    b.domains[PACKAGE].quality = QUALITY_MEASURED;
    b.domains[PACKAGE].low_ratio = b.domains[PACKAGE].high_ratio = 1;
    b.domains[PACKAGE].slope_low_ratio = 0.8;
    b.domains[PACKAGE].slope_high_ratio = 1.2;
    baseline(&b, 5 * S, 400, 4);
    run(&b, 10 * S, 800, 4, 1);
    own_is(total_of(&b), OWN_PROFILE, 100, 80, 120);
    NEAR(b.summary.total.own_others_j.mean, 300.0);
    NEAR(b.summary.total.own_idle_j.mean, 400.0);
    b.runs[0].window.energy_uj[PACKAGE] = 130 * 1000000; /* of these it cannot have had so much */
    ck_assert_int_eq(total_of(&b)->own_method, OWN_UNKNOWN);
    b.runs[0].window.energy_uj[PACKAGE] = 800 * 1000000;
    b.baselines[0].machine_busy_ns = 0;
    b.baselines[0].energy_uj[PACKAGE] = 200 * 1000000;
    ck_assert_int_eq(total_of(&b)->own_method, OWN_PROFILE); /* others came */
    b.runs[0].window.machine_busy_ns = 10 * S;
    own_is(total_of(&b), OWN_NET, 400, NAN, NAN);
}
END_TEST

/* 100 J of the card above idle: three quarters of its processors' time were the job's. */
START_TEST(a_card_tells_who_used_it)
{
    struct bench b;
    struct run *r;

    set_up(&b);
    b.counting.counts[CARD] = true;
    baseline(&b, 5 * S, 50, 0);
    b.baselines[0].energy_uj[CARD] = 100000000;
    r = run(&b, 10 * S, 300, 1, 1);
    r->window.energy_uj[CARD] = 300000000;
    r->gpus[r->gpu_count++] = (struct gpu_use){ CARD, GPU_TOLD, 150000000, 200000000, 0 };
    own_is(total_of(&b), OWN_SHARE, 200 + 75, NAN, NAN);
    r->gpus[0].own_uj = 200000000;
    own_is(total_of(&b), OWN_NET, 300, NAN, NAN);
    r->gpus[0].told = GPU_SILENT;
    own_is(total_of(&b), OWN_NET, 300, NAN, NAN);
    r->gpus[0] = (struct gpu_use){ CARD, GPU_TOLD, 0, 0, 0 };
    own_is(total_of(&b), OWN_SHARE, 200, NAN, NAN);
}
END_TEST

/* Modelled memory beside a metered package: each by its own method. */
START_TEST(domains_have_methods_of_their_own)
{
    struct bench b;

    model(&b);
    b.domains[PACKAGE].quality = QUALITY_MEASURED;
    b.domains[MEMORY].curve = &b.curve;
    b.domains[MEMORY].low_ratio = 0.5;
    b.domains[MEMORY].high_ratio = 2;
    b.counting.counts[MEMORY] = true;
    baseline(&b, 5 * S, 50, 0);
    run(&b, 10 * S, 300, 2, 2);
    own_is(total_of(&b), OWN_CPU_TIME, 200 + 300, 200 + 150, 200 + 600);
    ck_assert_int_eq(b.summary.domains[PACKAGE].own_method, OWN_NET);
}
END_TEST

/* A part of the run is not known. */
START_TEST(a_hole_leaves_nothing)
{
    struct bench b;

    set_up(&b);
    baseline(&b, 5 * S, 50, 0);
    run(&b, 10 * S, 300, 1, 1)->window.unknown_ns[PACKAGE] = S;
    own_is(total_of(&b), OWN_UNKNOWN, NAN, NAN, NAN);
}
END_TEST

UNIT_SUITE("own", on_an_idle_machine_it_is_net, an_idle_baseline_has_an_edge, beside_others_that_came_it_is_a_share,
           beside_others_that_stay_it_is_net, cpus_to_spare_are_the_job_s, where_others_made_way_there_are_bounds,
           unseen_cpus_leave_net, short_runs_go_by_all_of_them, a_model_goes_by_cpu_time, the_parts_add_up,
           commands_of_a_series_share_a_slope, a_full_machine_has_one_slope, a_run_of_milliseconds_has_an_own,
           a_model_without_cpu_time_tells_nothing, a_limited_model_has_a_smaller_slope,
           a_profile_tells_what_a_meter_does_not, a_card_tells_who_used_it, domains_have_methods_of_their_own,
           a_hole_leaves_nothing)
