/* SPDX-License-Identifier: MIT
 * What a record comes to in a sum and in the ledger's columns: every figure from the member that it is named after. */
#include "unit.h"

#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "ledger/account.h"
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
    struct account account;

    account_of(record, &account);
    ck_assert_int_eq(account.runs, 3);
    ck_assert_int_eq(account.started_ns, (int64_t)second(0));
    ck_assert_int_eq(account.ended_ns, (int64_t)second(600));
    NEAR(account.duration_s, 300);
    NEAR(account.gross_j, 150);
    NEAR(account.variance_j2, 3 * 2 * 2);
    NEAR(account.gross_low_j, 120);
    NEAR(account.gross_high_j, 210);
    NEAR(account.net_j, 60);
    NEAR(account.facility_kwh, 27);
    NEAR(account.gross_kgco2eq, 3);
    NEAR(account.net_kgco2eq, 6);
    NEAR(account.market_kgco2eq, 9);
    NEAR(account.td_losses_kgco2eq, 15);
    NEAR(account.upstream_kgco2eq, 18);
    NEAR(account.embodied_kgco2eq, 24);
    NEAR(account.warmup_j, 13);
    NEAR(account.covered, 0.5);
    NEAR(account.own_j, 42);
    NEAR(account.own_kgco2eq, 45);
    ck_assert_str_eq(account.own_method, "share");
    NEAR(account.sci_units, 39);
    ck_assert_str_eq(account.sci_unit, "jobs");
    json_close(record);
}
END_TEST

/* The first 30 of 40 s have 10 of 40 J; from 15 to 35 s it is half of each slice. */
START_TEST(energy_is_cut_with_energy_and_devices_with_time)
{
    struct cJSON *record = record_of(cut_run);
    struct account account;

    account_between(record, second(0), second(30), &account);
    NEAR(account.gross_j, 150 / 4.0);
    NEAR(account.gross_low_j, 120 / 4.0);
    NEAR(account.gross_high_j, 210 / 4.0);
    NEAR(account.net_j, 60 / 4.0);
    NEAR(account.facility_kwh, 27 / 4.0);
    NEAR(account.gross_kgco2eq, 3 / 4.0);
    NEAR(account.net_kgco2eq, 6 / 4.0);
    NEAR(account.market_kgco2eq, 9 / 4.0);
    NEAR(account.td_losses_kgco2eq, 15 / 4.0);
    NEAR(account.upstream_kgco2eq, 18 / 4.0);
    NEAR(account.warmup_j, 13 / 4.0);
    NEAR(account.own_j, 42 / 4.0);
    NEAR(account.own_kgco2eq, 45 / 4.0);
    NEAR(account.sci_units, 39 / 4.0);
    NEAR(account.variance_j2, 12 / 16.0);
    NEAR(account.duration_s, 300 * 3 / 4.0);
    NEAR(account.embodied_kgco2eq, 24 * 3 / 4.0);
    account_between(record, second(15), second(35), &account);
    NEAR(account.gross_j, 150 * 20 / 40.0);
    NEAR(account.duration_s, 300 * 20 / 40.0);
    ck_assert_int_eq(account.runs, 0); /* it began before */
    account_between(record, second(40), second(50), &account);
    ck_assert_double_eq(account.gross_j, 0);
    ck_assert_double_eq(account.embodied_kgco2eq, 0);
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
    struct account account;

    account_between(record, second(0), second(60), &account);
    ck_assert_int_eq(account.runs, 1);
    NEAR(account.gross_j, 150 / 4.0);
    NEAR(account.duration_s, 300 * 3 / 4.0);
    account_between(record, second(60), second(61), &account);
    ck_assert_int_eq(account.runs, 1);
    NEAR(account.gross_j, 150 * 3 / 4.0);
    NEAR(account.embodied_kgco2eq, 24 / 4.0);
    json_close(record);
}
END_TEST

START_TEST(an_estimate_is_one_run)
{
    static const char text[] =
        "{\"schema\":\"carbon.estimate/1\",\"started_at\":\"2026-01-01T00:00:00.000Z\",\"hours\":0.0001,"
        "\"energy_j\":1,\"energy_low_j\":2,\"energy_high_j\":3,\"sci\":{\"embodied_kgco2eq\":4},\"emissions\":{"
        "\"facility_kwh\":5,\"kgco2eq\":6,\"market_kgco2eq\":7,\"td_losses_kgco2eq\":8,\"upstream_kgco2eq\":9}}";
    struct account account;
    struct error err;
    struct cJSON *record = json_parse(text, "e.json", &err);

    ck_assert_ptr_nonnull(record);
    account_of(record, &account);
    ck_assert(account.estimated == 1 && account.complete == 1 && account.runs == 1 && account.recorded == 0);
    NEAR(account.duration_s, 0.36);
    ck_assert_int_eq(account.started_ns, (int64_t)second(0));
    ck_assert_int_eq(account.ended_ns, (int64_t)second(0) + 360000000);
    ck_assert_double_eq(account.gross_j, 1);
    ck_assert_double_eq(account.gross_low_j, 2);
    ck_assert_double_eq(account.gross_high_j, 3);
    ck_assert_double_eq(account.embodied_kgco2eq, 4);
    ck_assert_double_eq(account.facility_kwh, 5);
    ck_assert_double_eq(account.gross_kgco2eq, 6);
    ck_assert_double_eq(account.market_kgco2eq, 7);
    ck_assert_double_eq(account.td_losses_kgco2eq, 8);
    ck_assert_double_eq(account.upstream_kgco2eq, 9);
    ck_assert_double_eq(account.warmup_j, 0);
    ck_assert(isnan(account.net_j) && isnan(account.net_kgco2eq) && isnan(account.variance_j2));
    json_close(record);
}
END_TEST

/* Its energy is even over the time that it takes: an hour, of which a quarter of an hour lies within. */
START_TEST(an_estimate_is_cut_by_time)
{
    static const char text[] =
        "{\"schema\":\"carbon.estimate/1\",\"started_at\":\"2026-01-01T00:00:00.000Z\",\"hours\":1,"
        "\"energy_j\":1000,\"sci\":{\"embodied_kgco2eq\":4},\"emissions\":{\"kgco2eq\":6}}";
    struct account account;
    struct error err;
    struct cJSON *record = json_parse(text, "e.json", &err);

    ck_assert_ptr_nonnull(record);
    account_between(record, second(2700), second(9000), &account);
    NEAR(account.gross_j, 250);
    NEAR(account.gross_kgco2eq, 1.5);
    NEAR(account.embodied_kgco2eq, 1);
    NEAR(account.duration_s, 900);
    ck_assert_int_eq(account.ended_ns, (int64_t)second(3600));
    account_between(record, second(900), second(2700), &account);
    NEAR(account.gross_j, 500);
    account_between(record, second(3600), second(9000), &account);
    ck_assert_double_eq(account.gross_j, 0);
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
    struct account account;

    account_between(record, second(0), second(60), &account);
    NEAR(account.gross_j, 150 / 5.0);
    NEAR(account.duration_s, 150);
    json_close(record);
    record = record_of(unknown);
    account_between(record, second(10), second(20), &account);
    ck_assert_double_eq(account.gross_j, 0);
    NEAR(account.duration_s, 150);
    account_between(record, second(0), second(10), &account);
    NEAR(account.gross_j, 150);
    json_close(record);
    record = record_of(nothing);
    account_between(record, second(0), second(10), &account);
    NEAR(account.gross_j, 150);
    ck_assert_int_eq(account.runs, 3);
    json_close(record);
}
END_TEST

static char *times_of(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns)
{
    struct error err;
    char *times = account_times(record, from_ns, to_ns, &err);

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
    struct account first = { .machine = "m", .times = "30+20=500", .gross_j = 500 };
    struct account account = { .machine = "m", .times = "0+10=100 30+10=300", .gross_j = 400, .net_j = 200 }, same;
    struct account_once once;
    struct error err;

    account.gross_kgco2eq = 4;
    account.own_j = 40;
    account.variance_j2 = 16;
    account.market_kgco2eq = NAN;
    same = account;
    ck_assert(account_count_once(&machines, &first, &once, &err));
    ck_assert(once.gross_j == 0 && once.of_energy == 1 && once.of_time == 1 && first.gross_j == 500);
    ck_assert(account_count_once(&machines, &account, &once, &err));
    NEAR(once.gross_j, 300);
    NEAR(once.of_energy, 0.25);
    NEAR(once.of_time, 0.5);
    NEAR(account.gross_j, 100);
    NEAR(account.net_j, 50);
    NEAR(account.gross_kgco2eq, 1);
    NEAR(account.own_j, 40); /* each job's own */
    NEAR(account.variance_j2, 1);
    ck_assert(isnan(account.market_kgco2eq));
    same.machine = NULL; /* of an unknown one all counts */
    ck_assert(account_count_once(&machines, &same, &once, &err));
    ck_assert(once.gross_j == 0 && same.gross_j == 400);
    same = (struct account){ .machine = "m", .times = "5+10=null", .gross_j = 8 }; /* by time */
    ck_assert(account_count_once(&machines, &same, &once, &err));
    NEAR(same.gross_j, 4);
    same = (struct account){ .machine = "m", .times = "damaged", .gross_j = 8 };
    ck_assert(account_count_once(&machines, &same, &once, &err));
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
        struct account account;
        ck_assert_ptr_nonnull(record);
        account_of(record, &account);
        ck_assert_pstr_eq(account.machine, records[i][1]);
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
