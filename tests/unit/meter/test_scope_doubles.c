/* SPDX-License-Identifier: MIT
 * What is the same energy and what is not where little is told of it, and what is left out. */
#include "scope_fixture.h"
#include "unit.h"

/* A card, or a sensor of the package, says nothing of memory; a package's counter leaves it out. */
START_TEST(who_leaves_memory_out)
{
    static const char no_memory[] = "memory (DRAM) energy is not included";

    begin("GenuineIntel", 0);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(!has_notice(no_memory));
    begin("GenuineIntel", 1);
    add_sensor(&hwmon, COMPONENT_PACKAGE, 0)->poll_ns = 1;
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(!has_notice(no_memory));
    begin("GenuineIntel", 1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    deny(add_package(&powercap, 0, -1)); /* it would count, and does not */
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(!has_notice(no_memory));
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    deny(add(&powercap, "dram-0", COMPONENT_MEMORY, ACCESS_MSR, 0, -1)); /* it is there, and told to be denied */
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(!has_notice(no_memory) && has_notice("dram-0 cannot be read"));
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(has_notice(no_memory));
}
END_TEST

/* The meter of the machine may be the first of all domains, and goes before the platform's. */
START_TEST(whichever_domain_it_is)
{
    begin("GenuineIntel", 1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    add_package(&perf, 0, -1);
    add(&perf, "psys", COMPONENT_PLATFORM, ACCESS_PERF, -1, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("010");
    ck_assert_int_eq(counting.whole_machine, 0);
    ck_assert_str_eq(counting.whole_machine_name, "machine");
    deny(&domains[0]);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_int_eq(counting.whole_machine, 2);
    ck_assert_str_eq(counting.whole_machine_name, "psys");
    snprintf(domains[2].not_counted, sizeof domains[2].not_counted, "it does not move");
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_int_eq(counting.whole_machine, -1);
    ck_assert_str_eq(counting.whole_machine_name, "");
}
END_TEST

/* Of a package that is not known it may be the same; two counters of one source whose package is not told are two. */
START_TEST(packages_that_are_not_told)
{
    begin("GenuineIntel", 2);
    add_sensor(&hwmon, COMPONENT_PACKAGE, -1);
    add_sensor(&hwmon, COMPONENT_PACKAGE, -1);
    add_package(&perf, 0, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("110");
    begin("GenuineIntel", 2);
    add_package(&powercap, 0, -1);
    add(&powercap, "mmio", COMPONENT_PACKAGE, ACCESS_MMIO, -1, -1);
    add_package(&perf, 1, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("101"); /* the second interface may be that of either */
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, 0);
    add_package(&perf, 0, 1); /* another die of Intel's has a counter of its own */
    ck_assert(count(SCOPE_COMPUTE));
    expect("11");
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, 1);
    add_package(&perf, 0, 0);
    ck_assert(count(SCOPE_COMPUTE));
    expect("11");
    begin("AuthenticAMD", 1);
    add_package(&powercap, 0, 0);
    add_package(&perf, 0, 1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("10");
    begin("AuthenticAMD", 1);
    add_package(&powercap, 0, -1);
    add_package(&perf, 0, 1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("10");
}
END_TEST

/* Parts add up within one source; those of two sources are the same. */
START_TEST(parts_of_two_sources)
{
    begin("GenuineIntel", 1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1)->part = true;
    add_sensor(&nvml, COMPONENT_MACHINE, -1)->part = true;
    ck_assert(count(SCOPE_MACHINE));
    expect("10");
    begin("GenuineIntel", 1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1)->part = true;
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    ck_assert(count(SCOPE_MACHINE));
    expect("10");
    begin("GenuineIntel", 2);
    PACKAGES(&powercap, { 0, -1 }, { 1, -1 });
    add_sensor(&hwmon, COMPONENT_PLATFORM, -1);
    ck_assert(count(SCOPE_PLATFORM));
    expect("001");
    ck_assert_uint_eq(counting.counted, 1);
    ck_assert(!counting.incomplete); /* packages are not the platform's to miss */
}
END_TEST

static const struct energy_driver named = { .name = "meter", .covers_all = true };

START_TEST(what_covers_all_is_never_added_to_what_others_have)
{
    begin("GenuineIntel", 2);
    add_sensor(&named, COMPONENT_PACKAGE, -1);
    add_sensor(&named, COMPONENT_GPU, -1);
    add_sensor(&named, COMPONENT_GPU, -1)->part = true;
    PACKAGES(&powercap, { 0, -1 }, { 1, -1 });
    add_sensor(&nvml, COMPONENT_GPU, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("110000");
    expect_reason(2, "covers the same as meter's gpu; never both");
    expect_reason(3, "covers the same as meter's package; never both");
    expect_reason(5, "covers the same as meter's gpu; never both");

    /* its parts are added */
    begin("GenuineIntel", 1);
    add_sensor(&named, COMPONENT_MACHINE, -1)->part = true;
    add_sensor(&named, COMPONENT_MACHINE, -1)->part = true;
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    ck_assert(count(SCOPE_MACHINE));
    expect("110");

    /* one that does not answer leaves the others to count */
    begin("GenuineIntel", 1);
    deny(add_sensor(&named, COMPONENT_MACHINE, -1));
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    ck_assert(count(SCOPE_MACHINE));
    expect("01");
}
END_TEST

UNIT_SUITE("scope_doubles", who_leaves_memory_out, whichever_domain_it_is, packages_that_are_not_told,
           parts_of_two_sources, what_covers_all_is_never_added_to_what_others_have)
