/* SPDX-License-Identifier: MIT
 * What a record comes to in a sum and in the ledger's columns: every figure from the member that it is named after. */
#include "unit.h"

#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "ledger/contribution.h"
#include "ledger/counted_machines.h"
#include "ledger/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-12 * fabs((double)(b)))

static const char head[] =
    "{\"schema\":\"carbon.record/1\",\"id\":\"00000001-5c3b-4f64-9d1f-6f6a3c1b7a55\",\"complete\":true,\"runs\":3,"
    "\"started_at\":\"2026-01-01T00:00:00.000Z\",\"ended_at\":\"2026-01-01T00:10:00.000Z\",\"exit_status\":4,"
    "\"duration_s\":{\"mean\":100},\"gross_j\":{\"mean\":50,\"deviation\":2},\"net_j\":{\"mean\":20},"
    "\"gross_low_j\":40,\"gross_high_j\":70,\"hourly\":{\"covered\":0.5},\"sci\":{\"embodied_kgco2eq\":8,\"units\":13,"
    "\"unit\":\"jobs\"},\"own_j\":{\"mean\":14},\"own_method\":\"share\","
    "\"emissions\":{\"gross\":{\"facility_kwh\":9,\"kgco2eq\":1},\"net\":{\"facility_kwh\":7,\"kgco2eq\":2},\"own\":{"
    "\"kgco2eq\":15},"
    "\"gross_market\":{\"kgco2eq\":3},\"net_market\":{\"kgco2eq\":4},\"td_losses\":{\"gross_kgco2eq\":5,"
    "\"net_kgco2eq\":11},\"upstream\":{\"gross_kgco2eq\":6,\"net_kgco2eq\":12}},\"windows\":{\"runs\":[";

/* 10 J in the first 30 s and 30 J in the 10 s after it; of a domain that does not count, more. */
static const char cut_run[] =
    "{\"counted\":true,\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":40,\"gross_j\":40,\"slices\":["
    "{\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":30,\"energy_uj\":[10000000,99000000]},"
    "{\"started_at\":\"2026-01-01T00:00:30.000Z\",\"duration_s\":10,\"energy_uj\":[30000000,99000000]}]},"
    "{\"warmup\":true,\"counted\":false,\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":1,\"gross_j\":13}";

static const char tail[] = "]},\"domains\":[{\"counted\":true},{\"counted\":false}]}";

static struct cJSON *record_of(const char *runs)
{
    char text[4096];
    struct error err;
    struct cJSON *record;

    snprintf(text, sizeof text, "%s%s%s", head, runs, tail);
    record = json_parse(text, "r.json", &err);
    ck_assert_ptr_nonnull(record);
    return record;
}

static uint64_t second(uint64_t s)
{
    return (UINT64_C(1767225600) + s) * NS_PER_S_INT; /* of 2026 */
}

START_TEST(all_runs_together)
{
    struct cJSON *record = record_of(cut_run);
    struct contribution contribution;

    contribution_of(record, &contribution);
    ck_assert_int_eq(contribution.runs, 3);
    ck_assert_int_eq(contribution.started_ns, (int64_t)second(0));
    ck_assert_int_eq(contribution.ended_ns, (int64_t)second(600));
    NEAR(contribution.duration_s, 300);
    NEAR(contribution.gross_j, 150);
    NEAR(contribution.variance_j2, 3 * 2 * 2);
    NEAR(contribution.gross_low_j, 120);
    NEAR(contribution.gross_high_j, 210);
    NEAR(contribution.net_j, 60);
    NEAR(contribution.facility_kwh, 27);
    NEAR(contribution.gross_kgco2eq, 3);
    NEAR(contribution.net_kgco2eq, 6);
    NEAR(contribution.market_kgco2eq, 9);
    NEAR(contribution.td_losses_kgco2eq, 15);
    NEAR(contribution.upstream_kgco2eq, 18);
    NEAR(contribution.embodied_kgco2eq, 24);
    NEAR(contribution.warmup_j, 13);
    NEAR(contribution.covered, 0.5);
    NEAR(contribution.own_j, 42);
    NEAR(contribution.own_kgco2eq, 45);
    ck_assert_str_eq(contribution.own_method, "share");
    NEAR(contribution.sci_units, 39);
    ck_assert_str_eq(contribution.sci_unit, "jobs");
    json_close(record);
}
END_TEST

/* The first 30 of 40 s have 10 of 40 J; from 15 to 35 s it is half of each slice. */
START_TEST(energy_is_cut_with_energy_and_devices_with_time)
{
    struct cJSON *record = record_of(cut_run);
    struct contribution contribution;

    contribution_between(record, second(0), second(30), &contribution);
    NEAR(contribution.gross_j, 150 / 4.0);
    NEAR(contribution.gross_low_j, 120 / 4.0);
    NEAR(contribution.gross_high_j, 210 / 4.0);
    NEAR(contribution.net_j, 60 / 4.0);
    NEAR(contribution.facility_kwh, 27 / 4.0);
    NEAR(contribution.gross_kgco2eq, 3 / 4.0);
    NEAR(contribution.net_kgco2eq, 6 / 4.0);
    NEAR(contribution.market_kgco2eq, 9 / 4.0);
    NEAR(contribution.td_losses_kgco2eq, 15 / 4.0);
    NEAR(contribution.upstream_kgco2eq, 18 / 4.0);
    NEAR(contribution.warmup_j, 13 / 4.0);
    NEAR(contribution.own_j, 42 / 4.0);
    NEAR(contribution.own_kgco2eq, 45 / 4.0);
    NEAR(contribution.sci_units, 39 / 4.0);
    NEAR(contribution.variance_j2, 12 / 16.0);
    NEAR(contribution.duration_s, 300 * 3 / 4.0);
    NEAR(contribution.embodied_kgco2eq, 24 * 3 / 4.0);
    contribution_between(record, second(15), second(35), &contribution);
    NEAR(contribution.gross_j, 150 * 20 / 40.0);
    NEAR(contribution.duration_s, 300 * 20 / 40.0);
    ck_assert_int_eq(contribution.runs, 0); /* it began before */
    contribution_between(record, second(40), second(50), &contribution);
    ck_assert_double_eq(contribution.gross_j, 0);
    ck_assert_double_eq(contribution.embodied_kgco2eq, 0);
    json_close(record);
}
END_TEST

/* A run without slices belongs to the time in which it began, its first moment included and the end's not. */
START_TEST(a_run_without_slices_is_whole)
{
    static const char runs[] =
        "{\"counted\":true,\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":30,\"gross_j\":10},"
        "{\"counted\":true,\"started_at\":\"2026-01-01T00:01:00.000Z\",\"duration_s\":10,\"gross_j\":30}";
    struct cJSON *record = record_of(runs);
    struct contribution contribution;

    contribution_between(record, second(0), second(60), &contribution);
    ck_assert_int_eq(contribution.runs, 1);
    NEAR(contribution.gross_j, 150 / 4.0);
    NEAR(contribution.duration_s, 300 * 3 / 4.0);
    contribution_between(record, second(60), second(61), &contribution);
    ck_assert_int_eq(contribution.runs, 1);
    NEAR(contribution.gross_j, 150 * 3 / 4.0);
    NEAR(contribution.embodied_kgco2eq, 24 / 4.0);
    json_close(record);
}
END_TEST

START_TEST(an_estimate_is_one_run)
{
    static const char text[] =
        "{\"schema\":\"carbon.estimate/1\",\"started_at\":\"2026-01-01T00:00:00.000Z\",\"hours\":0.0001,"
        "\"energy_j\":1,\"energy_low_j\":2,\"energy_high_j\":3,\"sci\":{\"embodied_kgco2eq\":4},\"emissions\":{"
        "\"facility_kwh\":5,\"kgco2eq\":6,\"market_kgco2eq\":7,\"td_losses_kgco2eq\":8,\"upstream_kgco2eq\":9}}";
    struct contribution contribution;
    struct error err;
    struct cJSON *record = json_parse(text, "e.json", &err);

    ck_assert_ptr_nonnull(record);
    contribution_of(record, &contribution);
    ck_assert(contribution.estimated == 1 && contribution.complete == 1 && contribution.runs == 1 &&
              contribution.recorded == 0);
    NEAR(contribution.duration_s, 0.36);
    ck_assert_int_eq(contribution.started_ns, (int64_t)second(0));
    ck_assert_int_eq(contribution.ended_ns, (int64_t)second(0) + 360000000);
    const double from_1_to_9[] = { contribution.gross_j,         contribution.gross_low_j,
                                   contribution.gross_high_j,    contribution.embodied_kgco2eq,
                                   contribution.facility_kwh,    contribution.gross_kgco2eq,
                                   contribution.market_kgco2eq,  contribution.td_losses_kgco2eq,
                                   contribution.upstream_kgco2eq };
    for (int i = 0; i < 9; i++)
        ck_assert_double_eq(from_1_to_9[i], i + 1);
    ck_assert_double_eq(contribution.warmup_j, 0);
    ck_assert(isnan(contribution.net_j) && isnan(contribution.net_kgco2eq) && isnan(contribution.variance_j2));
    json_close(record);
}
END_TEST

/* Its energy is even over the time that it takes: an hour, of which a quarter of an hour lies within. */
START_TEST(an_estimate_is_cut_by_time)
{
    static const char text[] =
        "{\"schema\":\"carbon.estimate/1\",\"started_at\":\"2026-01-01T00:00:00.000Z\",\"hours\":1,"
        "\"energy_j\":1000,\"sci\":{\"embodied_kgco2eq\":4},\"emissions\":{\"kgco2eq\":6}}";
    struct contribution contribution;
    struct error err;
    struct cJSON *record = json_parse(text, "e.json", &err);

    ck_assert_ptr_nonnull(record);
    contribution_between(record, second(2700), second(9000), &contribution);
    NEAR(contribution.gross_j, 250);
    NEAR(contribution.gross_kgco2eq, 1.5);
    NEAR(contribution.embodied_kgco2eq, 1);
    NEAR(contribution.duration_s, 900);
    ck_assert_int_eq(contribution.ended_ns, (int64_t)second(3600));
    contribution_between(record, second(900), second(2700), &contribution);
    NEAR(contribution.gross_j, 500);
    contribution_between(record, second(3600), second(9000), &contribution);
    ck_assert_double_eq(contribution.gross_j, 0);
    json_close(record);
}
END_TEST

/* Half a joule in half a second is cut like more; a slice whose energy is not known has none; of no energy at all
 * nothing can be cut. */
START_TEST(small_and_unknown_energies)
{
    static const char small[] =
        "{\"counted\":true,\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":0.25,\"gross_j\":0.1},"
        "{\"counted\":true,\"started_at\":\"2026-01-01T00:01:00.000Z\",\"duration_s\":0.25,\"gross_j\":0.4}";
    static const char unknown[] =
        "{\"counted\":true,\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":20,\"slices\":["
        "{\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":10,\"energy_uj\":[5000000,1]},"
        "{\"started_at\":\"2026-01-01T00:00:10.000Z\",\"duration_s\":10,\"energy_uj\":[null,1]}]}";
    static const char nothing[] =
        "{\"counted\":true,\"started_at\":\"2026-01-01T00:01:00.000Z\",\"duration_s\":10,\"gross_j\":0}";
    struct cJSON *record = record_of(small);
    struct contribution contribution;

    contribution_between(record, second(0), second(60), &contribution);
    NEAR(contribution.gross_j, 150 / 5.0);
    NEAR(contribution.duration_s, 150);
    json_close(record);
    record = record_of(unknown);
    contribution_between(record, second(10), second(20), &contribution);
    ck_assert_double_eq(contribution.gross_j, 0);
    NEAR(contribution.duration_s, 150);
    contribution_between(record, second(0), second(10), &contribution);
    NEAR(contribution.gross_j, 150);
    json_close(record);
    record = record_of(nothing);
    contribution_between(record, second(0), second(10), &contribution);
    NEAR(contribution.gross_j, 150);
    ck_assert_int_eq(contribution.runs, 3);
    json_close(record);
}
END_TEST

static char *times_of(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns)
{
    struct error err;
    char *times = contribution_times(record, from_ns, to_ns, &err);

    ck_assert_ptr_nonnull(times);
    return times;
}

/* Runs of 10 s from 0 and of 20 s from 30 s; the third does not count. */
START_TEST(times_are_those_of_the_runs_that_count)
{
    struct cJSON *record =
        record_of("{\"counted\":true,\"started_at\":\"2026-01-01T00:00:00.000Z\",\"duration_s\":10,\"gross_j\":12.5},"
                  "{\"counted\":true,\"started_at\":\"2026-01-01T00:00:30.000Z\",\"duration_s\":20,\"gross_j\":null},"
                  "{\"counted\":false,\"started_at\":\"2026-01-01T00:01:00.000Z\",\"duration_s\":20,\"gross_j\":9}");
    char *times = times_of(record, 0, UINT64_MAX);

    ck_assert_str_eq(times, "1767225600000000000+10000000000=12.5 1767225630000000000+20000000000=null");
    free(times);
    times = times_of(record, second(20), UINT64_MAX); /* a run without slices is where it started */
    ck_assert_str_eq(times, "1767225630000000000+20000000000=null");
    free(times);
    json_close(record);
    record = record_of(cut_run);
    times = times_of(record, second(10), second(20)); /* with slices it is cut */
    ck_assert_str_eq(times, "1767225610000000000+10000000000=10");
    free(times);
    json_close(record);
}
END_TEST

/* 100 J in 10 s and 300 J in 10 s: of the machine's time the second is in already. */
START_TEST(a_machines_energy_is_in_a_sum_once)
{
    struct counted_machines machines = { .nodes = NULL };
    struct contribution first = { .machine = "m", .times = "30+20=500", .gross_j = 500 };
    struct contribution contribution = { .machine = "m", .times = "0+10=100 30+10=300", .gross_j = 400, .net_j = 200 },
                        same;
    struct contribution_once once;
    struct error err;

    contribution.gross_kgco2eq = 4;
    contribution.own_j = 40;
    contribution.variance_j2 = 16;
    contribution.market_kgco2eq = NAN;
    same = contribution;
    ck_assert(contribution_count_once(&machines, &first, &once, &err));
    ck_assert(once.gross_j == 0 && once.of_energy == 1 && once.of_time == 1 && first.gross_j == 500);
    ck_assert(contribution_count_once(&machines, &contribution, &once, &err));
    NEAR(once.gross_j, 300);
    NEAR(once.of_energy, 0.25);
    NEAR(once.of_time, 0.5);
    NEAR(contribution.gross_j, 100);
    NEAR(contribution.net_j, 50);
    NEAR(contribution.gross_kgco2eq, 1);
    NEAR(contribution.own_j, 40); /* each job's own */
    NEAR(contribution.variance_j2, 1);
    ck_assert(isnan(contribution.market_kgco2eq));
    same.machine = NULL; /* of an unknown one all counts */
    ck_assert(contribution_count_once(&machines, &same, &once, &err));
    ck_assert(once.gross_j == 0 && same.gross_j == 400);
    same = (struct contribution){ .machine = "m", .times = "5+10=null", .gross_j = 8 }; /* by time */
    ck_assert(contribution_count_once(&machines, &same, &once, &err));
    NEAR(same.gross_j, 4);
    same = (struct contribution){ .machine = "m", .times = "damaged", .gross_j = 8 };
    ck_assert(contribution_count_once(&machines, &same, &once, &err));
    ck_assert_double_eq(same.gross_j, 8);
    counted_machines_close(&machines);
}
END_TEST

START_TEST(which_machine_it_is)
{
    static const char *const records[][2] = {
        { "{\"machine\":{\"id\":\"i\",\"start\":\"s\"},\"job\":{\"boot_id\":\"b\"}}", "s" },
        { "{\"machine\":{\"id\":\"i\",\"start\":null},\"job\":{\"boot_id\":\"b\"}}", "b" },
        { "{\"machine\":{\"id\":\"i\"},\"job\":null}", "i" },
        { "{\"machine\":{}}", NULL },
    };

    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        struct error err;
        struct cJSON *record = json_parse(records[i][0], "r.json", &err);
        struct contribution contribution;
        ck_assert_ptr_nonnull(record);
        contribution_of(record, &contribution);
        ck_assert_pstr_eq(contribution.machine, records[i][1]);
        json_close(record);
    }
}
END_TEST

START_TEST(columns_of_the_ledger)
{
    struct cJSON *record = record_of("");
    struct ledger_row row;
    struct error err;
    struct text line;

    ck_assert_msg(ledger_row_of(record, "r.json", &row, &line, &err), "%s", err.what);
    ck_assert_int_eq(row.started_ns, (int64_t)second(0));
    ck_assert_int_eq(row.ended_ns, (int64_t)second(600));
    ck_assert_int_eq(row.exit_status, 4);
    ck_assert_int_eq(row.runs, 3);
    ck_assert_double_eq(row.duration_s, 100);
    ck_assert_double_eq(row.gross_j, 50);
    ck_assert_double_eq(row.net_j, 20);
    ck_assert_double_eq(row.gross_kgco2eq, 1);
    ck_assert_double_eq(row.net_kgco2eq, 2);
    ck_assert_double_eq(row.gross_market_kgco2eq, 3);
    ck_assert_double_eq(row.net_market_kgco2eq, 4);
    text_close(&line);
    json_close(record);
}
END_TEST

UNIT_SUITE("account", all_runs_together, energy_is_cut_with_energy_and_devices_with_time, a_run_without_slices_is_whole,
           an_estimate_is_one_run, an_estimate_is_cut_by_time, small_and_unknown_energies,
           times_are_those_of_the_runs_that_count, a_machines_energy_is_in_a_sum_once, which_machine_it_is,
           columns_of_the_ledger)
