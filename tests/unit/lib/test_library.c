/* SPDX-License-Identifier: MIT
 * libcarbon through what it exports alone: pieces over counters that only the test moves. */
#include "library_fixture.h"
#include "unit.h"

#define RANGE_UJ 262143328850
#define US (1U << CARBON_PACKAGE | 1U << CARBON_MEMORY)

START_TEST(nested_and_overlapping_pieces_add_up)
{
    meter_of_counters(RANGE_UJ);
    const carbon_mark a = carbon_now(meter);
    set_uj(PACKAGE, 7000000);
    const carbon_mark b = carbon_now(meter);
    set_uj(PACKAGE, 7500001);
    set_uj(MEMORY, 1250000);
    const carbon_mark c = carbon_now(meter);
    set_uj(PACKAGE, 9000000);
    const carbon_mark d = carbon_now(meter);

    ck_assert_double_eq(carbon_between(meter, a, b).joules, 2);
    ck_assert_double_eq_tol(carbon_between(meter, b, c).joules, 0.750001, 1e-12);
    ck_assert_double_eq_tol(carbon_between(meter, a, c).joules, 2.750001, 1e-12);
    ck_assert_double_eq_tol(carbon_between(meter, b, d).joules, 2.25, 1e-12);
    const carbon_energy all = carbon_between(meter, a, d);
    ck_assert_double_eq(all.joules, 4.25);
    ck_assert_double_eq(all.component_j[CARBON_PACKAGE], 4);
    ck_assert_double_eq(all.component_j[CARBON_MEMORY], 0.25);
    ck_assert(isnan(all.component_j[CARBON_GPU]));
    ck_assert_int_eq(all.quality, CARBON_MEASURED);
    ck_assert_double_eq_tol(all.seconds, (double)(d.time_ns - a.time_ns) / 1e9, 1e-12);
    ck_assert_double_eq_tol(all.resolution_j, 4.25 / all.seconds * 0.002, 1e-9);
    ck_assert(isnan(all.low_j) && isnan(all.net_j) && isnan(all.idle_j));
}
END_TEST

START_TEST(emissions_can_be_redone_by_hand)
{
    tree_of_counters(RANGE_UJ);
    meter_of((carbon_options){ .zone = "FR", .year = 2023, .pue = 1.25 });
    const carbon_facts *facts = carbon_about(meter);
    const carbon_mark start = carbon_now(meter);
    set_uj(PACKAGE, 41000000);
    const carbon_energy used = carbon_since(meter, start);

    ck_assert_str_eq(facts->zone, "FR");
    ck_assert_int_eq(facts->factor_year, 2023);
    ck_assert_int_eq(facts->factor_quality, CARBON_GIVEN);
    ck_assert_str_eq(facts->basis, "lifecycle");
    ck_assert_str_ne(facts->factor_source, "");
    ck_assert_str_eq(facts->scope, "compute");
    ck_assert_str_eq(facts->sources, "powercap");
    ck_assert_uint_eq(facts->components, US);
    ck_assert_double_eq(facts->pue, 1.25);
    ck_assert_double_gt(facts->kgco2eq_per_kwh, 0);
    ck_assert_double_eq_tol(used.kwh, 36 / 3.6e6, 1e-18);
    ck_assert_double_eq_tol(used.kgco2eq, 36 / 3.6e6 * 1.25 * facts->kgco2eq_per_kwh, 1e-15);
}
END_TEST

START_TEST(a_factor_of_ones_own)
{
    tree_of_counters(RANGE_UJ);
    meter_of((carbon_options){ .kgco2eq_per_kwh = 0.5, .basis = CARBON_DIRECT });
    ck_assert_double_eq(carbon_about(meter)->kgco2eq_per_kwh, 0.5);
    ck_assert_str_eq(carbon_about(meter)->basis, "direct");
    ck_assert_str_eq(carbon_about(meter)->zone, "");
    carbon_close(meter);
    meter_of((carbon_options){ .kgco2eq_per_kwh = 0.5, .basis = CARBON_NO_BASIS });
    ck_assert_str_eq(carbon_about(meter)->basis, "");
}
END_TEST

START_TEST(the_zone_of_the_environment_and_of_nobody)
{
    tree_of_counters(RANGE_UJ);
    setenv("CARBON_ZONE", "DE", 1);
    meter_of((carbon_options){ .zone = NULL });
    ck_assert_str_eq(carbon_about(meter)->zone, "DE");
    carbon_close(meter);
    unsetenv("CARBON_ZONE");
    meter_of((carbon_options){ .zone = NULL });
    ck_assert_str_eq(carbon_about(meter)->zone, "WORLD");
    ck_assert_int_eq(carbon_about(meter)->factor_quality, CARBON_DEFAULT);
    ck_assert_ptr_nonnull(strstr(carbon_notice(meter, 0)->what, "no zone given"));
    ck_assert_str_eq(carbon_notice_kind(meter, 0), "stand-in");
    ck_assert_ptr_null(carbon_notice(meter, 100));
    ck_assert_ptr_null(carbon_notice_kind(meter, 100));
}
END_TEST

/* Unknown, and never 0. */
START_TEST(a_failed_reading_is_unknown)
{
    meter_of_counters(RANGE_UJ);
    const carbon_mark start = carbon_now(meter);
    set_uj(PACKAGE, 6000000);
    set_uj(MEMORY, 2000000);
    tree_put(&tree, MEMORY "/energy_uj", "no number");
    const carbon_mark failed = carbon_now(meter);
    const carbon_energy used = carbon_between(meter, start, failed);

    ck_assert(isnan(used.joules) && isnan(used.kwh) && isnan(used.kgco2eq) && isnan(used.component_j[CARBON_MEMORY]));
    ck_assert_double_eq(used.component_j[CARBON_PACKAGE], 1);
    ck_assert_int_eq(used.quality, CARBON_UNKNOWN);
    ck_assert_uint_ne(used.doubts & CARBON_DOUBT_UNREAD, 0);
    ck_assert_double_gt(used.seconds, 0);
    /* a failure within does not hide what the counter says at both ends */
    set_uj(MEMORY, 2000000);
    ck_assert_double_eq(carbon_since(meter, start).joules, 2);
}
END_TEST

static carbon_mark begin_at_100_j(void)
{
    meter_of_counters(RANGE_UJ);
    set_uj(PACKAGE, 100000000);
    return carbon_now(meter);
}

START_TEST(a_counter_that_starts_anew_is_unknown)
{
    const carbon_mark start = begin_at_100_j();
    set_uj(PACKAGE, 1000);
    const carbon_mark anew = carbon_now(meter);
    set_uj(PACKAGE, 501000);

    const carbon_energy used = carbon_since(meter, start);
    ck_assert(isnan(used.joules));
    ck_assert_uint_ne(used.doubts & CARBON_DOUBT_RESET, 0);
    ck_assert_double_eq(carbon_since(meter, anew).joules, 0.5);
}
END_TEST

/* Of the package 3 J, then it starts anew, then 0.5 J; of the memory 2 J throughout. Readings in between tell how long
 * is not known. */
START_TEST(what_is_known_of_a_hole)
{
    const carbon_mark start = begin_at_100_j();
    set_uj(PACKAGE, 103000000);
    pause_ms(20);
    const carbon_mark before = carbon_now(meter);
    carbon_bound bound = carbon_bound_between(meter, start, before);
    const double seconds = (double)(before.time_ns - start.time_ns) / 1e9;
    ck_assert(bound.at_least_j == 3 && bound.seconds == seconds && bound.known_s == seconds && bound.unknown_s == 0);
    ck_assert_double_eq(bound.component_at_least_j[CARBON_PACKAGE], 3);
    ck_assert(isnan(bound.component_at_least_j[CARBON_GPU]));
    ck_assert_str_eq(bound.why, "");
    set_uj(PACKAGE, 1000);
    const carbon_mark anew = carbon_now(meter);
    set_uj(PACKAGE, 501000);
    set_uj(MEMORY, 3000000);
    const carbon_mark end = carbon_now(meter);

    bound = carbon_bound_between(meter, start, end);
    ck_assert_double_eq(bound.at_least_j, 5.5);
    ck_assert_double_eq(bound.component_at_least_j[CARBON_PACKAGE], 3.5);
    ck_assert_double_eq(bound.component_at_least_j[CARBON_MEMORY], 2);
    ck_assert_double_eq_tol(bound.unknown_s, (double)(anew.time_ns - before.time_ns) / 1e9, 1e-9);
    ck_assert_double_eq_tol(bound.known_s + bound.unknown_s, bound.seconds, 1e-9);
    ck_assert_str_eq(bound.why, "reset");
    ck_assert(isnan(carbon_between(meter, start, end).joules));
    /* of another component what is known stays known; of marks in the wrong order nothing is */
    ck_assert_double_eq(carbon_between(meter, start, end).component_j[CARBON_MEMORY], 2);
    bound = carbon_bound_between(meter, end, start);
    ck_assert(isnan(bound.at_least_j) && isnan(bound.seconds) && isnan(bound.component_at_least_j[CARBON_PACKAGE]));
    ck_assert_str_eq(bound.why, "");
    /* nor of one whose end was not read */
    tree_put(&tree, MEMORY "/energy_uj", "no number");
    bound = carbon_bound_between(meter, anew, carbon_now(meter));
    ck_assert(isnan(bound.component_at_least_j[CARBON_MEMORY]) && isnan(bound.known_s) && isnan(bound.unknown_s));
    ck_assert_double_eq(bound.component_at_least_j[CARBON_PACKAGE], 0.5);
}
END_TEST

START_TEST(a_wrap_is_no_reset)
{
    tree_of_counters(RANGE_UJ);
    set_uj(PACKAGE, RANGE_UJ - 400000);
    meter_of((carbon_options){ .zone = "FR" });
    const carbon_mark start = carbon_now(meter);
    pause_ms(5); /* a joule takes a while */
    set_uj(PACKAGE, 600000);
    ck_assert_double_eq_tol(carbon_since(meter, start).joules, 1, 1e-4); /* one unit of the counter */
}
END_TEST

START_TEST(what_stands_still_is_not_zero)
{
    meter_of_counters(RANGE_UJ);
    const carbon_mark start = carbon_now(meter);
    const carbon_energy brief = carbon_since(meter, start);
    pause_ms(150);
    const carbon_energy still = carbon_since(meter, start);

    ck_assert(isnan(brief.joules) && isnan(still.joules));
    ck_assert_uint_ne(brief.doubts & (CARBON_DOUBT_RESOLUTION | CARBON_DOUBT_STILL), 0);
    ck_assert_uint_ne(still.doubts & CARBON_DOUBT_STILL, 0);
    /* one that has moved, and one that never has */
    set_uj(PACKAGE, 6000000);
    const carbon_energy half = carbon_since(meter, start);
    ck_assert_double_eq(half.joules, 1);
    ck_assert(isnan(half.component_j[CARBON_MEMORY]));
    ck_assert_uint_ne(half.doubts & CARBON_DOUBT_INCOMPLETE, 0);
}
END_TEST

START_TEST(too_short_for_the_meter_is_said)
{
    carbon_energy used;
    int tries = 0;

    meter_of_counters(RANGE_UJ);
    set_uj(PACKAGE, 6000000);
    do
        used = carbon_since(meter, carbon_now(meter));
    while (used.seconds >= 0.01 && ++tries < 100);
    ck_assert_uint_eq(used.doubts & CARBON_DOUBT_RESOLUTION, CARBON_DOUBT_RESOLUTION);
    ck_assert(isnan(used.joules) && isnan(used.component_j[CARBON_PACKAGE]));
}
END_TEST

START_TEST(net_is_gross_less_idle)
{
    tree_of_counters(RANGE_UJ);
    meter_of((carbon_options){ .kgco2eq_per_kwh = 0.4 });
    ck_assert(isnan(carbon_idle_w(meter)));
    ck_assert_int_eq(carbon_baseline(meter, 0, &failure), -1);
    ck_assert_int_eq(failure.kind, CARBON_ERROR_USAGE);
    ck_assert_int_eq(carbon_baseline(meter, 0.15, &failure), -1); /* nothing moved */
    ck_assert_str_eq(failure.what, "the idle power is not known");
    ck_assert_str_ne(failure.why, "");
    ck_assert(isnan(carbon_idle_w(meter)));

    const carbon_mark start = carbon_now(meter);
    pause_ms(20);
    set_uj(PACKAGE, 5300000);
    const carbon_mark middle = carbon_now(meter);
    pause_ms(20);
    set_uj(PACKAGE, 7300000);
    const carbon_mark end = carbon_now(meter);
    ck_assert_int_eq(carbon_set_idle(meter, &start, &middle, &failure), 0);
    const double idle_w = 0.3 / ((double)(middle.time_ns - start.time_ns) / 1e9);
    ck_assert_double_eq_tol(carbon_idle_w(meter), idle_w, 1e-9);
    const carbon_energy used = carbon_between(meter, middle, end);
    ck_assert_double_eq_tol(used.idle_j, idle_w * used.seconds, 1e-9);
    ck_assert_double_eq_tol(used.net_j, 2 - used.idle_j, 1e-9);
    ck_assert_double_eq_tol(used.net_kgco2eq, used.net_j / 3.6e6 * 0.4, 1e-15);
}
END_TEST

START_TEST(a_model_tells_its_range)
{
    tree_open(&tree);
    add_cpu();
    tree_put(&tree, "proc/stat", "cpu  1000 0 1000 100000 0 0 0 0 0 0\ncpu0 1000 0 1000 100000 0 0 0 0 0 0");
    meter_of((carbon_options){ .zone = "FR" });
    const carbon_mark start = carbon_now(meter);
    tree_put(&tree, "proc/stat", "cpu  1500 0 1500 100500 0 0 0 0 0 0\ncpu0 1500 0 1500 100500 0 0 0 0 0 0");
    pause_ms(150);
    const carbon_energy used = carbon_since(meter, start);

    ck_assert_int_eq(used.quality, CARBON_MODELLED);
    ck_assert_str_eq(carbon_about(meter)->sources, "model");
    ck_assert_double_gt(used.joules, 0);
    ck_assert_double_lt(used.low_j, used.joules);
    ck_assert_double_gt(used.high_j, used.joules);
}
END_TEST

static void refused(carbon_options options, carbon_error_kind kind, const char *what)
{
    if (!options.root)
        options.root = tree.path;
    memset(&failure, 0, sizeof failure);
    ck_assert_ptr_null(carbon_open(&options, &failure));
    ck_assert_msg(strstr(failure.what, what) != NULL, "%s", failure.what);
    ck_assert_int_eq(failure.kind, kind);
    ck_assert_ptr_null(carbon_open(&options, NULL));
}

START_TEST(what_cannot_be_is_refused)
{
    tree_of_counters(RANGE_UJ);
    refused((carbon_options){ .zone = "Atlantis" }, CARBON_ERROR_USAGE, "Atlantis");
    refused((carbon_options){ .pue = 0.5 }, CARBON_ERROR_USAGE, "PUE");
    refused((carbon_options){ .pue = NAN }, CARBON_ERROR_USAGE, "PUE");
    refused((carbon_options){ .scope = (carbon_scope)7 }, CARBON_ERROR_USAGE, "scope 7");
    refused((carbon_options){ .basis = (carbon_basis)7 }, CARBON_ERROR_USAGE, "basis 7");
    refused((carbon_options){ .year = -1 }, CARBON_ERROR_USAGE, "year -1");
    refused((carbon_options){ .kgco2eq_per_kwh = -1 }, CARBON_ERROR_USAGE, "not negative");
    refused((carbon_options){ .source = "dynamo" }, CARBON_ERROR_USAGE, "dynamo");
    refused((carbon_options){ .root = "/nowhere/at/all" }, CARBON_ERROR_ABSENT, "/nowhere/at/all");
    refused((carbon_options){ .scope = CARBON_SCOPE_PLATFORM }, CARBON_ERROR_ABSENT, "psys");
    tree_close(&tree);
    tree_open(&tree);
    add_cpu();
    tree_put(&tree, "proc/stat", "cpu  1000 0 1000 100000 0 0 0 0 0 0");
    refused((carbon_options){ .require_measured = 1 }, CARBON_ERROR_ABSENT, "no energy source");
    tree_close(&tree);
    carbon_close(NULL);
}
END_TEST

/* Options of a program that was compiled with an older or a newer header. */
START_TEST(sizes_of_other_releases)
{
    struct {
        carbon_options options;
        int more;
    } newer = { .options.kgco2eq_per_kwh = 0.25 };
    struct {
        carbon_energy energy;
        double more;
    } wide;
    carbon_energy narrow = { .joules = -1, .idle_j = -1 };

    tree_of_counters(RANGE_UJ);
    newer.options.root = tree.path;
    newer.more = 1;
    ck_assert_ptr_null(carbon_open_sized(&newer.options, sizeof newer, &failure));
    ck_assert_ptr_nonnull(strstr(failure.why, "newer libcarbon"));
    newer.more = 0;
    meter = carbon_open_sized(&newer.options, sizeof newer, &failure);
    ck_assert_ptr_nonnull(meter);
    const carbon_mark start = carbon_now(meter);
    set_uj(PACKAGE, 6000000);
    const carbon_mark end = carbon_now(meter);
    carbon_between_sized(meter, &start, &end, &narrow, offsetof(carbon_energy, idle_j));
    ck_assert_double_eq(narrow.joules, 1);
    ck_assert_double_eq(narrow.idle_j, -1);
    wide.more = -1;
    carbon_between_sized(meter, &start, &end, &wide.energy, sizeof wide);
    ck_assert_double_eq(wide.energy.joules, 1);
    ck_assert_double_eq(wide.more, 0);
}
END_TEST

START_TEST(marks_of_others)
{
    const carbon_mark none = { .time_ns = 0 };

    meter_of_counters(RANGE_UJ);
    const carbon_mark foreign = carbon_now(meter);
    carbon_close(meter);
    meter_of((carbon_options){ .zone = "FR" });
    const carbon_mark start = carbon_now(meter);
    pause_ms(1);
    set_uj(PACKAGE, 6000000);
    const carbon_mark end = carbon_now(meter);
    const carbon_energy wrong[] = { carbon_between(meter, foreign, end), carbon_between(meter, end, start),
                                    carbon_between(meter, none, end) };
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(wrong[i].doubts, CARBON_DOUBT_MARKS);
        ck_assert(isnan(wrong[i].joules) && isnan(wrong[i].seconds));
    }
}
END_TEST

START_TEST(numbers_have_words)
{
    ck_assert_str_eq(carbon_quality_name(CARBON_MODELLED), "modelled");
    ck_assert_str_eq(carbon_quality_name((carbon_quality)99), "");
    ck_assert_str_eq(carbon_component_name(CARBON_MEMORY), "memory");
    ck_assert_str_eq(carbon_component_name((carbon_component)7), "");
    ck_assert_str_eq(carbon_doubt_text(0), "");
    for (unsigned bit = 1; bit <= CARBON_DOUBT_SELDOM; bit <<= 1)
        ck_assert_int_eq(*carbon_doubt_text(bit) != '\0', bit != 512);
    ck_assert_str_ne(carbon_version(), "");
}
END_TEST

/* 12 W whatever the load; a machine with a profile of the whole of it counts as one. */
START_TEST(a_machine_profile_is_what_is_modelled_by)
{
    tree_open(&tree);
    tree_put(&tree, "proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu");
    tree_put(&tree, "sys/devices/system/cpu/online", "0");
    tree_link(&tree, "proc/stat", "/proc/stat");
    tree_put(&tree, "etc/carbon/profile.csv",
             "carbon machine profile,1\nmade_at,2026-11-30T01:02:03.000Z\ncarbon_version,1\nhow,wall\nmeter,\nbusy,no\n"
             "cpu_vendor,GenuineIntel\ncpu_model,\nboard,\ncpu_family,-1\ncpu_number,-1\ncpu_stepping,-1\nsockets,1\n"
             "cores,0\nthreads,1\nmemory_bytes,0\nguest,no\nload,busy_cpus,package_w,package_spread_w,memory_w,"
             "memory_spread_w,machine_w,machine_spread_w,gpu_w,gpu_spread_w\nidle,0,,,,,12,0.6,,\ncpu,1,,,,,12,0.6,,");
    meter_of((carbon_options){ .zone = "FR" });
    const carbon_mark start = carbon_now(meter);
    pause_ms(300);
    const carbon_energy used = carbon_since(meter, start);

    ck_assert_int_eq(used.quality, CARBON_MODELLED);
    ck_assert_uint_eq(carbon_about(meter)->components, 1U << CARBON_MACHINE);
    ck_assert_double_eq_tol(used.joules, 12 * used.seconds, 0.01 * 12 * used.seconds);
    ck_assert_double_eq_tol(used.low_j, 0.95 * used.joules, 1e-9);
    ck_assert_double_eq_tol(used.high_j, 1.05 * used.joules, 1e-9);
    carbon_close(meter);
    setenv("CARBON_PROFILE", "none", 1);
    meter_of((carbon_options){ .zone = "FR" });
    ck_assert_uint_eq(carbon_about(meter)->components & 1U << CARBON_MACHINE, 0);
}
END_TEST

UNIT_SUITE_IN("library", NULL, close_meter, nested_and_overlapping_pieces_add_up, emissions_can_be_redone_by_hand,
              a_factor_of_ones_own, the_zone_of_the_environment_and_of_nobody, a_failed_reading_is_unknown,
              a_counter_that_starts_anew_is_unknown, what_is_known_of_a_hole, a_wrap_is_no_reset,
              what_stands_still_is_not_zero, too_short_for_the_meter_is_said, net_is_gross_less_idle,
              a_model_tells_its_range, what_cannot_be_is_refused, sizes_of_other_releases, marks_of_others,
              numbers_have_words, a_machine_profile_is_what_is_modelled_by)
