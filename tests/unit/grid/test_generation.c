/* SPDX-License-Identifier: MIT
 * Generation by series to intensities: steps, gaps, contradictions, and what is no generation. */
#include "unit.h"

#include "grid/generation.h"

#define HOUR_S UINT64_C(3600)
#define QUARTER_S UINT64_C(900)

static const struct live_request request = { .from_s = 1000 * LIVE_DAY_S, .to_s = 1001 * LIVE_DAY_S };

static struct fuel_factors factors;
static struct generation generation;
static struct intensities found;
static struct error err;

static void begin(void)
{
    for (size_t i = 0; i < FUEL_COUNT; i++)
        factors.kgco2eq_per_kwh[i] = 0.1 * (double)(i + 1);
    generation = (struct generation){ 0 };
    found = (struct intensities){ .from_realtime_s = request.from_s, .to_realtime_s = request.to_s };
}

static void end(void)
{
    generation_close(&generation);
    intensities_close(&found);
}

static void add(uint64_t after_s, uint64_t step_s, unsigned series, enum fuel fuel, double mw)
{
    ck_assert(
        generation_add_fuel(&generation, &request, &factors, request.from_s + after_s, step_s, series, fuel, mw, &err));
}

static void settle(size_t count)
{
    ck_assert(generation_settle(&generation, &found, &err));
    ck_assert_uint_eq(found.count, count);
}

START_TEST(the_mean_is_weighted_by_power)
{
    add(0, HOUR_S, 0, FUEL_COAL, 300); /* 0.1 */
    add(0, HOUR_S, 1, FUEL_GAS, 100);  /* 0.2 */
    settle(1);
    ck_assert_double_eq_tol(found.items[0].kgco2eq_per_kwh, (300 * 0.1 + 100 * 0.2) / 400, 1e-15);
    ck_assert_uint_eq(found.items[0].start_realtime_s, request.from_s);
    ck_assert_uint_eq(found.items[0].end_realtime_s, request.from_s + HOUR_S);
    ck_assert_int_eq(found.items[0].kind, INTENSITY_ESTIMATED);
}
END_TEST

START_TEST(longer_steps_are_cut_to_the_shortest)
{
    add(0, HOUR_S, 0, FUEL_COAL, 100);
    for (unsigned i = 0; i < 4; i++)
        add(i * QUARTER_S, QUARTER_S, 1, FUEL_GAS, 100 * i);
    settle(4);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_double_eq_tol(found.items[i].kgco2eq_per_kwh, (10 + 20.0 * i) / (100 + 100.0 * i), 1e-15);
    end();
    begin();
    add(0, 1800, 0, FUEL_COAL, 100);
    add(0, 1200, 1, FUEL_GAS, 100);
    ck_assert(!generation_settle(&generation, &found, &err));
    ck_assert_ptr_nonnull(strstr(err.why, "do not go into one another"));
}
END_TEST

START_TEST(a_time_is_known_where_every_series_has_a_value)
{
    add(0, HOUR_S, 0, FUEL_COAL, 100);
    add(0, HOUR_S, 1, FUEL_GAS, 100);
    add(HOUR_S, HOUR_S, 0, FUEL_COAL, NAN);
    add(HOUR_S, HOUR_S, 1, FUEL_GAS, 100);
    add(HOUR_S, HOUR_S, 2, FUEL_WIND, NAN); /* at no time: it is none of the mix */
    add(2 * HOUR_S, HOUR_S, 1, FUEL_GAS, 100);
    add(3 * HOUR_S, HOUR_S, 0, FUEL_COAL, 0);
    add(3 * HOUR_S, HOUR_S, 1, FUEL_GAS, 50);
    settle(2);
    ck_assert_uint_eq(found.items[1].start_realtime_s, request.from_s + 3 * HOUR_S);
    ck_assert_double_eq_tol(found.items[1].kgco2eq_per_kwh, 0.2, 1e-15);
}
END_TEST

START_TEST(pumps_and_batteries_are_no_generation)
{
    add(0, HOUR_S, 0, FUEL_COAL, 100);
    add(0, HOUR_S, 1, FUEL_HYDRO, -400);
    add(0, HOUR_S, 2, FUEL_STORAGE, 300);
    add(HOUR_S, HOUR_S, 0, FUEL_COAL, -5); /* all draw: nothing is known */
    add(HOUR_S, HOUR_S, 1, FUEL_HYDRO, 0);
    settle(1);
    ck_assert_double_eq_tol(found.items[0].kgco2eq_per_kwh, 0.1, 1e-15);
}
END_TEST

START_TEST(two_values_of_one_time_are_none)
{
    add(0, HOUR_S, 0, FUEL_COAL, 100);
    add(0, HOUR_S, 0, FUEL_COAL, 100); /* told twice alike */
    add(HOUR_S, HOUR_S, 0, FUEL_COAL, 100);
    add(HOUR_S, HOUR_S, 0, FUEL_COAL, 101);
    settle(1);
    ck_assert_double_eq_tol(found.items[0].kgco2eq_per_kwh, 0.1, 1e-15);
}
END_TEST

START_TEST(what_is_asked_for_alone)
{
    ck_assert(generation_add(&generation, &request, request.to_s, HOUR_S, 0, 1, 1, &err));
    ck_assert(generation_add(&generation, &request, request.from_s - HOUR_S, HOUR_S, 0, 1, 1, &err));
    ck_assert_uint_eq(generation.count, 0);
    ck_assert(!generation_add(&generation, &request, request.from_s + 1, HOUR_S, 0, 1, 1, &err));
    ck_assert(!generation_add(&generation, &request, request.from_s, 0, 0, 1, 1, &err));
    settle(0);
}
END_TEST

START_TEST(the_shipped_factors_are_whole_and_direct_is_below)
{
    struct fuel_factors lifecycle, direct;

    ck_assert(fuel_factors_read(FACTOR_LIFECYCLE, &lifecycle, &err));
    ck_assert(fuel_factors_read(FACTOR_DIRECT, &direct, &err));
    ck_assert_double_eq(lifecycle.kgco2eq_per_kwh[FUEL_COAL], 0.82);
    ck_assert_double_eq(direct.kgco2eq_per_kwh[FUEL_COAL], 0.76);
    ck_assert_double_eq(lifecycle.kgco2eq_per_kwh[FUEL_NUCLEAR], 0.012);
    for (size_t i = 0; i < FUEL_COUNT; i++)
        ck_assert(direct.kgco2eq_per_kwh[i] < lifecycle.kgco2eq_per_kwh[i]);
}
END_TEST

UNIT_SUITE_IN("generation", begin, end, the_mean_is_weighted_by_power, longer_steps_are_cut_to_the_shortest,
              a_time_is_known_where_every_series_has_a_value, pumps_and_batteries_are_no_generation,
              two_values_of_one_time_are_none, what_is_asked_for_alone,
              the_shipped_factors_are_whole_and_direct_is_below)
