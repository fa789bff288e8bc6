/* SPDX-License-Identifier: MIT
 * What cannot be true of two domains at once: twins, parts and wholes, sockets, models; and powers that cannot be. */
#include "cross_fixture.h"
#include "unit.h"

static void pair(const char *vendor, int number, enum component component, double powercap_j, double perf_j)
{
    begin(vendor, number);
    add(&powercap, component, 0);
    add(&perf, component, 0);
    STEP(10, powercap_j, perf_j);
}

START_TEST(twins_agree_within_half_a_percent)
{
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1004.9);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 995.1);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1005.1);
    expect("powercap reports 1000.0 J for package-0, perf reports 1005.1 J", "within 0.5 %");
    expect_counted("10");
    expect_doubted("00");
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 994.9);
    expect("perf reports 994.9 J", "within 0.5 %");
    /* too little to tell; another package; one that never moved; one that is not known */
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 10, 20);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    domains[1].package = 1;
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 0);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    windows[0].known[1] = 0;
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    windows[0].unknown_ns[0] = 1;
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(twins_of_many_packages_are_one_finding)
{
    double energies_j[64];

    add_packages(&powercap, 32);
    add_packages(&perf, 32);
    for (int i = 0; i < 64; i++)
        energies_j[i] = 1000 + 10 * (i % 32) + 100 * (i / 32);
    step(10, energies_j);
    expect("powercap reports 1000.0 J for package-0, perf reports 1100.0 J; 31 more are like that", "within 0.5 %");
}
END_TEST

START_TEST(models_and_sensors_are_no_twins)
{
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    domains[1].access = ACCESS_MODEL;
    ck_assert_uint_eq(check(), 0);
    domains[1].access = ACCESS_SENSOR;
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(known_quirks_are_named)
{
    static const struct {
        const char *vendor;
        int number;
        enum component component;
        double powercap_j, perf_j;
        const char *what, *why;
    } cases[] = {
        { "GenuineIntel", 86, COMPONENT_MEMORY, 1000, 250, "powercap reports 1000.0 J", "known of Broadwell-D" },
        { "GenuineIntel", 143, COMPONENT_MEMORY, 250, 1000, "perf reports 1000.0 J", "known of Sapphire Rapids" },
        { "GenuineIntel", 143, COMPONENT_MEMORY, 1000, 250, "perf reports 250.0 J", "known of Sapphire Rapids" },
        /* within 2 % of four times */
        { "GenuineIntel", 143, COMPONENT_MEMORY, 1000, 254, "perf reports 254.0 J", "known of Sapphire Rapids" },
        /* another ratio, component, model, maker */
        { "GenuineIntel", 143, COMPONENT_MEMORY, 1000, 500, "perf reports 500.0 J", "within 0.5 %" },
        { "GenuineIntel", 143, COMPONENT_PACKAGE, 1000, 250, "perf reports 250.0 J", "within 0.5 %" },
        { "GenuineIntel", 85, COMPONENT_MEMORY, 1000, 250, "perf reports 250.0 J", "within 0.5 %" },
        { "AuthenticAMD", 86, COMPONENT_MEMORY, 1000, 250, "perf reports 250.0 J", "within 0.5 %" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pair(cases[i].vendor, cases[i].number, cases[i].component, cases[i].powercap_j, cases[i].perf_j);
        expect(cases[i].what, cases[i].why);
    }
}
END_TEST

START_TEST(a_die_that_moves_for_itself_is_no_mirror)
{
    begin("AuthenticAMD", 1);
    add(&powercap, COMPONENT_PACKAGE, 0)->die = 0;
    add(&powercap, COMPONENT_PACKAGE, 0)->die = 1;
    AGREE(10, 1000, 1020);
    STEP(10, 1000, 1200);
    expect("(2220.0 J) does not mirror package-0 (2000.0 J)", "move differently");
    expect_counted("10");
}
END_TEST

START_TEST(a_part_is_not_above_its_whole)
{
    ADD(&powercap, 0, COMPONENT_PACKAGE, COMPONENT_CORES);
    AGREE(10, 1000, 1019); /* within 2 % */
    STEP(10, 1000, 1100);
    expect_doubt("cores-0 used 2119.0 J, more than package-0, which contains it (2000.0 J)", "a part cannot use more",
                 "01");
    expect_counted("10");
    /* AMD's register of one core counts nowhere, and is wrong all the same */
    snprintf(domains[1].not_counted, sizeof domains[1].not_counted, "one core of many");
    expect("cores-0 used", "the package's own counter is trusted");
    domains[1].package = 1;
    ck_assert_uint_eq(check(), 0);
    expect_doubted("00"); /* what was judged before is forgotten */
    domains[1].package = 0;
    domains[1].component = COMPONENT_UNCORE;
    expect("more than package-0", "a part cannot use more");
}
END_TEST

START_TEST(parts_are_held_against_their_whole_together)
{
    ADD(&powercap, 0, COMPONENT_PACKAGE, COMPONENT_CORES, COMPONENT_UNCORE);
    AGREE(10, 1000, 600, 410);
    STEP(10, 1000, 600, 500);
    expect_doubt("cores-0 and uncore-0 used 2110.0 J, more than package-0, which contains them (2000.0 J)", "a part",
                 "011"); /* none of them says which */
    STEP(10, 1000, 3000, 100);
    ck_assert_uint_eq(check(), 1);
    expect_doubted("010"); /* it alone is above */
}
END_TEST

START_TEST(a_rail_is_not_above_its_board)
{
    begin("", 0);
    ADD(&hwmon, -1, COMPONENT_MACHINE, COMPONENT_RAIL);
    AGREE(10, 100, 101);
    STEP(10, 100, 110);
    expect_doubt("rail--1 used 211.0 J, more than machine--1, which contains it (200.0 J)", "the board's own meter",
                 "01");
}
END_TEST

START_TEST(the_platform_is_not_below_its_packages)
{
    ADD(&powercap, 0, COMPONENT_PACKAGE, COMPONENT_MEMORY);
    add(&powercap, COMPONENT_PLATFORM, -1);
    add(&hwmon, COMPONENT_GPU, -1); /* a card is not in psys */
    AGREE(10, 600, 100, 690, 300);  /* within 2 % */
    STEP(10, 600, 100, 310, 300);
    expect_doubt("the components (1400.0 J) are above platform--1 of powercap (1000.0 J)", "do not wire it fully",
                 "0010");
    /* nor where it is the total */
    ck_assert_uint_eq(check_scope(SCOPE_PLATFORM), 1);
    expect_counted("0011");
    expect_doubted("0010");
    ck_assert(!window_has_figure(&measurement, &windows[0], 2));
    ck_assert(window_has_figure(&measurement, &windows[0], 3));
}
END_TEST

START_TEST(a_platform_for_each_package)
{
    add_packages(&powercap, 2);
    add(&powercap, COMPONENT_PLATFORM, 0);
    add(&powercap, COMPONENT_PLATFORM, 1);
    AGREE(10, 600, 650, 700, 750);
    STEP(10, 600, 650, 300, 250);
    expect_doubt("the components (2500.0 J) are above platform-0 of powercap (2000.0 J)", "do not wire it fully",
                 "0011");
}
END_TEST

START_TEST(the_machine_is_not_below_its_components)
{
    add(&powercap, COMPONENT_PACKAGE, 0);
    ADD(&hwmon, -1, COMPONENT_GPU, COMPONENT_MACHINE);
    AGREE(10, 600, 300, 1500);
    STEP(10, 600, 300, 100);
    expect("the components (1800.0 J) are above machine--1 of hwmon (1600.0 J), which may be", "the counters of these");
    ck_assert_uint_eq(check_scope(SCOPE_MACHINE), 1);
    expect_counted("001");
    expect_doubted("001");
    meter.domains[2].moved = false; /* unknown is not 0 */
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(supplies_are_the_whole_together)
{
    add(&powercap, COMPONENT_PACKAGE, 0);
    ADD(&hwmon, -1, COMPONENT_MACHINE, COMPONENT_MACHINE);
    STEP(10, 900, 800, 400);
    ck_assert_uint_eq(check(), 2); /* two wholes, each too small */
    domains[1].part = domains[2].part = true;
    ck_assert_uint_eq(check(), 0);
    STEP(10, 900, 400, 50);
    expect("(1800.0 J) are above machine--1 of hwmon (1650.0 J)", "the counters of these");
}
END_TEST

/* A BMC's average over a minute says nothing of ten seconds: it is the total then, and stays. */
START_TEST(what_averages_is_watched_for_two_averages)
{
    add(&powercap, COMPONENT_PACKAGE, 0);
    add(&hwmon, COMPONENT_MACHINE, -1)->update_ns = 6 * NS_PER_S_INT;
    STEP(10, 900, 700);
    ck_assert_uint_eq(check_scope(SCOPE_MACHINE), 0);
    STEP(2, 200, 150);
    ck_assert_uint_eq(check_scope(SCOPE_MACHINE), 1);
    expect_doubted("01");
}
END_TEST

START_TEST(a_model_is_limited_by_the_board_that_contains_it)
{
    add(&powercap, COMPONENT_PACKAGE, 0)->problem.kind = ERROR_DENIED;
    add(&hwmon, COMPONENT_MACHINE, -1);
    add(&model, COMPONENT_PACKAGE, -1);
    domains[2].low_ratio = 0.3;
    domains[2].high_ratio = 1.5;
    AGREE(10, 0, 400, 300);
    expect_counted("001");
    STEP(10, 0, 200, 1200);
    expect_doubt(
        "the model of the processors (1500.0 J) is above what machine--1 of hwmon, which contains them, leaves to it "
        "(600.0 J)",
        "the model's range is limited", "000");
    ck_assert_double_eq_tol(domains[2].high_ratio, 0.4, 1e-9);
    ck_assert_double_eq_tol(domains[2].low_ratio, 0.3, 1e-9);
    STEP(10, 0, 10, 1000); /* 610 J of 2500 J: below the range, which begins at 0.3 */
    expect_doubt("the model of the processors (2500.0 J)", "all of the model's range is above it", "001");
    STEP(10, 0, 5000, 100); /* what was judged before is forgotten */
    ck_assert_uint_eq(check(), 0);
    ck_assert_double_eq_tol(domains[2].high_ratio, 1.5, 1e-9);
    ck_assert_double_eq_tol(domains[2].low_ratio, 0.3, 1e-9);
    expect_doubted("000");
}
END_TEST

/* What a driver found to be no meter has no figure, and nothing is held against it; other doubts are told of what
 * counts. */
START_TEST(what_is_no_meter_has_no_figure)
{
    add(&powercap, COMPONENT_PACKAGE, 0);
    add(&hwmon, COMPONENT_MACHINE, -1);
    STEP(10, 900, 700);
    error_set(&domains[1].doubt, ERROR_BAD_DATA, "machine is no meter");
    domains[1].disproved = true;
    expect_doubt("machine is no meter", "", "01");
    ck_assert(!cross_check(&meter, &counting, &(struct window_list){ NULL, NULL, 0 })); /* it is known by now */
    domains[1].disproved = false;
    ck_assert_uint_eq(check(), 1);
    ck_assert_ptr_null(strstr(meter.findings.item[0].what, "no meter"));
    error_set(&domains[0].doubt, ERROR_BAD_DATA, "the counter of package-0 is not believed");
    ck_assert_uint_eq(check(), 2);
    ck_assert_str_eq(meter.findings.item[0].what, "the counter of package-0 is not believed");
}
END_TEST

START_TEST(a_model_of_the_whole_limits_no_other)
{
    ADD(&model, -1, COMPONENT_PACKAGE, COMPONENT_MACHINE);
    AGREE(10, 100, 30);
    expect_doubted("00");
    /* and has no figure where a meter of what it contains tells more */
    add(&hwmon, COMPONENT_GPU, -1);
    AGREE(10, 100, 30, 1000);
    expect_doubted("010");
}
END_TEST

static void two_sockets(double first_j, double second_j, double busy)
{
    begin("GenuineIntel", 94);
    add_packages(&powercap, 2);
    STEP(10, first_j, second_j);
    windows[0].machine_busy_known = true;
    windows[0].machine_busy_ns = (uint64_t)(busy * 8 * 10 * NS_PER_S);
}

START_TEST(sockets_differ_under_equal_load)
{
    two_sockets(1000, 101, 1);
    ck_assert_uint_eq(check(), 0);
    two_sockets(1000, 100, 1);
    expect_doubt("total incomplete: package-0 used 1000.0 J and package-1 100.0 J under equal load", "sockets that do",
                 "01");
    two_sockets(10, 1000, 0.05); /* nobody works */
    expect_doubt("package-1 used 1000.0 J and package-0 10.0 J under equal load", "sockets that do", "10");
    two_sockets(10, 1000, 0.5); /* a job on one of them */
    ck_assert_uint_eq(check(), 0);
    two_sockets(10, 1000, 1);
    windows[0].machine_busy_known = false;
    ck_assert_uint_eq(check(), 0);
    two_sockets(1000, 0, 0.5);
    expect("package-0 used 1000.0 J and package-1 0.0 J, for its counter did not move", "sockets that do");
    two_sockets(9, 0, 0.5);
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(more_than_it_can_draw_is_impossible)
{
    struct window *window = &windows[0];

    add(&powercap, COMPONENT_PACKAGE, 0)->max_w = 500;
    STEP(10, 5010);
    ck_assert(window_is_impossible(&measurement, window, 0)); /* 501 W */
    window->energy_uj[0] = UINT64_C(5000000000);
    ck_assert(!window_is_impossible(&measurement, window, 0));
    domains[0].max_w = 0; /* not known */
    ck_assert(!window_is_impossible(&measurement, window, 0));
    domains[0].max_w = 400;
    window->known[0] = 0;
    ck_assert(!window_is_impossible(&measurement, window, 0));
    window->known[0] = 1;
    window->duration_ns = 99000000; /* its edges govern it */
    ck_assert(!window_is_impossible(&measurement, window, 0));
    window->duration_ns = 100000000;
    ck_assert(window_is_impossible(&measurement, window, 0));
}
END_TEST

UNIT_SUITE_IN("cross_check", begin_intel, NULL, twins_agree_within_half_a_percent,
              twins_of_many_packages_are_one_finding, models_and_sensors_are_no_twins, known_quirks_are_named,
              a_die_that_moves_for_itself_is_no_mirror, a_part_is_not_above_its_whole,
              parts_are_held_against_their_whole_together, a_rail_is_not_above_its_board,
              the_platform_is_not_below_its_packages, a_platform_for_each_package,
              the_machine_is_not_below_its_components, supplies_are_the_whole_together,
              what_averages_is_watched_for_two_averages, a_model_is_limited_by_the_board_that_contains_it,
              a_model_of_the_whole_limits_no_other, what_is_no_meter_has_no_figure, sockets_differ_under_equal_load,
              more_than_it_can_draw_is_impossible)
