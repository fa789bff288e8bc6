/* SPDX-License-Identifier: MIT
 * What makes a number doubtful: each notice on either side of its bound, and with the figures that it tells. */
#include "noticed.h"
#include "unit.h"

#include "base/units.h"
#include "measurement/noise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)

enum { PACKAGE, SENSOR, DOMAINS, RUNS = 5 };

/* A package, and a sensor of one rail that is not counted. The summary is put together by hand. */
static struct domain domains[DOMAINS];
static struct meter meter;
static struct counting counting;
static struct window baselines[3];
static struct run runs[RUNS];
static struct measurement measurement;
static struct summary summary;
static struct notices notices;

static void begin(void)
{
    static const struct energy_driver driver = { .name = "powercap" };
    static const struct machine machine = { .packages = 1 };

    domains[PACKAGE] = (struct domain){ .name = "package-0", .component = COMPONENT_PACKAGE, .update_ns = 1000000 };
    domains[SENSOR] = (struct domain){ .name = "board", .component = COMPONENT_RAIL, .package = -1 };
    meter = (struct meter){ .machine = &machine, .domain_count = DOMAINS };
    meter.sources[0].driver = &driver;
    for (size_t i = 0; i < DOMAINS; i++)
        meter.domains[i] =
            (struct meter_domain){ .domain = &domains[i], .source = &meter.sources[0], .started = true, .moved = true };
    counting = (struct counting){ .is_counted = { true }, .counted = 1, .whole_machine = -1 };
    memset(runs, 0, sizeof runs);
    memset(baselines, 0, sizeof baselines);
    measurement = (struct measurement){ .meter = &meter, .counting = &counting, .baselines = baselines, .runs = runs };
    summary = (struct summary){ .runs = 1, .verdict = { .verdict = VERDICT_MORE } };
    summary.duration_s.mean = 10;
    summary.total.gross_j.mean = 1000;
    summary.total.net_j.mean = 600;
    summary.total.net_interval_j = (struct interval){ 590, 610 };
}

static struct run *add_run(uint64_t duration_ns, uint64_t energy_j)
{
    struct run *run = &runs[measurement.run_count++];

    *run = (struct run){ .window = { .duration_ns = duration_ns, .energy_uj = { energy_j * J }, .known = { 1, 1 } },
                         .ended = true };
    return run;
}

static struct window *add_baseline(uint64_t duration_ns, uint64_t energy_j)
{
    struct window *window = &baselines[measurement.baseline_count++];

    *window = (struct window){ .duration_ns = duration_ns, .energy_uj = { energy_j * J }, .known = { 1, 1 } };
    return window;
}

static void look(void)
{
    notices_clear(&notices);
    noise_notices(&measurement, &summary, &notices);
}

static void look_at_series(void)
{
    notices_clear(&notices);
    series_notices(&measurement, &notices);
}

static bool reported(const char *what)
{
    return notices_say(&notices, what);
}

static void expect_nothing(void)
{
    ck_assert_msg(notices.count == 0, "%s", notices.item[0].what);
}

static void look_for_nothing(void)
{
    look();
    expect_nothing();
}

/* Exactly this one. */
static void expect(const char *what)
{
    ck_assert_msg(notices.count == 1, "%zu: %s", notices.count, notices.count ? notices.item[0].what : "");
    ck_assert_str_eq(notices.item[0].what, what);
}

START_TEST(a_sound_measurement)
{
    add_baseline(5 * S, 200);
    add_run(10 * S, 1000);
    look_for_nothing();
    look_at_series();
    expect_nothing();
}
END_TEST

/* What happened to a counter is told of what counts, with how often. */
START_TEST(a_counter_that_had_faults)
{
    struct meter_domain *state = &meter.domains[PACKAGE];

    add_run(10 * S, 1000);
    state->resets = 2;
    look();
    expect("counter of package-0 was reset 2 times");
    look_at_series();
    expect("counter of package-0 was reset 2 times");
    state->resets = 0;
    state->missed_reads = 3;
    state->last_error = 13;
    look();
    expect("3 readings of package-0 failed");
    ck_assert_str_eq(notices.item[0].why, "Permission denied");
    state->missed_reads = 0;
    state->ambiguous_gaps = 1;
    look();
    expect("the counter of package-0 may have wrapped unseen 1 times");
    state->ambiguous_gaps = 0;
    state->lost = 1;
    state->lost_ns = 2500000000;
    look();
    expect("package-0 was not there for 2.5 s (1 times): a suspend, a CPU taken offline, a driver reload, or a meter "
           "that did not answer");
    state->lost = 0;
    state->moved = false;
    look();
    expect("the counter of package-0 is stuck");
    runs[0].window.duration_ns = 99999999; /* too short to tell */
    look_for_nothing();
    state->moved = true;
    meter.domains[SENSOR].resets = 2;
    look_for_nothing();
}
END_TEST

START_TEST(a_power_that_cannot_be)
{
    add_run(10 * S, 1000);
    add_run(10 * S, 3000);
    domains[PACKAGE].max_w = 300;
    look_for_nothing();
    runs[1].window.energy_uj[PACKAGE] += 10 * J;
    look();
    ck_assert(reported("implausible power of package-0: 301 W, maximum 300 W"));
}
END_TEST

/* Told of a sensor of power alone: that it is one, that it stands still, that it averages, that it was not read. */
START_TEST(a_sensor_of_power)
{
    static const char one[] = "board is a power sensor sampled every 0.5 s; energy = power × time";
    struct meter_domain *state = &meter.domains[SENSOR];

    add_run(10 * S, 1000);
    domains[SENSOR].poll_ns = S / 2;
    domains[SENSOR].update_ns = S;
    look();
    expect_nothing(); /* not counted */
    counting.is_counted[SENSOR] = true;
    look();
    expect(one);
    /* an average over more than a tenth of the time */
    domains[SENSOR].update_ns = S + 1000000;
    look();
    ck_assert(notices.count == 2 && reported("board is an average over 1 s"));
    domains[SENSOR].poll_ns = domains[SENSOR].update_ns;
    look();
    ck_assert_uint_eq(notices.count, 1);
    domains[SENSOR].poll_ns = S / 2;
    domains[SENSOR].update_ns = S;
    state->unwatched_ns = 7 * S;
    look();
    ck_assert(notices.count == 2 && reported("board was not read for 7 s"));
    state->unwatched_ns = 0;
    domains[SENSOR].problem.kind = ERROR_DENIED;
    look_for_nothing();
    domains[SENSOR].problem.kind = ERROR_NONE;
    state->moved = false;
    look();
    expect("the counter of board is stuck");
}
END_TEST

/* For more than 5 s, and more than three of its updates. */
START_TEST(a_sensor_that_stands_still)
{
    add_run(5 * S, 500);
    domains[SENSOR].poll_ns = S;
    meter.domains[SENSOR].still = true;
    look_for_nothing();
    runs[0].window.duration_ns = 6 * S;
    look();
    expect("board reported the identical power for 6 s: it may be frozen");
    domains[SENSOR].update_ns = 2 * S;
    look_for_nothing();
    runs[0].window.duration_ns = 7 * S;
    look();
    expect("board reported the identical power for 7 s: it may be frozen");
    meter.domains[SENSOR].unknown_ns = S; /* it told nothing then */
    look_for_nothing();
    meter.domains[SENSOR].unknown_ns = 0;
    meter.domains[SENSOR].still = false;
    look_for_nothing();
}
END_TEST

/* Twice the noise is told apart from idle; runs that scatter say so, and how many would help. */
START_TEST(a_net_that_says_little)
{
    add_run(10 * S, 1000);
    summary.verdict.verdict = VERDICT_ONE_RUN;
    summary.total.net_interval_j = (struct interval){ NAN, NAN };
    summary.net_noise_j = 299.9;
    look_for_nothing();
    summary.net_noise_j = 300.1;
    look();
    expect("net energy 600 J is within the baseline noise (± 600 J)");
    summary.total.net_j.mean = -600;
    look();
    ck_assert(notices.count == 2 && reported("net energy is negative"));
    ck_assert(reported("net energy -600 J is within the baseline noise (± 600 J)"));
    summary.total.net_j.mean = 0.5;
    summary.net_noise_j = 0.2;
    look_for_nothing();
    summary.net_noise_j = 300.1;
    summary.total.net_j.mean = NAN;
    look_for_nothing();
    summary.total.net_j.mean = 600;
    summary.runs = 2;
    summary.net_noise_j = 0;
    look_for_nothing();
    summary.total.net_interval_j = (struct interval){ -10, 1210 };
    summary.verdict = (struct net_verdict){ .verdict = VERDICT_NOISE, .detectable_j = 900, .net_j.mean = 600 };
    look();
    expect("net energy 600 J is below the noise; minimum detectable 900 J");
    ck_assert_str_eq(notices.item[0].fix, "a longer command, a longer --baseline, or a quieter machine");
    summary.verdict.runs_needed = 7;
    look();
    ck_assert_str_eq(notices.item[0].fix, "--runs 7 would resolve a net energy of this size");
    summary.verdict.verdict = VERDICT_NO_IDLE_BASELINE;
    look();
    expect_nothing(); /* the baseline's own notice says why */
    summary.verdict.verdict = VERDICT_NOT_MEASURABLE;
    look();
    expect("net energy is not measurable: the source reports constant power");
}
END_TEST

START_TEST(what_the_total_lacks)
{
    add_run(10 * S, 1000);
    counting.counted = 3;
    summary.counted_unknown = 1;
    look();
    expect("total incomplete: 1 of 3 domains have no figure");
    summary.total.gross_j.mean = NAN;
    look_for_nothing();
    summary.counted_unknown = 0;
    summary.below_resolution = true;
    look();
    expect_nothing(); /* a counter has moved */
    meter.domains[PACKAGE].moved = false;
    runs[0].window.duration_ns = 99999999;
    look();
    expect("the run is below the meter's resolution");
    meter.domains[PACKAGE].moved = true;
    runs[0].window.duration_ns = 10 * S;
    summary.below_resolution = false;
    summary.duration_s.mean = 0.0999;
    look_for_nothing();
    summary.total.gross_j.mean = 1000;
    look();
    expect("the run is shorter than 100 ms");
    summary.duration_s.mean = 0.1;
    look_for_nothing();
    summary.runs = 0;
    summary.duration_s.mean = 0;
    look_for_nothing();
}
END_TEST

/* 5 % from one baseline to the next; the worst is told. */
START_TEST(baselines_that_differ)
{
    add_baseline(10 * S, 400);
    add_baseline(10 * S, 419);
    look_for_nothing();
    add_baseline(10 * S, 500);
    baselines[1].energy_uj[PACKAGE] = 421 * J;
    look();
    expect("baselines vary by up to 19 %"); /* 500 / 421 */
    look_at_series();
    expect("baselines vary by up to 19 %");
    baselines[2].energy_uj[PACKAGE] = 421 * J;
    look();
    expect("baselines vary by up to 5 %");
    baselines[1].energy_uj[PACKAGE] = baselines[2].energy_uj[PACKAGE] = 379 * J;
    look();
    expect("baselines vary by up to 5 %");
    baselines[0].energy_uj[PACKAGE] = 0; /* of nothing there are no per cent */
    look_for_nothing();
    /* half a watt, too */
    for (size_t i = 0; i < 3; i++)
        baselines[i].energy_uj[PACKAGE] = 5 * J * (i + 1);
    look();
    expect("baselines vary by up to 100 %");
    /* one that knows less is not more or less than another */
    baselines[1].unknown_ns[PACKAGE] = baselines[1].duration_ns;
    look_for_nothing();
}
END_TEST

/* Of 1000, 1001, 999, 1000 and 900 J the last is 10 % less than the median; of two runs neither is. */
START_TEST(a_run_that_differs)
{
    static const uint64_t energies_j[] = { 1000, 1001, 999, 1000, 900 };

    for (size_t i = 0; i < RUNS; i++)
        add_run(10 * S, energies_j[i]);
    summary.runs = RUNS;
    look();
    expect("run 5 used 10 % less than the median run");
    ck_assert_str_eq(notices.item[0].why, "something else may have run");
    runs[0].window.energy_uj[PACKAGE] = 1200 * J;
    runs[4].window.energy_uj[PACKAGE] = 1000 * J;
    look();
    expect("run 1 used 20 % more than the median run");
    ck_assert_str_eq(notices.item[0].fix, "--warmup 1");
    runs[0].warmup = true;
    summary.runs = RUNS - 1;
    look_for_nothing();
    runs[2].warmup = runs[3].warmup = true;
    runs[1].window.energy_uj[PACKAGE] = 1500 * J;
    summary.runs = 2;
    look_for_nothing();
}
END_TEST

START_TEST(a_baseline_that_was_not_idle)
{
    static const struct machine machine = { .packages = 1, .cpus_online = 4 };
    struct window *window;

    meter.machine = &machine;
    window = add_baseline(5 * S, 200);
    add_run(10 * S, 1000);
    window->machine_busy_known = true;
    window->machine_busy_ns = 10 * S;
    window->mask_cpus = 4;
    window->mask_busy_ns = 10 * S;
    look();
    expect("the baseline was not idle: other processes kept 2.00 of 4 CPUs busy");
    ck_assert_int_eq(notices.item[0].kind, NOTICE_BUSY_BASELINE);
    look_at_series();
    expect("the baseline was not idle: other processes kept 2.00 of 4 CPUs busy");
    window->machine_busy_ns = window->mask_busy_ns = 20 * S;
    look();
    expect("the baseline was not idle: other processes kept 4.00 of 4 CPUs busy");
    ck_assert_str_eq(notices.item[0].why, "no CPU was to spare: the command took CPU time from others, and net does "
                                          "not contain its energy");
    ck_assert_str_eq(notices.item[0].fix, "stop other load ('top' shows it), then measure again");
    window->machine_busy_ns = 5 * S;
    window->mask_cpus = 1;
    window->mask_busy_ns = 5 * S;
    look();
    expect("the baseline was not idle: other processes kept 1.00 of the 1 CPU busy that the command may use, and 1.00 "
           "of all 4");
    ck_assert_str_eq(notices.item[0].fix,
                     "stop other load ('top' shows it), or run the command on idle CPUs with --cpus");
    window->machine_busy_known = false;
    look();
    expect("the baseline was not idle: other processes kept 1.00 of the 1 CPU busy that the command may use");
    window->mask_busy_ns = S / 100;
    look_for_nothing();
}
END_TEST

START_TEST(what_ran_beside)
{
    summary.background_cores.count = 1;
    summary.background_cores.max = 0.02;
    look_for_nothing();
    summary.background_cores.max = 0.031;
    look();
    expect("other processes used 3 % of a core more during the run than during the baselines");
    summary.background_cores.count = 0;
    look_for_nothing();
}
END_TEST

START_TEST(a_machine_that_did_not_settle)
{
    measurement.settling = (struct settling){ .asked = true, .waited_s = 30, .variation = 0.034 };
    look();
    expect("idle power did not settle within 30 s (varied by 3.4 %)");
    look_at_series();
    ck_assert_uint_eq(notices.count, 1);
    measurement.settling.variation = NAN;
    look();
    expect("whether the idle machine was steady is not known");
    measurement.interrupted = 2;
    look_for_nothing();
    measurement.interrupted = 0;
    measurement.settling.steady = true;
    look_for_nothing();
    measurement.settling = (struct settling){ .asked = false };
    look_for_nothing();
}
END_TEST

START_TEST(what_happened_in_runs)
{
    add_run(10 * S, 1000);
    runs[0].window.suspended_ns = 60 * S;
    look();
    expect("the machine was suspended for 60 s while the command ran");
    runs[0].window.suspended_ns = 0;
    runs[0].usage.oom_kills = (struct usage_value){ .known = true, .from = "cgroup" };
    look_for_nothing();
    runs[0].usage.oom_kills.value = 1;
    look();
    expect("the kernel killed 1 of its processes: out of memory");
    runs[0].usage.oom_kills.known = false;
    runs[0].orphans = 2;
    strcpy(runs[0].orphan_names, "sleep, nginx");
    look();
    expect("2 processes outlived the command: sleep, nginx");
    runs[0].orphans = 0;
    add_baseline(10 * S, 400)->suspended_ns = 1;
    look();
    expect("the machine was suspended during the baseline");
}
END_TEST

UNIT_SUITE_IN("noise", begin, NULL, a_sound_measurement, a_counter_that_had_faults, a_power_that_cannot_be,
              a_sensor_of_power, a_sensor_that_stands_still, a_net_that_says_little, what_the_total_lacks,
              baselines_that_differ, a_run_that_differs, a_baseline_that_was_not_idle, what_ran_beside,
              a_machine_that_did_not_settle, what_happened_in_runs)
