/* SPDX-License-Identifier: MIT
 * Runs cut at full minutes: every microjoule and nanosecond is in one slice, whatever the clock does and however many
 * there are; and the hours that a report lays them on. */
#include "unit.h"

#include "report_fixture.h"

#include "measurement/slices.h"
#include "result/by_hour.h"

#define START_S UINT64_C(1795827590) /* 10 s before a full hour */

static struct domain domains[2];
static struct energy_driver driver = { .name = "powercap" };

/* 40 W and 3 W since the meter was opened. */
static struct sample sample_at(double time_s)
{
    return (struct sample){
        .time_ns = (uint64_t)(time_s * 1e9),
        .energy_uj = { (uint64_t)(time_s * 40e6), (uint64_t)(time_s * 3e6) },
        .read = { 1, 1 },
    };
}

static uint64_t real_ns(double time_s)
{
    return START_S * FIXTURE_S + (uint64_t)(time_s * 1e9);
}

static struct meter meter;
static struct slicer slicer;
static struct slices *place;

/* A run of that meter, to be cut at every fifth minute. */
static void begin(void)
{
    const struct sample opening = sample_at(0);

    meter = (struct meter){ .domain_count = 2 };
    meter.sources[0].driver = &driver;
    for (size_t i = 0; i < 2; i++)
        meter.domains[i] = (struct meter_domain){ .domain = &domains[i], .source = &meter.sources[0] };
    slicer_open(&slicer, &meter, 300 * FIXTURE_S, &opening, real_ns(0), &place);
}

static void end(void)
{
    slices_free(place);
    place = NULL;
}

START_TEST(a_short_run_is_one)
{
    const struct sample last = sample_at(9);

    ck_assert_uint_eq(slicer.next_ns, 10 * FIXTURE_S);
    ck_assert(!slicer_is_due(&slicer, 9 * FIXTURE_S, real_ns(9)));
    slicer_update(&slicer, &last);
    ck_assert_ptr_null(place);
}
END_TEST

START_TEST(edges_are_met)
{
    struct sample sample;

    ck_assert(slicer_is_due(&slicer, 10 * FIXTURE_S, real_ns(10)));
    sample = sample_at(10.0001);
    slicer_cut(&slicer, &sample, real_ns(10.0001));
    ck_assert_ptr_nonnull(place);
    ck_assert_uint_eq(place->count, 2);
    /* told while it goes on */
    sample = sample_at(50);
    slicer_update(&slicer, &sample);
    ck_assert_uint_eq(place->items[1].duration_ns, 39999900000);
    ck_assert_uint_eq(slicer.next_ns, 310 * FIXTURE_S);
    sample = sample_at(310);
    slicer_cut(&slicer, &sample, real_ns(310));
    sample = sample_at(400);
    slicer_update(&slicer, &sample);
    ck_assert_uint_eq(place->count, 3);
    ck_assert_uint_eq(place->items[0].duration_ns + place->items[1].duration_ns + place->items[2].duration_ns,
                      400 * FIXTURE_S);
    ck_assert_uint_eq(slice_energy_uj(place, 0)[0], 400004000);
    ck_assert_uint_eq(slice_energy_uj(place, 1)[0], 12400000000 - 400004000);
    ck_assert_uint_eq(slice_energy_uj(place, 2)[1], 270000000);
    ck_assert_uint_eq(place->items[2].realtime_ns, (START_S + 310) * FIXTURE_S);
    ck_assert_uint_eq(place->items[2].start_ns, 310 * FIXTURE_S);
}
END_TEST

/* The clock is set on by an hour; the machine slept: what follows has the new time. */
START_TEST(a_clock_that_is_set)
{
    struct sample sample = sample_at(4);

    ck_assert(!slicer_is_due(&slicer, 4 * FIXTURE_S, real_ns(4.5)));
    ck_assert(slicer_is_due(&slicer, 4 * FIXTURE_S, real_ns(3604)));
    slicer_cut(&slicer, &sample, real_ns(3604));
    ck_assert(!slicer_is_due(&slicer, 5 * FIXTURE_S, real_ns(3605)));
    ck_assert_uint_eq(place->items[1].realtime_ns, real_ns(3604));
    ck_assert_uint_eq(slicer.next_ns, 10 * FIXTURE_S);
    ck_assert(slicer_is_due(&slicer, 5 * FIXTURE_S, real_ns(5)));
}
END_TEST

START_TEST(many_are_joined)
{
    struct slices *slices = slices_new(1, 1, 300 * FIXTURE_S);
    const uint64_t all_s = 52704 * 300;
    uint64_t sum_uj = 0, sum_ns = 0, given_uj = 0;

    ck_assert_ptr_nonnull(slices);
    /* half a year of five minutes: a quarter of an hour would still be too many */
    for (uint64_t at_s = 0, step_s = 300; at_s < all_s; at_s += step_s) {
        ck_assert(slices_add(
            slices, &(struct slice){ .realtime_ns = (at_s + 3600) * FIXTURE_S, .start_ns = at_s * FIXTURE_S }));
        step_s = slices->step_ns / FIXTURE_S - (at_s + 3600) % (slices->step_ns / FIXTURE_S);
        slices->items[slices->count - 1].duration_ns += step_s * FIXTURE_S;
        slices_give(slices, 0, at_s);
        given_uj += at_s;
    }
    ck_assert_uint_eq(slices->step_ns, 1800 * FIXTURE_S);
    ck_assert_uint_le(slices->count, SLICES_MAX);
    for (size_t i = 0; i < slices->count; i++) {
        sum_uj += slice_energy_uj(slices, i)[0];
        sum_ns += slices->items[i].duration_ns;
        ck_assert(i == 0 || slices->items[i].start_ns == sum_ns - slices->items[i].duration_ns);
    }
    ck_assert_uint_eq(sum_uj, given_uj);
    ck_assert_uint_eq(sum_ns, all_s * FIXTURE_S);
    slices_free(slices);
}
END_TEST

/* By hand: the first run's 10 s lie 4 s at 0.2, 4 s where nothing is told (as long as an interval: 2 s at 0.2 and 2 s
 * at 0.5, the nearest) and 2 s at 0.5; its slices have 200, 500 and 230 J, idle is 38 W. The second lies at 0.5 with
 * 954 J. */
START_TEST(a_report_by_the_hour)
{
    struct fixture *fixture = fixture_new();
    struct report *report = &fixture->report;
    const uint64_t at_s = 1795827605;
    struct intensity items[] = {
        { at_s, at_s + 4, 0.2, INTENSITY_ACTUAL, 0 },
        { at_s + 8, at_s + 12, 0.5, INTENSITY_ESTIMATED, 0 },
        { at_s + 12, at_s + 30, 0.5, INTENSITY_FORECAST, 0 },
    };
    const struct intensities known = { .items = items, .count = 3 };
    struct slices *slices = slices_new(FIXTURE_DOMAINS, 3, 4 * FIXTURE_S);
    const uint64_t package_j[] = { 150, 450, 200 }, dram_j[] = { 50, 50, 30 };
    const double gross = 200 * 0.2 + 500 * 0.35 + 230 * 0.5 + 954 * 0.5;
    const double net = (200 - 152) * 0.2 + (500 - 152) * 0.35 + (230 - 76) * 0.5 + (954 - 380) * 0.5;
    struct by_hour *by_hour = &report->by_hour;

    ck_assert_ptr_nonnull(slices);
    for (uint64_t i = 0; i < 3; i++) {
        ck_assert(slices_add(slices, &(struct slice){ .realtime_ns = (at_s + 4 * i) * FIXTURE_S,
                                                      .start_ns = 4 * i * FIXTURE_S,
                                                      .duration_ns = (i < 2 ? 4 : 2) * FIXTURE_S }));
        slices_give(slices, FIXTURE_PACKAGE, package_j[i] * FIXTURE_J);
        slices_give(slices, FIXTURE_DRAM, dram_j[i] * FIXTURE_J);
    }
    fixture->runs[0].slices = slices;
    *by_hour = (struct by_hour){ .enabled = true, .source = { .title = "Grid", .basis = "direct" }, .known = &known };
    report_finish(report);
    ck_assert_double_eq_tol(report->gross.footprint.kgco2eq, gross / 2 / 3.6e6 * 1.2, 1e-12 * gross / 2 / 3.6e6);
    ck_assert_double_eq_tol(report->net.footprint.kgco2eq, net / 2 / 3.6e6 * 1.2, 1e-12 * net / 2 / 3.6e6);
    ck_assert_double_eq_tol(by_hour->gross_kgco2eq_per_kwh, gross / (930 + 954), 1e-12);
    ck_assert_double_eq_tol(by_hour->part[COVER_ACTUAL], 200.0 / 1884, 1e-12);
    ck_assert_double_eq_tol(by_hour->part[COVER_NEAREST], 500.0 / 1884, 1e-12);
    ck_assert_double_eq_tol(by_hour->part[COVER_ESTIMATED], 230.0 / 1884, 1e-12);
    ck_assert_double_eq_tol(by_hour->part[COVER_FORECAST], 954.0 / 1884, 1e-12);
    ck_assert_double_eq_tol(by_hour->covered, 1384.0 / 1884, 1e-12);
    ck_assert_double_eq_tol(by_hour->prorated, 500.0 / 1884, 1e-12);
    /* the year's figure and what stands beside it stay with the yearly factor */
    ck_assert_double_eq_tol(by_hour->yearly_gross_kgco2eq, 942 / 3.6e6 * 1.2 * 0.044, 1e-18);
    ck_assert_double_eq_tol(report->gross.kgco2eq_per_year, 94.2 / 1000 * 8760 * 1.2 * 0.044, 1e-9);
    by_hour_notices(report);
    ck_assert_uint_eq(by_hour->notice_count, 4);
    ck_assert_str_eq(report->own_notices.item[0].what, "the intensities are direct, the yearly factor is lifecycle");
    ck_assert_str_eq(report->own_notices.item[1].what, "50.6 % of the energy is at a forecast");
    ck_assert_str_eq(report->own_notices.item[2].what,
                     "26.5 % of the energy is at the nearest interval: its own has no intensity");
    slices_free(slices);
    fixture_free(fixture);
}
END_TEST

UNIT_SUITE_IN("slices", begin, end, a_short_run_is_one, edges_are_met, a_clock_that_is_set, many_are_joined,
              a_report_by_the_hour)
