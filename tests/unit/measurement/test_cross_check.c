/* SPDX-License-Identifier: MIT
 * Domains against one another: twins, mirrors, parts and wholes; and powers that cannot be. */
#include "unit.h"

#include "base/units.h"
#include "measurement/cross_check.h"

#include <stdio.h>
#include <string.h>

static const struct energy_driver powercap = { .name = "powercap" }, perf = { .name = "perf" },
                                  hwmon = { .name = "hwmon" };

/* One run of 10 s over a meter put together here; large, so one for all tests (each in a process of its own). */
static struct machine machine;
static struct domain domains[ENERGY_MAX_DOMAINS];
static struct meter meter;
static struct counting counting;
static struct run runs[1];
static struct measurement measurement;
static struct notices notices;

static void begin(const char *vendor, int number)
{
    machine = (struct machine){ .cpu_family = 6, .cpu_number = number };
    snprintf(machine.cpu_vendor, sizeof machine.cpu_vendor, "%s", vendor);
    meter = (struct meter){ .machine = &machine };
    counting = (struct counting){ .whole_machine = -1 };
    runs[0] = (struct run){ .window = { .duration_ns = 10 * NS_PER_S_INT }, .ended = true };
    measurement = (struct measurement){ .meter = &meter, .counting = &counting, .runs = runs, .run_count = 1 };
}

/* The next domain, which used so many joules. */
static struct domain *add(const struct energy_driver *driver, enum component component, int package, double energy_j,
                          bool counts)
{
    const size_t i = meter.domain_count++;
    struct domain *domain = &domains[i];

    if (!meter.source_count || meter.sources[meter.source_count - 1].driver != driver)
        meter.sources[meter.source_count++].driver = driver;
    *domain = (struct domain){ .component = component, .package = package, .die = -1, .resolution_uj = 61 };
    domain->access = driver == &perf ? ACCESS_PERF : driver == &hwmon ? ACCESS_SENSOR : ACCESS_MSR;
    snprintf(domain->name, sizeof domain->name, "%s-%d", component_name(component), package);
    meter.domains[i] = (struct meter_domain){ .domain = domain, .source = &meter.sources[meter.source_count - 1],
                                              .started = true, .moved = energy_j > 0 };
    meter.domains[i].last_raw_uj = (uint64_t)i * UINT64_C(900000000);
    counting.counts[i] = counts;
    runs[0].window.energy_uj[i] = (uint64_t)(energy_j * UJ_PER_J);
    runs[0].window.known[i] = 1;
    return domain;
}

/* How many notices the checks give. */
static size_t check(void)
{
    notices = (struct notices){ .count = 0 };
    cross_check_notices(&measurement, &notices);
    return notices.count;
}

static void expect(const char *what, const char *why)
{
    ck_assert_uint_eq(check(), 1);
    ck_assert_msg(strstr(notices.item[0].what, what) != NULL, "%s", notices.item[0].what);
    ck_assert_msg(strstr(notices.item[0].why, why) != NULL, "%s", notices.item[0].why);
}

static void pair(const char *vendor, int number, enum component component, double powercap_j, double perf_j)
{
    begin(vendor, number);
    add(&powercap, component, 0, powercap_j, true);
    add(&perf, component, 0, perf_j, false);
}

START_TEST(twins_agree_within_half_a_percent)
{
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1004.9);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 995.1);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1005.1);
    expect("powercap says 1000.0 J for package-0, perf says 1005.1 J", "within 0.5 %");
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 994.9);
    expect("perf says 994.9 J", "within 0.5 %");
    /* too little to tell; not counted; another package; one that never moved */
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 10, 20);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    counting.counts[0] = false;
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    domains[1].package = 1;
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 0);
    ck_assert_uint_eq(check(), 0);
    pair("GenuineIntel", 94, COMPONENT_PACKAGE, 1000, 1500);
    runs[0].window.known[1] = 0;
    ck_assert_uint_eq(check(), 0);
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
    pair("GenuineIntel", 86, COMPONENT_MEMORY, 1000, 250);
    expect("powercap says 1000.0 J", "known of Broadwell-D");
    pair("GenuineIntel", 143, COMPONENT_MEMORY, 250, 1000);
    expect("perf says 1000.0 J", "known of Sapphire Rapids");
    pair("GenuineIntel", 143, COMPONENT_MEMORY, 1000, 250);
    expect("perf says 250.0 J", "known of Sapphire Rapids");
    pair("GenuineIntel", 143, COMPONENT_MEMORY, 1000, 254); /* within 2 % of four times */
    expect("perf says 254.0 J", "known of Sapphire Rapids");
    /* another ratio, component, model, maker */
    pair("GenuineIntel", 143, COMPONENT_MEMORY, 1000, 500);
    expect("perf says 500.0 J", "within 0.5 %");
    pair("GenuineIntel", 143, COMPONENT_PACKAGE, 1000, 250);
    expect("perf says 250.0 J", "within 0.5 %");
    pair("GenuineIntel", 85, COMPONENT_MEMORY, 1000, 250);
    expect("perf says 250.0 J", "within 0.5 %");
    pair("AuthenticAMD", 86, COMPONENT_MEMORY, 1000, 250);
    expect("perf says 250.0 J", "within 0.5 %");
}
END_TEST

/* Two counters of one source that count both. */
static void two_packages(double first_j, double second_j, uint64_t apart_uj)
{
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, first_j, true);
    add(&powercap, COMPONENT_PACKAGE, 1, second_j, true);
    meter.domains[0].last_raw_uj = 5000000000;
    meter.domains[1].last_raw_uj = 5000000000 + apart_uj;
}

START_TEST(two_that_count_may_be_one)
{
    two_packages(1000, 1010, 900000);
    expect("package-0 and package-1 may be one counter, counted twice", "a mirror");
    two_packages(1000, 1010, 2000000); /* they do not stand at the same value */
    ck_assert_uint_eq(check(), 0);
    two_packages(1000, 1100, 900000); /* they do not move alike */
    ck_assert_uint_eq(check(), 0);
    two_packages(9, 9, 0);
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(a_mirror_that_moves_for_itself_is_none)
{
    begin("AuthenticAMD", 1);
    add(&powercap, COMPONENT_PACKAGE, 0, 1000, true)->die = 0;
    add(&powercap, COMPONENT_PACKAGE, 0, 1020, false)->die = 1;
    ck_assert_uint_eq(check(), 0);
    runs[0].window.energy_uj[1] = UINT64_C(1200000000);
    expect("(1200.0 J) is no mirror of", "move differently");
}
END_TEST

START_TEST(a_part_is_not_above_its_whole)
{
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, 1000, true);
    add(&powercap, COMPONENT_CORES, 0, 1010, false);
    ck_assert_uint_eq(check(), 0);
    runs[0].window.energy_uj[1] = UINT64_C(1100000000);
    expect("cores-0 used 1100.0 J, more than package-0", "a part cannot use more");
    snprintf(domains[1].not_counted, sizeof domains[1].not_counted, "one core of many");
    ck_assert_uint_eq(check(), 0);
    domains[1].not_counted[0] = '\0';
    domains[1].package = 1;
    ck_assert_uint_eq(check(), 0);
    domains[1].package = 0;
    domains[1].component = COMPONENT_UNCORE;
    expect("more than package-0", "a part cannot use more");
}
END_TEST

START_TEST(the_platform_is_not_below_its_packages)
{
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, 600, true);
    add(&powercap, COMPONENT_MEMORY, 0, 100, true);
    add(&powercap, COMPONENT_PLATFORM, -1, 690, false);
    ck_assert_uint_eq(check(), 0); /* within 2 % */
    runs[0].window.energy_uj[2] = UINT64_C(500000000);
    expect("the components (700.0 J) are above platform--1 of powercap (500.0 J)", "not wired through");
    add(&hwmon, COMPONENT_GPU, -1, 300, true); /* a card is not in psys */
    expect("the components (700.0 J)", "not wired through");
    counting.counts[2] = true; /* scope platform: then it is the total */
    counting.counts[0] = counting.counts[1] = false;
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(a_platform_for_each_package)
{
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, 600, true);
    add(&powercap, COMPONENT_PACKAGE, 1, 600, true);
    add(&powercap, COMPONENT_PLATFORM, 0, 700, false);
    add(&powercap, COMPONENT_PLATFORM, 1, 700, false);
    ck_assert_uint_eq(check(), 0);
    runs[0].window.energy_uj[3] = UINT64_C(300000000);
    expect("the components (1200.0 J) are above platform-0 of powercap (1000.0 J)", "not wired through");
}
END_TEST

START_TEST(the_machine_is_not_below_its_components)
{
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, 600, true);
    add(&hwmon, COMPONENT_GPU, -1, 300, true);
    add(&hwmon, COMPONENT_MACHINE, -1, 1500, false);
    ck_assert_uint_eq(check(), 0);
    runs[0].window.energy_uj[2] = UINT64_C(800000000);
    expect("the components (900.0 J) are above machine--1 of hwmon (800.0 J), which may be", "one of the meters is wrong");
    add(&hwmon, COMPONENT_MACHINE, -1, 400, false); /* another whole, not the other half */
    ck_assert_uint_eq(check(), 2);
    domains[2].part = domains[3].part = true; /* two supplies */
    ck_assert_uint_eq(check(), 0);
    runs[0].window.energy_uj[3] = UINT64_C(50000000);
    expect("(900.0 J) are above machine--1 of hwmon (850.0 J)", "one of the meters is wrong");
    meter.domain_count = 3;
    domains[2].part = false;
    meter.domains[2].moved = false; /* unknown is not 0 */
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(modelled_components_prove_nothing)
{
    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, 900, true)->quality = QUALITY_MODELLED;
    add(&hwmon, COMPONENT_MACHINE, -1, 500, false);
    ck_assert_uint_eq(check(), 0);
}
END_TEST

START_TEST(more_than_it_can_draw_is_impossible)
{
    struct window *window = &runs[0].window;

    begin("GenuineIntel", 94);
    add(&powercap, COMPONENT_PACKAGE, 0, 5010, true)->most_w = 500;
    ck_assert(window_is_impossible(&measurement, window, 0)); /* 501 W */
    window->energy_uj[0] = UINT64_C(5000000000);
    ck_assert(!window_is_impossible(&measurement, window, 0));
    domains[0].most_w = 0; /* not known */
    ck_assert(!window_is_impossible(&measurement, window, 0));
    domains[0].most_w = 400;
    window->known[0] = 0;
    ck_assert(!window_is_impossible(&measurement, window, 0));
    window->known[0] = 1;
    window->duration_ns = 99000000; /* its edges govern it */
    ck_assert(!window_is_impossible(&measurement, window, 0));
    window->duration_ns = 100000000;
    ck_assert(window_is_impossible(&measurement, window, 0));
}
END_TEST

UNIT_SUITE("cross_check", twins_agree_within_half_a_percent, models_and_sensors_are_no_twins, known_quirks_are_named,
           two_that_count_may_be_one, a_mirror_that_moves_for_itself_is_none, a_part_is_not_above_its_whole,
           the_platform_is_not_below_its_packages, a_platform_for_each_package,
           the_machine_is_not_below_its_components, modelled_components_prove_nothing,
           more_than_it_can_draw_is_impossible)
