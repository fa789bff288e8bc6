/* SPDX-License-Identifier: MIT
 * The columns of a record: each from its own member, to a database and back, and where two of them differ. */
#include "unit.h"

#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "ledger/sql.h"

#include <math.h>
#include <string.h>

#define STARTED_NS (INT64_C(1767225600) * 1000000000) /* 2026 */

static struct ledger_row row_of(const char *json, struct text *line)
{
    struct ledger_row row;
    struct error err;
    struct cJSON *record = json_parse(json, "r.json", &err);

    ck_assert_ptr_nonnull(record);
    ck_assert_msg(ledger_row_of(record, "r.json", &row, line, &err), "%s: %s", err.what, err.why);
    /* the texts are the record's */
    row.id = row.schema = row.label = row.project = row.zone = row.quality = row.parent_id = NULL;
    json_close(record);
    return row;
}

/* Of one run, which nobody has seen. */
START_TEST(an_estimate_that_is_kept)
{
    struct text line;
    const struct ledger_row row =
        row_of("{\"schema\":\"carbon.estimate/1\",\"id\":\"i\",\"started_at\":\"2026-01-01T00:00:00.000Z\","
               "\"hours\":2.5,\"energy_j\":1,\"runs\":7,\"complete\":false,\"command\":[\"a b\",\"c\"],"
               "\"duration_s\":{\"mean\":9},\"gross_j\":{\"mean\":9},\"net_j\":{\"mean\":9},"
               "\"emissions\":{\"kgco2eq\":2,\"market_kgco2eq\":3}}",
               &line);

    ck_assert_int_eq(row.runs, 1);
    ck_assert_int_eq(row.complete, 1);
    ck_assert_int_eq(row.started_ns, STARTED_NS);
    ck_assert_int_eq(row.ended_ns, -1);
    ck_assert_int_eq(row.exit_status, -1);
    ck_assert_double_eq(row.duration_s, 9000);
    ck_assert_double_eq(row.gross_j, 1);
    ck_assert_double_eq(row.gross_kgco2eq, 2);
    ck_assert_double_eq(row.gross_market_kgco2eq, 3);
    ck_assert(isnan(row.net_kgco2eq) && isnan(row.net_market_kgco2eq));
    ck_assert_str_eq(row.command, "'a b' c");
    text_close(&line);
}
END_TEST

START_TEST(what_a_record_does_not_say)
{
    struct text line;
    const struct ledger_row row =
        row_of("{\"schema\":\"carbon.record/1\",\"id\":\"i\",\"runs\":-1,\"exit_status\":0}", &line);

    ck_assert_int_eq(row.runs, -1);
    ck_assert_int_eq(row.exit_status, 0);
    ck_assert_int_eq(row.complete, 0);
    ck_assert_int_eq(row.started_ns, -1);
    ck_assert(isnan(row.duration_s) && isnan(row.gross_j) && isnan(row.net_j) && isnan(row.gross_kgco2eq));
    ck_assert_ptr_null(row.command);
    text_close(&line);
}
END_TEST

START_TEST(what_is_no_record)
{
    struct ledger_row row;
    struct text line;
    struct error err;
    struct cJSON *record = json_parse("{\"schema\":\"carbon.record/1\"}", "r.json", &err);

    ck_assert(!ledger_row_of(record, "r.json", &row, &line, &err));
    ck_assert_str_eq(err.why, "it has no id");
    json_close(record);
    record = json_parse("{\"schema\":\"other/1\",\"id\":\"i\"}", "r.json", &err);
    ck_assert(!ledger_row_of(record, "r.json", &row, &line, &err));
    json_close(record);
}
END_TEST

/* Every column of its own value. */
static struct ledger_row whole_row(void)
{
    return (struct ledger_row){
        .id = "id",
        .schema = "schema",
        .started_ns = 1,
        .ended_ns = 2,
        .label = "label",
        .project = "project",
        .command = "command",
        .zone = "zone",
        .quality = "quality",
        .exit_status = 3,
        .runs = 4,
        .complete = 1,
        .duration_s = 6.5,
        .gross_j = 7.5,
        .net_j = 8.5,
        .gross_kgco2eq = 9.5,
        .net_kgco2eq = 10.5,
        .gross_market_kgco2eq = 11.5,
        .net_market_kgco2eq = 12.5,
        .parent_id = "parent",
    };
}

START_TEST(the_first_difference_is_named)
{
    const struct ledger_row row = whole_row();

    ck_assert_ptr_null(ledger_rows_differ(&row, &row));
    for (size_t i = 0; i < LEDGER_COLUMNS; i++) {
        struct ledger_row other = row, unknown = row, also;
        char *place = (char *)&other + ledger_columns[i].offset, *no = (char *)&unknown + ledger_columns[i].offset;

        if (ledger_columns[i].kind == LEDGER_TEXT) {
            *(const char **)place = "other";
            *(const char **)no = NULL;
        } else if (ledger_columns[i].kind == LEDGER_REAL) {
            *(double *)place += 1;
            *(double *)no = NAN;
        } else {
            *(int64_t *)place += 1;
            *(int64_t *)no = -1;
        }
        also = unknown;
        if (ledger_columns[i].kind == LEDGER_REAL)
            *(double *)((char *)&also + ledger_columns[i].offset) = -NAN; /* which is no other number */
        ck_assert_str_eq(ledger_rows_differ(&row, &other), ledger_columns[i].name);
        ck_assert_str_eq(ledger_rows_differ(&row, &unknown), ledger_columns[i].name);
        ck_assert_str_eq(ledger_rows_differ(&unknown, &other), ledger_columns[i].name);
        ck_assert_ptr_null(ledger_rows_differ(&unknown, &also));
    }
}
END_TEST

/* There and back again, be it known or not. */
START_TEST(values_of_a_database)
{
    static const enum sql_kind kinds[] = {
        [LEDGER_TEXT] = SQL_TEXT,     [LEDGER_INTEGER] = SQL_INTEGER, [LEDGER_TIME] = SQL_INTEGER,
        [LEDGER_TRUTH] = SQL_INTEGER, [LEDGER_REAL] = SQL_REAL,
    };
    const struct ledger_row row = whole_row();
    const struct sql_value nothing = { .kind = SQL_NULL }, whole = { .kind = SQL_INTEGER, .integer = 42 };
    struct ledger_row back = { .id = NULL }, unknown = { .id = "x" }, none;

    for (size_t i = 0; i < LEDGER_COLUMNS; i++) {
        const struct sql_value value = sql_value_of(&row, &ledger_columns[i]);
        ck_assert_int_eq(value.kind, kinds[ledger_columns[i].kind]);
        sql_take_value(&back, &ledger_columns[i], &value);
        sql_take_value(&unknown, &ledger_columns[i], &nothing);
        ck_assert_int_eq(sql_value_of(&unknown, &ledger_columns[i]).kind, SQL_NULL);
        if (ledger_columns[i].kind != LEDGER_TEXT) {
            none = row;
            sql_take_value(&none, &ledger_columns[i], &whole);
            ck_assert_str_eq(ledger_rows_differ(&none, &row), ledger_columns[i].name);
        }
    }
    ck_assert_ptr_null(ledger_rows_differ(&row, &back));
    ck_assert(isnan(unknown.gross_j) && unknown.runs == -1 && !unknown.label);
    sql_take_value(&none, &ledger_columns[13], &whole); /* a whole number may come for a real one */
    ck_assert_str_eq(ledger_columns[13].name, "gross_j");
    ck_assert_double_eq(none.gross_j, 42);
    /* 0 is a number: a status, a time */
    none.exit_status = 0;
    ck_assert_int_eq(sql_value_of(&none, &ledger_columns[9]).kind, SQL_INTEGER);
    ck_assert_str_eq(ledger_columns[9].name, "exit_status");
}
END_TEST

UNIT_SUITE("row", an_estimate_that_is_kept, what_a_record_does_not_say, what_is_no_record,
           the_first_difference_is_named, values_of_a_database)
