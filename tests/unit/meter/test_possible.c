/* SPDX-License-Identifier: MIT
 * Readings that are held against what is possible: how much at once and over time, who may say nothing, and when a
 * counter that does not move has stopped. */
#include "meter/meter.h"
#include "tree.h"
#include "unit.h"

#include "base/units.h"

#include <errno.h>

#define MS UINT64_C(1000000)
#define S NS_PER_S_INT
#define J UINT64_C(1000000)
#define MAX_W 1000.0

static struct domain domain;
static struct meter_domain state;

static void begin(enum component component)
{
    domain = (struct domain){ .component = component, .max_w = MAX_W, .update_ns = MS, .resolution_uj = 61 };
    state = (struct meter_domain){ .domain = &domain };
}

static bool take(uint64_t time_ns, uint64_t energy_uj)
{
    return meter_domain_take(&state, &(struct reading){ .energy_uj = energy_uj }, time_ns, false);
}

static void expect(uint64_t total_uj, uint64_t unknown_ns, enum hole hole)
{
    ck_assert_uint_eq(state.total_uj, total_uj);
    ck_assert_uint_eq(state.unknown_ns, unknown_ns);
    ck_assert_int_eq(state.hole, hole);
}

/* 1 kW for the second, and 100 J at once for 0.1 s of it. */
START_TEST(a_jump_is_a_hole)
{
    begin(COMPONENT_PACKAGE);
    take(S, 500 * J);
    take(2 * S, 1600 * J);
    expect(1100 * J, 0, HOLE_NONE);
    take(3 * S, 2601 * J); /* what may come at once has come */
    expect(1100 * J, S, HOLE_IMPLAUSIBLE);
    ck_assert_uint_eq(state.implausible, 1);
    ck_assert(state.implausible_w == 1001);
    take(4 * S, 2701 * J);
    expect(1200 * J, S, HOLE_IMPLAUSIBLE);
}
END_TEST

/* 300 W in refreshes of 10 ms, read each ms: each is ten times the power of its interval. */
START_TEST(short_intervals_are_not_judged_by_one_refresh)
{
    begin(COMPONENT_PACKAGE);
    for (unsigned ms = 0; ms <= 5000; ms++)
        take(S + ms * MS, ms / 10 * 3 * J);
    expect(1500 * J, 0, HOLE_NONE);
}
END_TEST

/* 50 J each ms are 50 kW, though none of them is much at once. */
START_TEST(much_in_small_steps_is_seen)
{
    begin(COMPONENT_PACKAGE);
    for (unsigned ms = 0; ms <= 1000; ms++)
        take(S + ms * MS, ms * 50 * J);
    ck_assert_uint_le(state.total_uj, 1101 * J);
    ck_assert_uint_gt(state.unknown_ns, S / 2);
}
END_TEST

/* 500 W, told once a minute. */
START_TEST(a_meter_may_be_refreshed_once_a_minute)
{
    begin(COMPONENT_MACHINE);
    for (unsigned s = 0; s <= 600; s++)
        take((s + 1) * S, s / 60 * 30000 * J);
    expect(300000 * J, 0, HOLE_NONE);
}
END_TEST

START_TEST(a_coarse_unit_is_no_power)
{
    begin(COMPONENT_MACHINE);
    domain.resolution_uj = 36000 * J; /* 0.01 kWh */
    take(S, 0);
    take(2 * S, 36000 * J);
    expect(36000 * J, 0, HOLE_NONE);
}
END_TEST

/* After a value that cannot be true a step back is none of the counter's turns. */
START_TEST(back_from_a_spike)
{
    begin(COMPONENT_PACKAGE);
    domain.wraps_at_uj = 10000 * J;
    take(S, 100 * J);
    take(2 * S, 9900 * J);
    take(3 * S, 110 * J);
    expect(0, 2 * S, HOLE_RESET);
    ck_assert_uint_eq(state.wraps, 0);
    take(4 * S, 120 * J);
    expect(10 * J, 2 * S, HOLE_RESET);
}
END_TEST

static bool take_power(uint64_t time_ns, uint64_t energy_uj, double power_w, int error)
{
    return meter_domain_take(
        &state, &(struct reading){ .energy_uj = energy_uj, .error = error, .has_power = true, .power_uw = power_w * J },
        time_ns, false);
}

/* A sample takes power x time on to its own moment, so that what is told after a hole may be a little less. */
START_TEST(a_sensor_after_a_hole_is_not_back)
{
    begin(COMPONENT_MACHINE);
    domain.poll_ns = S / 10;
    take_power(S, 0, 200, 0);
    take_power(2 * S, 200 * J, 200, 0);
    ck_assert(!take_power(3 * S, 0, 0, ERANGE));
    take_power(4 * S, 200 * J - J / 10, 200, 0);
    expect(200 * J, 2 * S, HOLE_IMPLAUSIBLE);
    take_power(5 * S, 400 * J - J / 10, 200, 0);
    expect(400 * J, 2 * S, HOLE_IMPLAUSIBLE);
}
END_TEST

/* One wrong 0 of a counter that has counted less than it may in a second. */
START_TEST(a_moment_of_zero)
{
    begin(COMPONENT_PACKAGE);
    take(S, 500 * J);
    take(2 * S, 0);
    take(3 * S, 520 * J);
    expect(0, 2 * S, HOLE_RESET);
    take(4 * S, 530 * J);
    expect(10 * J, 2 * S, HOLE_RESET);
}
END_TEST

static bool tell(uint64_t time_ns, double power_w, bool off)
{
    const struct reading reading = {
        .energy_uj = time_ns / 1000, .has_power = true, .power_uw = power_w * 1e6, .off = off
    };

    return meter_domain_take(&state, &reading, time_ns, false);
}

START_TEST(a_sensor_that_tells_too_much)
{
    begin(COMPONENT_GPU);
    domain.poll_ns = S;
    ck_assert(tell(S, 500, false) && tell(2 * S, MAX_W, false));
    ck_assert(!tell(3 * S, MAX_W + 1, false));
    ck_assert(tell(4 * S, 500, false));
    expect(J, 2 * S, HOLE_IMPLAUSIBLE);
}
END_TEST

/* What runs draws something; a card or memory may be off, a supply may leave the load to the other, and who has never
 * told power is no sensor of it. */
START_TEST(who_may_say_nothing)
{
    static const struct {
        enum component component;
        bool part, off, believed;
    } cases[] = {
        { COMPONENT_MACHINE, false, false, false }, { COMPONENT_PLATFORM, false, false, false },
        { COMPONENT_PACKAGE, false, false, false }, { COMPONENT_MACHINE, true, false, true },
        { COMPONENT_MACHINE, false, true, true },   { COMPONENT_GPU, false, false, true },
        { COMPONENT_MEMORY, false, false, true },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin(cases[i].component);
        domain.poll_ns = S;
        domain.part = cases[i].part;
        ck_assert(tell(S, 0, false));
        ck_assert(tell(2 * S, 200, false) && tell(3 * S, 200, false));
        ck_assert_msg(tell(4 * S, 0, cases[i].off) == cases[i].believed, "case %zu", i);
        ck_assert(tell(5 * S, 200, false));
        ck_assert_uint_eq(state.unknown_ns, cases[i].believed ? 0 : 2 * S);
    }
}
END_TEST

START_TEST(a_failure_of_a_sensor_is_a_hole)
{
    begin(COMPONENT_MACHINE);
    domain.poll_ns = S;
    tell(S, 200, false);
    ck_assert(!meter_domain_take(&state, &(struct reading){ .error = EIO }, 2 * S, false));
    tell(3 * S, 200, false);
    expect(0, 2 * S, HOLE_FAILED);
    ck_assert(!meter_domain_take(&state, &(struct reading){ .error = ERANGE }, 4 * S, false));
    tell(5 * S, 200, false);
    expect(0, 4 * S, HOLE_IMPLAUSIBLE);
}
END_TEST

/* In between nothing is lost; at an end of a window the gap belongs to neither side. */
START_TEST(a_failure_of_a_counter)
{
    begin(COMPONENT_PACKAGE);
    take(S, 500 * J);
    ck_assert(!meter_domain_take(&state, &(struct reading){ .error = EIO }, 2 * S, false));
    take(3 * S, 520 * J);
    expect(20 * J, 0, HOLE_NONE);
    ck_assert(!meter_domain_take(&state, &(struct reading){ .error = EIO }, 4 * S, false));
    meter_domain_cut(&state, 4 * S);
    expect(20 * J, S, HOLE_FAILED);
    take(5 * S, 550 * J);
    expect(20 * J, 2 * S, HOLE_FAILED);
    take(6 * S, 560 * J);
    expect(30 * J, 2 * S, HOLE_FAILED);
}
END_TEST

/* Two packages of a machine, and its CPU time in a tree. */
static struct domain beside;
static struct meter meter;
static struct tree tree;

static void begin_machine(void)
{
    begin(COMPONENT_PACKAGE);
    beside = domain;
    meter = (struct meter){ .root = &tree.root, .domain_count = 2 };
    meter.domains[0].domain = &domain;
    meter.domains[1].domain = &beside;
}

static void look(uint64_t time_ns, uint64_t energy_uj, uint64_t concurrent_uj)
{
    meter_domain_take(&meter.domains[0], &(struct reading){ .energy_uj = energy_uj }, time_ns, false);
    meter_domain_take(&meter.domains[1], &(struct reading){ .energy_uj = concurrent_uj }, time_ns, false);
    meter_judge_stillness(&meter, time_ns);
}

START_TEST(a_counter_that_stops_beside_one_that_goes_on)
{
    tree_open(&tree);
    begin_machine();
    look(S, 100 * J, 100 * J);
    look(2 * S, 200 * J, 200 * J);
    look(3 * S, 200 * J, 300 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 0);
    look(4 * S, 200 * J, 400 * J); /* since 2 s */
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 2 * S);
    ck_assert_int_eq(meter.domains[0].hole, HOLE_FROZEN);
    look(5 * S, 200 * J, 500 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 3 * S);
    look(6 * S, 250 * J, 600 * J); /* it goes on, from when is not known */
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 4 * S);
    look(7 * S, 300 * J, 700 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 4 * S);
    ck_assert_uint_eq(meter.domains[0].total_uj, 150 * J);
    ck_assert_uint_eq(meter.domains[0].freezes, 1);
    ck_assert_uint_eq(meter.domains[0].hole_ns[HOLE_FROZEN], 4 * S);
    ck_assert_uint_eq(meter.domains[1].unknown_ns, 0);
    tree_close(&tree);
}
END_TEST

/* All of them, as those of files that nobody writes. */
START_TEST(nothing_says_that_the_machine_runs)
{
    tree_open(&tree);
    begin_machine();
    look(S, 100 * J, 100 * J);
    for (unsigned s = 2; s < 100; s++)
        look(s * S, 200 * J, 200 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns + meter.domains[1].unknown_ns, 0);
    tree_close(&tree);
}
END_TEST

static void let_cpu_time_be(unsigned long ticks)
{
    char line[128];

    snprintf(line, sizeof line, "cpu  %lu 0 0 1000 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0", ticks);
    tree_put(&tree, "proc/stat", line);
}

START_TEST(all_stop_while_cpu_time_passes)
{
    tree_open(&tree);
    begin_machine();
    look(S, 100 * J, 100 * J);
    look(2 * S, 200 * J, 200 * J);
    let_cpu_time_be(1000);
    look(3 * S, 200 * J, 200 * J); /* in doubt */
    let_cpu_time_be(1002);
    look(4 * S, 200 * J, 200 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 0);
    let_cpu_time_be(1100);
    look(5 * S, 200 * J, 200 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 3 * S);
    ck_assert_uint_eq(meter.domains[1].unknown_ns, 3 * S);
    tree_close(&tree);
}
END_TEST

/* Who may rest, and whose refreshes are not known yet. */
START_TEST(who_may_stand_still)
{
    static const enum component resting[] = { COMPONENT_GPU, COMPONENT_CORES, COMPONENT_UNCORE, COMPONENT_RAIL };

    tree_open(&tree);
    for (size_t i = 0; i <= sizeof resting / sizeof resting[0]; i++) {
        begin_machine();
        if (i < sizeof resting / sizeof resting[0])
            domain.component = resting[i];
        else
            domain.access = ACCESS_SENSOR; /* has moved once */
        look(S, 100 * J, 100 * J);
        for (unsigned s = 2; s < 60; s++)
            look(s * S, 200 * J, s * 100 * J);
        ck_assert_msg(meter.domains[0].unknown_ns == 0, "case %zu", i);
    }
    tree_close(&tree);
}
END_TEST

/* Refreshed every 20 s as long as it is watched, and then not for ten times as long. */
START_TEST(a_slow_meter_is_known_by_its_pauses)
{
    tree_open(&tree);
    begin_machine();
    domain.access = ACCESS_SENSOR;
    for (unsigned s = 0; s < 100 + 190; s++)
        look((s + 1) * S, (s < 100 ? s : 100) / 20 * 1000 * J, s * 100 * J);
    ck_assert_uint_eq(meter.domains[0].unknown_ns, 0);
    for (unsigned s = 290; s <= 320; s++)
        look((s + 1) * S, 5000 * J, s * 100 * J);
    ck_assert_uint_ge(meter.domains[0].unknown_ns, 200 * S);
    tree_close(&tree);
}
END_TEST

UNIT_SUITE("possible", a_jump_is_a_hole, short_intervals_are_not_judged_by_one_refresh, much_in_small_steps_is_seen,
           a_meter_may_be_refreshed_once_a_minute, a_coarse_unit_is_no_power, back_from_a_spike,
           a_sensor_after_a_hole_is_not_back, a_moment_of_zero, a_sensor_that_tells_too_much, who_may_say_nothing,
           a_failure_of_a_sensor_is_a_hole, a_failure_of_a_counter, a_counter_that_stops_beside_one_that_goes_on,
           nothing_says_that_the_machine_runs, all_stop_while_cpu_time_passes, who_may_stand_still,
           a_slow_meter_is_known_by_its_pauses)
