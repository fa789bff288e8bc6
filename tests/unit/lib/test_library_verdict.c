/* SPDX-License-Identifier: MIT
 * libcarbon where its meters contradict one another: what is doubted is not told as measured, and what is left counts
 * on.
 */
#include "library_fixture.h"
#include "unit.h"

#define RANGE_UJ 262143328850
#define SECOND "sys/class/powercap/intel-rapl:1"

static uint64_t first_uj = 5000000, second_uj = 5000000;

/* The first and the second gain these joules; long enough after what was before to be looked at. */
static carbon_mark gain(double first_j, double second_j)
{
    pause_ms(110);
    set_uj(PACKAGE, first_uj += (uint64_t)(first_j * 1e6));
    set_uj(SECOND, second_uj += (uint64_t)(second_j * 1e6));
    return carbon_now(meter);
}

static void open_two(const char *second, carbon_scope scope)
{
    tree_open(&tree);
    add_cpu();
    add_domain(PACKAGE, "package-0", RANGE_UJ, first_uj);
    add_domain(SECOND, second, RANGE_UJ, second_uj);
    meter_of((carbon_options){ .zone = "FR", .scope = scope });
}

/* "": there is no such notice. */
static const char *kind_of(const char *what)
{
    for (size_t i = 0; carbon_notice(meter, i); i++)
        if (strstr(carbon_notice(meter, i)->what, what))
            return carbon_notice_kind(meter, i);
    return "";
}

static bool has_notice(const char *what)
{
    return *kind_of(what);
}

START_TEST(what_tells_the_same_joules_counts_once)
{
    open_two("package-1", CARBON_SCOPE_COMPUTE);
    const carbon_mark start = carbon_now(meter);
    ck_assert_int_eq(carbon_set_idle(meter, &start, &(carbon_mark){ 0 }, NULL), -1);
    ck_assert(!has_notice("report the same joules"));
    const carbon_mark middle = gain(20, 20), known = gain(30, 30);

    ck_assert_str_eq(kind_of("package-0 and package-1 report the same joules, and one of them is counted"), "mirror");
    /* what began before anybody knew was counted twice */
    ck_assert(isnan(carbon_between(meter, start, middle).joules));
    ck_assert(isnan(carbon_between(meter, start, known).joules));
    ck_assert_uint_ne(carbon_between(meter, start, middle).doubts & CARBON_DOUBT_CONTRADICTED, 0);
    ck_assert(isnan(carbon_bound_between(meter, start, known).at_least_j));
    const carbon_mark end = gain(25, 25);
    const carbon_energy used = carbon_between(meter, known, end);
    ck_assert_double_eq(used.joules, 25);
    ck_assert_uint_eq(used.doubts & CARBON_DOUBT_CONTRADICTED, 0);
    ck_assert_uint_ne(used.doubts & CARBON_DOUBT_INCOMPLETE, 0);
    ck_assert_double_eq(carbon_bound_between(meter, known, end).at_least_j, 25);
    close_meter();
}
END_TEST

START_TEST(idle_power_that_was_counted_twice_is_forgotten)
{
    open_two("package-1", CARBON_SCOPE_COMPUTE);
    const carbon_mark start = carbon_now(meter), end = gain(2, 2);
    ck_assert_int_eq(carbon_set_idle(meter, &start, &end, NULL), 0);
    ck_assert(carbon_idle_w(meter) > 0);
    gain(20, 20);
    gain(20, 20);
    ck_assert(isnan(carbon_idle_w(meter)));
    close_meter();
}
END_TEST

START_TEST(a_platform_below_its_package_has_no_figure)
{
    open_two("psys", CARBON_SCOPE_PLATFORM);
    const carbon_mark start = carbon_now(meter), middle = gain(30, 15), end = gain(30, 20);
    const carbon_energy used = carbon_between(meter, middle, end);

    ck_assert_str_eq(kind_of("are above psys of powercap"), "part-above-whole");
    ck_assert(isnan(carbon_between(meter, start, end).joules));
    ck_assert(isnan(used.joules) && isnan(used.component_j[CARBON_PLATFORM]));
    ck_assert_uint_ne(used.doubts & CARBON_DOUBT_CONTRADICTED, 0);
    ck_assert_int_eq(used.quality, CARBON_UNKNOWN);
    close_meter();
}
END_TEST

START_TEST(two_that_differ_are_two)
{
    open_two("package-1", CARBON_SCOPE_COMPUTE);
    const carbon_mark start = carbon_now(meter);
    gain(30, 31);
    ck_assert_double_eq(carbon_between(meter, start, gain(30, 32)).joules, 123);
    ck_assert(!has_notice("report the same joules"));
    close_meter();
}
END_TEST

UNIT_SUITE("library_verdict", what_tells_the_same_joules_counts_once, idle_power_that_was_counted_twice_is_forgotten,
           a_platform_below_its_package_has_no_figure, two_that_differ_are_two)
