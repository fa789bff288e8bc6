/* SPDX-License-Identifier: MIT
 * The columns of a record: members of it, taken as they stand. An estimate and an imported record have the keys of a
 * record where they have its figures. */
#include "base/units.h"
#include "ledger/sql.h"

#include "base/text.h"
#include "form/shell.h"
#include "io/json_read.h"
#include "ledger/contribution.h"
#include "result/estimate/estimate.h"
#include "result/record_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN(member, kind)                                                                                           \
    {                                                                                                                  \
#member, kind, offsetof(struct ledger_row, member)                                                             \
    }

const struct ledger_column ledger_columns[LEDGER_COLUMNS] = {
    COLUMN(id, LEDGER_TEXT),
    COLUMN(schema, LEDGER_TEXT),
    COLUMN(started_ns, LEDGER_TIME),
    COLUMN(ended_ns, LEDGER_TIME),
    COLUMN(label, LEDGER_TEXT),
    COLUMN(project, LEDGER_TEXT),
    COLUMN(command, LEDGER_TEXT),
    COLUMN(zone, LEDGER_TEXT),
    COLUMN(quality, LEDGER_TEXT),
    COLUMN(exit_status, LEDGER_INTEGER),
    COLUMN(runs, LEDGER_INTEGER),
    COLUMN(complete, LEDGER_TRUTH),
    COLUMN(duration_s, LEDGER_REAL),
    COLUMN(gross_j, LEDGER_REAL),
    COLUMN(net_j, LEDGER_REAL),
    COLUMN(gross_kgco2eq, LEDGER_REAL),
    COLUMN(net_kgco2eq, LEDGER_REAL),
    COLUMN(gross_market_kgco2eq, LEDGER_REAL),
    COLUMN(net_market_kgco2eq, LEDGER_REAL),
    COLUMN(parent_id, LEDGER_TEXT),
};

static int64_t whole_of(const struct cJSON *item)
{
    const double value = json_number(item);

    return value >= 0 && value < 1e15 ? (int64_t)value : -1;
}

static bool join_command(const struct cJSON *words, struct text *line)
{
    char **command = calloc(json_count(words) + 1, sizeof *command);
    size_t count = 0;

    if (!command)
        return false;
    for (const struct cJSON *word = json_first(words); word; word = json_next(word))
        command[count++] = (char *)json_text(word);
    shell_command(command, line);
    free(command);
    return text_ok(line);
}

/* An estimate that was kept: of one run, which nobody has seen. */
static void take_estimate(const struct cJSON *record, struct ledger_row *row)
{
    row->runs = row->complete = 1;
    row->duration_s = json_number(ESTIMATE_ITEM(record, hours)) * S_PER_H;
    row->gross_j = json_number(ESTIMATE_ITEM(record, energy_j));
    row->gross_kgco2eq = json_number(ESTIMATE_ITEM(record, footprint.kgco2eq));
    row->gross_market_kgco2eq = json_number(ESTIMATE_ITEM(record, market.kgco2eq));
}

bool ledger_row_of(const struct cJSON *record, const char *path, struct ledger_row *row, struct text *line,
                   struct error *err)
{
    const bool estimate = strcmp(json_schema(record), ESTIMATE_SCHEMA) == 0;

    text_open(line, SIZE_MAX);
    if (estimate || imported_is(record) ? !json_check_identity(record, path, err)
                                        : !json_is_form(record, path, REPORT_SCHEMA, err))
        return false;
    if (!json_given_text(RECORD_ITEM(record, id))) {
        error_set(err, ERROR_BAD_DATA, "'%s' is malformed", path);
        return error_why(err, "it has no id");
    }
    if (!join_command(RECORD_ITEM(record, command), line))
        return error_set(err, ERROR_SYSTEM, "no memory for the command of '%s'", path);
    *row = (struct ledger_row){
        .id = json_text(RECORD_ITEM(record, id)),
        .schema = json_schema(record),
        .started_ns = json_time_ns(RECORD_ITEM(record, started_realtime_ns)),
        .ended_ns = json_time_ns(RECORD_ITEM(record, ended_realtime_ns)),
        .label = json_given_text(RECORD_ITEM(record, label)),
        .project = json_given_text(RECORD_ITEM(record, project)),
        .command = line->data && *line->data ? line->data : NULL,
        .zone = json_given_text(RECORD_ITEM(record, factor.zone)),
        .quality = json_given_text(RECORD_ITEM(record, summary.quality)),
        .exit_status = whole_of(RECORD_ITEM(record, exit_status)),
        .runs = whole_of(RECORD_ITEM(record, summary.runs)),
        .complete = json_truth(RECORD_ITEM(record, complete)),
        .duration_s = json_number(RECORD_ITEM(record, summary.duration_s.mean)),
        .gross_j = json_number(RECORD_ITEM(record, summary.total.gross_j.mean)),
        .net_j = json_number(RECORD_ITEM(record, summary.total.net_j.mean)),
        .gross_kgco2eq = json_number(RECORD_ITEM(record, gross.footprint.kgco2eq)),
        .net_kgco2eq = json_number(RECORD_ITEM(record, net.footprint.kgco2eq)),
        .gross_market_kgco2eq = json_number(RECORD_ITEM(record, gross_market.footprint.kgco2eq)),
        .net_market_kgco2eq = json_number(RECORD_ITEM(record, net_market.footprint.kgco2eq)),
        .parent_id = json_given_text(RECORD_ITEM(record, parent.id)),
    };
    if (estimate)
        take_estimate(record, row);
    return true;
}

static bool same(const struct ledger_column *column, const struct ledger_row *a, const struct ledger_row *b)
{
    const void *of_a = (const char *)a + column->offset, *of_b = (const char *)b + column->offset;

    if (column->kind == LEDGER_TEXT) {
        const char *text_a = *(const char *const *)of_a, *text_b = *(const char *const *)of_b;
        return text_a && text_b ? strcmp(text_a, text_b) == 0 : text_a == text_b;
    }
    if (column->kind == LEDGER_REAL) {
        const double real_a = *(const double *)of_a, real_b = *(const double *)of_b;
        return real_a == real_b || (isnan(real_a) && isnan(real_b));
    }
    return *(const int64_t *)of_a == *(const int64_t *)of_b;
}

const char *ledger_rows_differ(const struct ledger_row *a, const struct ledger_row *b)
{
    for (size_t i = 0; i < LEDGER_COLUMNS; i++)
        if (!same(&ledger_columns[i], a, b))
            return ledger_columns[i].name;
    return NULL;
}

struct sql_value sql_value_of(const void *row, const struct ledger_column *column)
{
    const void *member = (const char *)row + column->offset;
    struct sql_value value = { .kind = SQL_NULL };

    switch (column->kind) {
    case LEDGER_TEXT:
        value.text = *(const char *const *)member;
        value.kind = value.text ? SQL_TEXT : SQL_NULL;
        break;
    case LEDGER_REAL:
        value.real = *(const double *)member;
        value.kind = isnan(value.real) ? SQL_NULL : SQL_REAL;
        break;
    case LEDGER_INTEGER:
    case LEDGER_TIME:
    case LEDGER_TRUTH:
        value.integer = *(const int64_t *)member;
        value.kind = value.integer < 0 ? SQL_NULL : SQL_INTEGER;
        break;
    }
    return value;
}

/* A whole number may come back for a real one. */
void sql_take_value(void *row, const struct ledger_column *column, const struct sql_value *value)
{
    void *member = (char *)row + column->offset;

    if (column->kind == LEDGER_TEXT)
        *(const char **)member = value->kind == SQL_TEXT ? value->text : NULL;
    else if (column->kind == LEDGER_REAL)
        *(double *)member = value->kind == SQL_REAL      ? value->real
                            : value->kind == SQL_INTEGER ? (double)value->integer
                                                         : NAN;
    else
        *(int64_t *)member = value->kind == SQL_INTEGER ? value->integer : -1;
}
