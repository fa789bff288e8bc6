/* SPDX-License-Identifier: MIT
 * Whether a ledger is sound: the database itself, and equality of columns and records. */
#include "ledger/sql.h"

#include "base/text.h"
#include "io/json_read.h"

#include <stdio.h>

struct checking {
    ledger_fault_function *on_fault;
    void *context;
    struct ledger_check *check;
};

static void fault(struct checking *checking, const char *what)
{
    checking->check->faults++;
    checking->on_fault(what, checking->context);
}

/* A fault is reported, and the next one is looked at. */
static bool check_record(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct checking *checking = context;
    struct ledger_row again;
    struct error reason;
    struct text line;
    struct cJSON *document = json_parse(record, "it", &reason);
    char what[sizeof reason.what + 128];
    const char *column = NULL;

    (void)err;
    checking->check->records++;
    text_open(&line, 1);
    if (!document || !ledger_row_of(document, "it", &again, &line, &reason)) {
        snprintf(what, sizeof what, "record %.40s: %s", row->id ? row->id : "?", reason.what);
        fault(checking, what);
    } else if ((column = ledger_rows_differ(row, &again))) {
        snprintf(what, sizeof what, "record %.40s: the column %s is not what the record says", row->id ? row->id : "?",
                 column);
        fault(checking, what);
    }
    text_close(&line);
    json_close(document);
    return true;
}

static bool take_count(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    (void)count;
    (void)err;
    *(int64_t *)context = values[0].integer;
    return true;
}

/* What has lost its other half. */
static bool check_pairs(struct ledger *ledger, struct checking *checking, const char *sql, const char *what,
                        struct error *err)
{
    int64_t count = 0;
    char text[128];

    if (!ledger->backend->run(ledger->connection, sql, NULL, 0, take_count, &count, err))
        return false;
    if (count > 0) {
        snprintf(text, sizeof text, "%lld %s", (long long)count, what);
        fault(checking, text);
    }
    return true;
}

static bool check_contribution(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    struct checking *checking = context;
    const char *record = values[1].kind == SQL_TEXT ? values[1].text : "";
    struct error reason;
    struct cJSON *document = json_parse(record, "it", &reason);
    const char *column = document ? sql_contribution_differs(document, values + 2) : NULL;
    char what[256];

    (void)count;
    (void)err;
    /* of one that is no JSON the look at the rows has reported */
    if (column) {
        snprintf(what, sizeof what, "record %.40s: in its account, %s is not what the record says",
                 values[0].kind == SQL_TEXT ? values[0].text : "?", column);
        fault(checking, what);
    }
    json_close(document);
    return true;
}

static bool check_contributions(struct ledger *ledger, struct checking *checking, struct error *err)
{
    struct text sql;
    bool good;

    text_open(&sql, 1 << 14);
    text_add(&sql, "SELECT r.id, d.record, b.basis");
    for (size_t i = 0; i < CONTRIBUTION_COLUMNS; i++)
        text_add(&sql, ", a.%s", contribution_columns[i].name);
    text_add(&sql, " FROM carbon_account a JOIN carbon_run r ON r.number = a.number JOIN carbon_record d ON d.number = "
                   "a.number LEFT JOIN carbon_basis b ON b.number = a.basis");
    good = text_ok(&sql)
               ? ledger->backend->run(ledger->connection, sql.data, NULL, 0, check_contribution, checking, err)
               : error_set(err, ERROR_SYSTEM, "no memory for the question to the ledger");
    text_close(&sql);
    return good;
}

static bool check_records(struct ledger *ledger, struct checking *checking, struct error *err)
{
    const struct ledger_filter all = { .with_record = true };

    return ledger_list(ledger, &all, check_record, checking, err) &&
           check_pairs(ledger, checking,
                       "SELECT count(*) FROM carbon_run r LEFT JOIN carbon_record d ON d.number = r.number "
                       "WHERE d.number IS NULL",
                       "rows have no record", err) &&
           check_pairs(ledger, checking,
                       "SELECT count(*) FROM carbon_record d LEFT JOIN carbon_run r ON r.number = d.number "
                       "WHERE r.number IS NULL",
                       "records have no row", err) &&
           check_pairs(ledger, checking,
                       "SELECT count(*) FROM carbon_run r LEFT JOIN carbon_account a ON a.number = r.number "
                       "WHERE a.number IS NULL",
                       "records have no account", err) &&
           check_contributions(ledger, checking, err);
}

bool ledger_check(struct ledger *ledger, ledger_fault_function *on_fault, void *context, struct ledger_check *check,
                  struct error *err)
{
    struct checking checking = { on_fault, context, check };

    *check = (struct ledger_check){ .records = 0 };
    if (ledger->backend->inspect &&
        !ledger->backend->inspect(ledger->connection, on_fault, context, &check->faults, err))
        return false;
    if (check_records(ledger, &checking, err))
        return true;
    if (err->kind != ERROR_BAD_DATA)
        return false;
    fault(&checking, err->why);
    return true;
}
