/* SPDX-License-Identifier: MIT
 * Two counters that report the same joules: found once enough has moved, and never where there are two. */
#include "cross_fixture.h"
#include "unit.h"

/* Two of a kind, the second of another package. */
static void two(const struct energy_driver *driver, enum component component)
{
    begin("GenuineIntel", 94);
    add(driver, component, 0);
    add(driver, component, 1);
}

static void expect_mirror(const char *what)
{
    expect(what, "step by step");
    expect_counted("10");
    ck_assert(meter.domains[1].repeats == &domains[0]);
    ck_assert_str_eq(counting.reason[1] + strlen(counting.reason[1]) - strlen("the same joules"), "the same joules");
}

/* Equal to the last unit, u = 122 uJ: u / (0.02 (E - 3 W x 10 s)) < 1e-4 from E = 91 J on. */
START_TEST(equal_steps_are_one_once_enough_moved)
{
    two(&powercap, COMPONENT_PACKAGE);
    AGREE(10, 90.9, 90.9);
    expect_counted("11");
    two(&powercap, COMPONENT_PACKAGE);
    STEP(10, 91.1, 91.1);
    expect_mirror("total incomplete: package-0 and package-1 report the same joules, and one of them is counted");
    ck_assert(counting.incomplete);
    /* forgotten where a later window says otherwise */
    AGREE(10, 100, 150);
    expect_counted("11");
    ck_assert(!counting.incomplete);
}
END_TEST

/* By the skew alone they differ by 2 x (2 x 100 W x 1 ms + 122 uJ) = 0.400244 J at most. */
START_TEST(what_differs_by_more_than_the_skew_is_two)
{
    two(&powercap, COMPONENT_PACKAGE);
    stands(0, 5000);
    stands(1, 5000);
    STEP(10, 1000, 999.5998);
    expect_mirror("package-0 and package-1");
    two(&powercap, COMPONENT_PACKAGE);
    stands(0, 5000);
    stands(1, 5000);
    AGREE(10, 1000, 999.5997);
    /* a reading that took 2 ms leaves three times as much open */
    windows[0].span_ns = 2000000;
    ck_assert_uint_eq(check(), 1);
}
END_TEST

/* Where they stood elsewhere, 0.1 J of 1000 J says too little: 0.1 / (0.02 x 970) = 0.005; of 100 kJ enough. */
START_TEST(near_is_not_the_same)
{
    two(&powercap, COMPONENT_PACKAGE);
    AGREE(10, 1000, 999.9);
    two(&powercap, COMPONENT_PACKAGE);
    STEP(1000, 100000, 99999.9);
    expect_mirror("package-0 and package-1");
    /* a difference that grows is none of reading */
    two(&powercap, COMPONENT_PACKAGE);
    for (int i = 0; i < 10; i++)
        AGREE(100, 10000, 9999.9);
}
END_TEST

START_TEST(any_of_a_kind_may_be_one)
{
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_MEMORY };

    for (size_t i = 0; i < sizeof components / sizeof components[0]; i++) {
        two(&powercap, components[i]);
        STEP(10, 1000, 1000);
        expect_mirror("report the same joules");
        two(&hwmon, components[i]);
        STEP(10, 1000, 1000);
        expect_mirror("report the same joules");
        two(&perf, components[i]);
        STEP(10, 1000, 1000);
        expect_mirror("report the same joules");
    }
    /* another kind, another source */
    two(&powercap, COMPONENT_PACKAGE);
    domains[1].component = COMPONENT_MEMORY;
    AGREE(10, 1000, 1000);
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0);
    add(&perf, COMPONENT_PACKAGE, 1);
    AGREE(10, 1000, 1000);
}
END_TEST

START_TEST(what_counts_in_another_scope)
{
    add(&powercap, COMPONENT_PLATFORM, 0);
    add(&powercap, COMPONENT_PLATFORM, 1);
    STEP(10, 1000, 1000);
    ck_assert_uint_eq(check_scope(SCOPE_PLATFORM), 1);
    expect_counted("10");
    begin("", 0);
    add(&hwmon, COMPONENT_MACHINE, -1)->part = true;
    add(&hwmon, COMPONENT_MACHINE, -1)->part = true;
    STEP(10, 1000, 1000);
    ck_assert_uint_eq(check_scope(SCOPE_MACHINE), 1);
    expect_counted("10");
    ck_assert(counting.incomplete);
}
END_TEST

/* Two zones of one name on one socket are two until they are shown to be one; then nothing is missing. */
START_TEST(two_zones_of_one_socket)
{
    machine.cpu_limit = 1;
    add(&powercap, COMPONENT_PACKAGE, 0);
    snprintf(add(&powercap, COMPONENT_PACKAGE, 0)->name, sizeof domains[1].name, "package-0#2");
    AGREE(10, 1000, 1100);
    expect_counted("11");
    measurement.baseline_count = 0;
    STEP(10, 1000, 1000);
    expect_mirror("package-0 and package-0#2 report the same joules");
    ck_assert_ptr_null(strstr(meter.findings.item[0].what, "incomplete"));
    ck_assert(!counting.incomplete);
}
END_TEST

/* What is left out makes room for perf's counter of the same package, which is a mirror as well. */
START_TEST(another_way_to_a_mirror_does_not_come_in)
{
    add_packages(&powercap, 2);
    add_packages(&perf, 2);
    STEP(10, 1000, 1000, 1000, 1000);
    ck_assert_uint_ge(check(), 1);
    expect_counted("1000");
    /* one that is none does */
    measurement.baseline_count = 0;
    STEP(10, 1000, 1000, 1000, 700);
    ck_assert_uint_ge(check(), 1);
    expect_counted("1001");
}
END_TEST

/* A window each of one package and memory at rest: 1.25 W to the last digit in both. */
START_TEST(what_rests_may_be_equal)
{
    two(&powercap, COMPONENT_MEMORY);
    for (int i = 0; i < 10; i++)
        AGREE(60, 75, 75);
    /* small counters of coarse units: 8 J of 1 J each */
    two(&hwmon, COMPONENT_PACKAGE);
    domains[0].resolution_uj = domains[1].resolution_uj = 1000000;
    for (int i = 0; i < 20; i++)
        AGREE(1, 8, 8);
}
END_TEST

/* Each power that is new says (0.005 / 0.02): seven of them are below 1e-4. */
START_TEST(sensors_of_power_must_have_told_many)
{
    two(&hwmon, COMPONENT_PACKAGE);
    domains[0].poll_ns = domains[1].poll_ns = domains[0].update_ns = domains[1].update_ns = 100000000;
    for (int i = 0; i < 40; i++)
        AGREE(10, i % 2 ? 110 : 3000, i % 2 ? 110 : 3000);
    measurement.baseline_count = 0;
    for (int i = 0; i < 6; i++)
        AGREE(10, 100 + 10 * i, 100 + 10 * i);
    STEP(10, 200, 200);
    expect_mirror("package-0 and package-1 report the same joules");
}
END_TEST

START_TEST(many_are_one_finding)
{
    double energies_j[64];

    add_packages(&powercap, 64);
    for (int i = 0; i < 64; i++)
        energies_j[i] = 1000;
    step(10, energies_j);
    expect("package-0 to package-63 report the same joules, and one of them is counted", "step by step");
    ck_assert_uint_eq(counting.counted, 1);
    for (int i = 0; i < 64; i++)
        energies_j[i] = 1000 + 100 * (i % 4);
    measurement.baseline_count = 0;
    step(10, energies_j);
    expect("package-0 to package-63 report the same joules in groups, and 4 of them are counted", "step by step");
    ck_assert_uint_eq(counting.counted, 4);
}
END_TEST

START_TEST(a_guest_of_mirrors_is_not_trusted)
{
    double energies_j[66];

    machine.guest = true;
    add_packages(&powercap, 64);
    add(&powercap, COMPONENT_MEMORY, 0);
    add(&powercap, COMPONENT_MEMORY, 1);
    for (int i = 0; i < 66; i++)
        energies_j[i] = 1000 + 100 * (i % 2);
    step(10, energies_j);
    expect("package-0 to package-63 of this guest report the joules of 2, so none of its counters is trusted",
           "a hypervisor");
    ck_assert_uint_eq(counting.counted, 0);
    ck_assert_str_eq(counting.reason[65],
                     "a guest's counter that is not to be trusted: its packages repeat one another");
    /* packages that are its own */
    for (int i = 0; i < 66; i++)
        energies_j[i] = 1000 + 10 * i;
    measurement.baseline_count = 0;
    step(10, energies_j);
    ck_assert_uint_eq(check(), 0);
    ck_assert_uint_eq(counting.counted, 66);
}
END_TEST

/* The parts of a baseline were added up while both counted. */
START_TEST(the_parts_of_a_baseline_follow)
{
    two(&powercap, COMPONENT_PACKAGE);
    STEP(10, 1000, 1000);
    windows[0].parts_w[0] = 190;
    windows[0].parts_w[1] = 210;
    windows[0].part_count = 2;
    ck_assert_uint_eq(check(), 1);
    ck_assert_double_eq_tol(windows[0].parts_w[0], 95, 1e-9);
    ck_assert_double_eq_tol(windows[0].parts_w[1], 105, 1e-9);
    ck_assert_uint_eq(check(), 1);
    ck_assert_double_eq_tol(window_counted_w(&measurement, &windows[0]), 100, 1e-9);
}
END_TEST

/* xorshift64; 0 to 1. */
static double random_part(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Two sockets under one load: their calibrations differ by up to 5 %, and each window's powers by 1 %. */
START_TEST(two_that_are_alike_are_never_one)
{
    uint64_t seed = 20261129;

    for (int series = 0; series < 4000; series++) {
        const double apart = 1 + 0.1 * (random_part(&seed) - 0.5);
        const size_t count = 1 + (size_t)(random_part(&seed) * 12);
        two(&powercap, series % 2 ? COMPONENT_PACKAGE : COMPONENT_MEMORY);
        for (size_t i = 0; i < count; i++) {
            const double duration_s = 0.1 + 20 * random_part(&seed), power_w = 5 + 295 * random_part(&seed);
            const double first_j = duration_s * power_w;
            STEP(duration_s, first_j, first_j * apart * (1 + 0.02 * (random_part(&seed) - 0.5)));
            ck_assert_msg(check() == 0, "series %d, window %zu: %s", series, i, meter.findings.item[0].what);
        }
    }
}
END_TEST

/* One register, read twice: each end of each window is off by what flows within 1 ms at most. */
START_TEST(one_register_is_always_found)
{
    uint64_t seed = 20261129;

    for (int series = 0; series < 2000; series++) {
        double off_j = 0, all_j = 0;
        two(&powercap, COMPONENT_PACKAGE);
        stands(0, 2000);
        stands(1, 2000);
        for (int i = 0; i < 10; i++) {
            const double duration_s = 1 + 9 * random_part(&seed), power_w = 50 + 50 * random_part(&seed);
            const double next_off_j = 0.001 * power_w * (random_part(&seed) - 0.5);
            STEP(duration_s, duration_s * power_w, duration_s * power_w + next_off_j - off_j);
            off_j = next_off_j;
            all_j += duration_s * (power_w - 3);
        }
        /* 122 uJ / (0.02 x 2000 J) x 0.1 J / (0.02 E) < 1e-4 from E = 0.15 J on */
        ck_assert_double_gt(all_j, 400);
        ck_assert_uint_eq(check(), 1);
        expect_counted("10");
    }
}
END_TEST

/* What a live view takes: windows of a second at first, joined two by two as time goes on. */
START_TEST(live_steps_are_joined)
{
    static struct cross_steps steps;
    struct sample sample = { .time_ns = 5 * NS_PER_S_INT };
    bool changed = false;

    two(&powercap, COMPONENT_PACKAGE);
    ck_assert_uint_eq(check(), 0);
    memset(sample.read, 1, sizeof sample.read);
    cross_steps_begin(&steps, &sample, CROSS_STEP_NS);
    for (int half = 1; half <= 200; half++) {
        sample.time_ns += NS_PER_S_INT / 2;
        for (int i = 0; i < 2; i++) {
            sample.energy_uj[i] += UINT64_C(50000000);
            meter.domains[i].total_uj = sample.energy_uj[i];
            meter.domains[i].last_raw_uj += UINT64_C(50000000);
            meter.domains[i].moved = true;
        }
        changed |= cross_steps_take(&steps, &meter, &counting, &sample);
        ck_assert(changed == (half >= 2)); /* the first second is enough */
    }
    ck_assert_uint_le(steps.count, CROSS_STEPS);
    ck_assert_uint_eq(steps.min_ns, 8 * NS_PER_S_INT);
    ck_assert(meter.domains[1].left_out && meter.findings.count == 1);
}
END_TEST

UNIT_SUITE_IN("mirrors", begin_intel, NULL, equal_steps_are_one_once_enough_moved,
              what_differs_by_more_than_the_skew_is_two, near_is_not_the_same, any_of_a_kind_may_be_one,
              what_counts_in_another_scope, two_zones_of_one_socket, another_way_to_a_mirror_does_not_come_in,
              what_rests_may_be_equal, sensors_of_power_must_have_told_many, many_are_one_finding,
              a_guest_of_mirrors_is_not_trusted, the_parts_of_a_baseline_follow, two_that_are_alike_are_never_one,
              one_register_is_always_found, live_steps_are_joined)
