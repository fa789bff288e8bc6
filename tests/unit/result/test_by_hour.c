/* SPDX-License-Identifier: MIT
 * The energy of runs and of their slices at the intensity of their own time, by hand. Runs begin 5 and 20 s after
 * START_S and take 10 s; they have 930 and 954 J, 38 W of it idle. */
#include "noticed.h"
#include "unit.h"

#include "report_fixture.h"

#include "measurement/slices.h"
#include "result/by_hour.h"

#include <math.h>

#define START_S UINT64_C(1795827600)
#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-12 * fabs((double)(b)))

static struct intensity items[3];
static struct intensities known;

static struct fixture *fixture;

static void end(void)
{
    fixture_free(fixture);
}

/* 0.2 until so long after START_S, then 0.5. */
static void begin_by_hour(uint64_t cut_s)
{
    fixture = fixture_new();
    items[0] = (struct intensity){ START_S, START_S + cut_s, 0.2, INTENSITY_ACTUAL, 0 };
    items[1] = (struct intensity){ START_S + cut_s, START_S + 60, 0.5, INTENSITY_ACTUAL, 0 };
    known = (struct intensities){ .items = items, .count = 2 };
    fixture->report.by_hour =
        (struct by_hour){ .enabled = true, .source = { .title = "Grid", .basis = "lifecycle" }, .known = &known };
}

static const struct by_hour *work_out(void)
{
    report_finish(&fixture->report);
    return &fixture->report.by_hour;
}

static void expect_span(uint64_t from_ns, uint64_t to_ns)
{
    uint64_t from, to;

    ck_assert(by_hour_span(&fixture->report, &from, &to));
    ck_assert_uint_eq(from - START_S * FIXTURE_S, from_ns);
    ck_assert_uint_eq(to - START_S * FIXTURE_S, to_ns);
}

/* In whole milliseconds, as a record has the times of starts. */
START_TEST(the_span_of_the_counted_runs)
{
    uint64_t from, to;

    begin_by_hour(15);
    expect_span(5 * FIXTURE_S, 30 * FIXTURE_S);
    fixture->runs[0].window.realtime_ns += 1234567;
    fixture->runs[1].window.realtime_ns += 1999999;
    fixture->runs[1].window.duration_ns += 3;
    expect_span(5 * FIXTURE_S + 1000000, 30 * FIXTURE_S + 1000003);
    fixture->runs[0].window.duration_ns = 60 * FIXTURE_S; /* the first may end last, where clocks are set */
    expect_span(5 * FIXTURE_S + 1000000, 65 * FIXTURE_S + 1000000);
    fixture->runs[0].warmup = true;
    expect_span(20 * FIXTURE_S + 1000000, 30 * FIXTURE_S + 1000003);
    fixture->runs[1].window.duration_ns = 0;
    ck_assert(!by_hour_span(&fixture->report, &from, &to));
    fixture->runs[1].warmup = true;
    ck_assert(!by_hour_span(&fixture->report, &from, &to));
}
END_TEST

/* Half of each run's net counts where others were busy: 0.99 of 2 cores, the third was so while idle. */
START_TEST(each_energy_has_its_own_weight)
{
    const double share_j = 0.99 / 2 * 550;
    const struct by_hour *by_hour;

    begin_by_hour(15);
    fixture->runs[0].window.machine_busy_ns = 30 * FIXTURE_S;
    fixture->baselines[0].machine_busy_ns = fixture->baselines[1].machine_busy_ns = 5 * FIXTURE_S;
    by_hour = work_out();
    NEAR(by_hour->gross_kgco2eq_per_kwh, (930 * 0.2 + 954 * 0.5) / 1884);
    NEAR(by_hour->net_kgco2eq_per_kwh, (550 * 0.2 + 574 * 0.5) / 1124);
    NEAR(by_hour->share_kgco2eq_per_kwh, (share_j * 0.2 + 574 * 0.5) / (share_j + 574));
    NEAR(by_hour->part[COVER_ACTUAL], 1);
    NEAR(by_hour->covered, 1);
    ck_assert_double_eq(by_hour->prorated, 0);
    NEAR(by_hour->yearly_gross_kgco2eq, 942 / 3.6e6 * 1.2 * 0.044);
    NEAR(by_hour->yearly_net_kgco2eq, 562 / 3.6e6 * 1.2 * 0.044);
    fixture->runs[1].warmup = true;
    by_hour = work_out();
    NEAR(by_hour->gross_kgco2eq_per_kwh, 0.2);
}
END_TEST

/* Each run was not read for 4 of its 10 s: what is known is laid on the hours, and is a lower bound. */
START_TEST(what_has_a_hole_is_a_lower_bound)
{
    const struct by_hour *by_hour;

    begin_by_hour(15);
    for (size_t i = 0; i < 2; i++) {
        fixture->runs[i].window.unknown_ns[FIXTURE_PACKAGE] = 4 * FIXTURE_S;
        fixture->runs[i].window.hole[FIXTURE_PACKAGE] = HOLE_RESET;
    }
    by_hour = work_out();
    ck_assert(fixture->report.summary.at_least);
    NEAR(by_hour->gross_kgco2eq_per_kwh, (930 * 0.2 + 954 * 0.5) / 1884);
    NEAR(fixture->report.gross.footprint.kgco2eq, (930 * 0.2 + 954 * 0.5) / 2 / 3.6e6 * 1.2);
    NEAR(by_hour->yearly_gross_kgco2eq, 942 / 3.6e6 * 1.2 * 0.044);
    ck_assert(isnan(by_hour->net_kgco2eq_per_kwh) && isnan(fixture->report.net.footprint.kgco2eq));
    ck_assert(isnan(fixture->report.share.footprint.kgco2eq));
}
END_TEST

static void give_slice(struct slices *slices, uint64_t at_ms, uint64_t duration_ms, uint64_t package_j)
{
    ck_assert(slices_add(slices, &(struct slice){ .realtime_ns = START_S * FIXTURE_S + at_ms * 1000000,
                                                  .duration_ns = duration_ms * 1000000 }));
    slices_give(slices, FIXTURE_PACKAGE, package_j * FIXTURE_J);
}

/* Slices of 5 s that an edge cuts 0.04 s (less than a hundredth) and 0.06 s before their end. */
START_TEST(a_slice_that_is_cut_is_told_from_a_hundredth_on)
{
    begin_by_hour(10);
    struct slices *slices[2] = { slices_new(FIXTURE_DOMAINS, 2, FIXTURE_S), slices_new(FIXTURE_DOMAINS, 2, FIXTURE_S) };
    const struct by_hour *by_hour;
    uint64_t from, to;

    ck_assert(slices[0] && slices[1]);
    give_slice(slices[0], 5040, 5000, 400);
    give_slice(slices[0], 10040, 5000, 530);
    fixture->runs[0].slices = slices[0];
    fixture->runs[1].warmup = true;
    by_hour = work_out();
    ck_assert_double_eq(by_hour->prorated, 0);
    NEAR(by_hour->gross_kgco2eq_per_kwh, (400 * (0.992 * 0.2 + 0.008 * 0.5) + 530 * 0.5) / 930);
    NEAR(by_hour->net_kgco2eq_per_kwh, (210 * (0.992 * 0.2 + 0.008 * 0.5) + 340 * 0.5) / 550);
    ck_assert(by_hour_span(&fixture->report, &from, &to));
    ck_assert_uint_eq(to, START_S * FIXTURE_S + 15040 * UINT64_C(1000000)); /* that of the last slice */
    give_slice(slices[1], 5060, 5000, 400);
    give_slice(slices[1], 10060, 5000, 530);
    fixture->runs[0].slices = slices[1];
    by_hour = work_out();
    NEAR(by_hour->prorated, 400.0 / 930);
    by_hour_notices(&fixture->report);
    ck_assert_uint_eq(by_hour->notice_count, 1);
    ck_assert_str_eq(fixture->report.own_notices.item[0].what,
                     "43 % of the energy lies in slices of time that an edge of two intervals cuts");
    slices_free(slices[0]);
    slices_free(slices[1]);
}
END_TEST

/* Where nothing was used the factor is the yearly one; where nothing is known there is none. */
START_TEST(nothing_used_and_nothing_known)
{
    const struct by_hour *by_hour;

    begin_by_hour(15);
    for (size_t i = 0; i < 2; i++) {
        memset(fixture->runs[i].window.energy_uj, 0, sizeof fixture->runs[i].window.energy_uj);
        memset(fixture->baselines[i].energy_uj, 0, sizeof fixture->baselines[i].energy_uj);
    }
    by_hour = work_out();
    ck_assert_double_eq(by_hour->gross_kgco2eq_per_kwh, 0.044);
    ck_assert_double_eq(by_hour->net_kgco2eq_per_kwh, 0.044);
    ck_assert_double_eq(by_hour->share_kgco2eq_per_kwh, 0.044);
    memset(fixture->runs[0].window.known, 0, sizeof fixture->runs[0].window.known);
    by_hour = work_out();
    ck_assert(isnan(by_hour->gross_kgco2eq_per_kwh) && isnan(by_hour->covered));
    fixture->runs[0].warmup = fixture->runs[1].warmup = true;
    by_hour = work_out();
    ck_assert(isnan(by_hour->gross_kgco2eq_per_kwh) && isnan(by_hour->net_kgco2eq_per_kwh));
    ck_assert(isnan(by_hour->share_kgco2eq_per_kwh) && isnan(by_hour->part[COVER_YEARLY]));
    fixture->report.by_hour = (struct by_hour){ .enabled = false };
    by_hour = work_out();
    ck_assert(isnan(by_hour->gross_kgco2eq_per_kwh) && isnan(by_hour->net_kgco2eq_per_kwh));
    ck_assert(isnan(by_hour->share_kgco2eq_per_kwh) && isnan(by_hour->covered) && isnan(by_hour->prorated));
    ck_assert(isnan(by_hour->part[COVER_FORECAST]) && isnan(by_hour->yearly_gross_kgco2eq));
    ck_assert(isnan(by_hour->yearly_net_kgco2eq));
}
END_TEST

static bool reported(const struct report *report, const char *what)
{
    return notices_say(&report->own_notices, what);
}

/* 0.5 J of 1000 J are told nowhere, 0.6 J are. */
START_TEST(doubts_are_told_above_half_a_thousandth)
{
    static const char *const whats[] = {
        [COVER_FORECAST] = "0.06 % of the energy is at a forecast",
        [COVER_NEAREST] = "0.06 % of the energy is at the nearest interval: its own has no intensity",
        [COVER_PERIOD_MEAN] = "0.06 % of the energy is at the mean of the known intensities",
        [COVER_YEARLY] = "0.06 % of the energy is at the yearly factor",
    };
    struct report *report;

    begin_by_hour(15);
    report = &fixture->report;
    known.count = 1;
    report->by_hour.prorated = 0.0005;
    for (int cover = 0; cover < COVER_COUNT; cover++) {
        notices_cut(&report->own_notices, 0);
        memset(report->by_hour.part, 0, sizeof report->by_hour.part);
        report->by_hour.part[cover] = 0.0005;
        by_hour_notices(report);
        ck_assert_uint_eq(report->by_hour.notice_count, 0);
        report->by_hour.part[cover] = 0.0006;
        by_hour_notices(report);
        ck_assert_uint_eq(report->by_hour.notice_count, whats[cover] ? 1 : 0);
        if (whats[cover])
            ck_assert_str_eq(report->own_notices.item[0].what, whats[cover]);
    }
    /* of nothing at all that is told, all is yearly: no doubt of its own; nor is what nobody told of one kind */
    known.count = 0;
    notices_cut(&report->own_notices, 0);
    report->by_hour.source.basis[0] = '\0';
    report->by_hour.part[COVER_YEARLY] = 1;
    by_hour_notices(report);
    ck_assert_uint_eq(report->by_hour.notice_count, 0);
    known.count = 1;
    report->by_hour.part[COVER_YEARLY] = 0;
    strcpy(report->by_hour.source.gases, "co2");
    notice_add(&report->own_notices, NOTICE_STAND_IN, "", "", "before");
    report->by_hour.first_notice = 1;
    by_hour_notices(report);
    ck_assert_uint_eq(report->by_hour.notice_count, 2);
    ck_assert(reported(report, "Grid does not say whether its figures have the plants and the fuel supply in them"));
    ck_assert(reported(report, "the intensities cover CO2 only"));
}
END_TEST

UNIT_SUITE_IN("by_hour", NULL, end, the_span_of_the_counted_runs, each_energy_has_its_own_weight,
              what_has_a_hole_is_a_lower_bound, a_slice_that_is_cut_is_told_from_a_hundredth_on,
              nothing_used_and_nothing_known, doubts_are_told_above_half_a_thousandth)
