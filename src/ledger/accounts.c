/* SPDX-License-Identifier: MIT
 * What each record comes to in a sum of many, in a narrow table of its own: a year is read in one pass over it. */
#include "ledger/accounts.h"

#include "base/auto.h"
#include "base/text.h"
#include "io/json_read.h"
#include "ledger/question.h"

#include <stdlib.h>
#include <string.h>

#define COLUMN(member, kind)                                                                                           \
    {                                                                                                                  \
#member, kind, offsetof(struct account, member)                                                                \
    }

const struct ledger_column account_columns[ACCOUNT_COLUMNS] = {
    COLUMN(started_ns, LEDGER_TIME),
    COLUMN(ended_ns, LEDGER_TIME),
    COLUMN(project, LEDGER_TEXT),
    COLUMN(label, LEDGER_TEXT),
    COLUMN(quality, LEDGER_TEXT),
    COLUMN(complete, LEDGER_TRUTH),
    COLUMN(recorded, LEDGER_TRUTH),
    COLUMN(estimated, LEDGER_TRUTH),
    COLUMN(runs, LEDGER_INTEGER),
    COLUMN(duration_s, LEDGER_REAL),
    COLUMN(gross_j, LEDGER_REAL),
    COLUMN(variance_j2, LEDGER_REAL),
    COLUMN(gross_low_j, LEDGER_REAL),
    COLUMN(gross_high_j, LEDGER_REAL),
    COLUMN(net_j, LEDGER_REAL),
    COLUMN(facility_kwh, LEDGER_REAL),
    COLUMN(gross_kgco2eq, LEDGER_REAL),
    COLUMN(net_kgco2eq, LEDGER_REAL),
    COLUMN(market_kgco2eq, LEDGER_REAL),
    COLUMN(td_losses_kgco2eq, LEDGER_REAL),
    COLUMN(upstream_kgco2eq, LEDGER_REAL),
    COLUMN(embodied_kgco2eq, LEDGER_REAL),
    COLUMN(warmup_j, LEDGER_REAL),
    COLUMN(covered, LEDGER_REAL),
    COLUMN(own_j, LEDGER_REAL),
    COLUMN(own_kgco2eq, LEDGER_REAL),
    COLUMN(own_method, LEDGER_TEXT),
    COLUMN(sci_units, LEDGER_REAL),
    COLUMN(sci_unit, LEDGER_TEXT),
    COLUMN(machine, LEDGER_TEXT),
    COLUMN(times, LEDGER_TEXT),
    COLUMN(job, LEDGER_INTEGER),
    COLUMN(cluster, LEDGER_TEXT),
    COLUMN(nodes, LEDGER_TEXT),
    COLUMN(node_count, LEDGER_INTEGER),
    COLUMN(told, LEDGER_INTEGER),
    COLUMN(parent_id, LEDGER_TEXT),
};

/* In a sum the last one is asked for only by the database itself: there are millions of rows. */
enum { SUM_COLUMNS = ACCOUNT_COLUMNS - 1 };

/* A basis that two processes put there at the same time is there twice, which costs nothing. */
static bool put_basis(const struct ledger *ledger, const struct sql_value *values, struct error *err)
{
    return ledger->backend->run(ledger->connection,
                                "INSERT INTO carbon_basis (hash, basis) SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT) "
                                "WHERE NOT EXISTS (SELECT 1 FROM carbon_basis WHERE hash = CAST($1 AS BIGINT) AND "
                                "basis = CAST($2 AS TEXT))",
                                values, 2, NULL, NULL, err);
}

static const char *cast_to(enum ledger_kind kind)
{
    return kind == LEDGER_TEXT ? " AS TEXT)" : kind == LEDGER_REAL ? " AS DOUBLE PRECISION)" : " AS BIGINT)";
}

static bool put_row(const struct ledger *ledger, const struct account *account, const struct sql_value basis[2],
                    const char *id, struct error *err)
{
    struct question question;

    question_open(&question);
    text_add(&question.sql, "INSERT INTO carbon_account (number, basis, ");
    question_columns(&question, "", account_columns, ACCOUNT_COLUMNS);
    question_ask(&question, ") SELECT number, (SELECT min(number) FROM carbon_basis WHERE hash = CAST(", basis[0],
                 " AS BIGINT)");
    question_ask(&question, " AND basis = CAST(", basis[1], " AS TEXT))");
    for (size_t i = 0; i < ACCOUNT_COLUMNS; i++)
        question_ask(&question, ", CAST(", sql_value_of(account, &account_columns[i]),
                     cast_to(account_columns[i].kind));
    question_ask_text(&question, " FROM carbon_run WHERE id = ", id, " ON CONFLICT (number) DO NOTHING");
    return question_run(&question, ledger, NULL, NULL, err);
}

static void take_record(const struct cJSON *record, const char *times, struct account *account)
{
    account_of(record, account);
    account->times = *times ? times : NULL;
}

bool sql_put_account(const struct ledger *ledger, const struct cJSON *record, const char *id, struct error *err)
{
    AUTO_FREE char *text = account_basis(record, err);
    AUTO_FREE char *times = text ? account_times(record, 0, UINT64_MAX, err) : NULL;
    struct sql_value basis[2] = { { .kind = SQL_INTEGER }, { .kind = SQL_TEXT, .text = text } };
    struct account account;

    if (!times)
        return false;
    /* two texts of one hash are told apart by the texts */
    basis[0].integer = (int64_t)(text_hash(text, strlen(text)) >> 1);
    take_record(record, times, &account);
    return put_basis(ledger, basis, err) && put_row(ledger, &account, basis, id, err);
}

/* A record that is to be looked at outside of the statement that found it. */
struct held {
    int64_t number;
    char *id, *record;
};

static bool hold(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    struct held *held = context;

    (void)count;
    held->number = values[0].integer;
    held->id = values[1].kind == SQL_TEXT ? strdup(values[1].text) : NULL;
    held->record = values[2].kind == SQL_TEXT ? strdup(values[2].text) : NULL;
    return (held->id && held->record) || error_set(err, ERROR_SYSTEM, "no memory for a record of the ledger");
}

/* One that cannot be read has no account: `carbon ledger check` tells of both. */
static bool fill_one(const struct ledger *ledger, const struct held *held, struct error *err)
{
    struct error unread;
    struct cJSON *document = json_parse(held->record, "a record of the ledger", &unread);
    const bool good = !document || sql_put_account(ledger, document, held->id, err);

    json_close(document);
    return good;
}

bool sql_fill_accounts(const struct ledger *ledger, struct error *err)
{
    struct held held = { .number = 0 };
    bool good = true, more = true;

    while (good && more) {
        const struct sql_value after = { .kind = SQL_INTEGER, .integer = held.number };
        held = (struct held){ .number = 0 };
        good = ledger->backend->run(ledger->connection,
                                    "SELECT r.number, r.id, d.record FROM carbon_record d JOIN carbon_run r ON "
                                    "r.number = d.number WHERE d.number > $1 ORDER BY d.number LIMIT 1",
                                    &after, 1, hold, &held, err);
        more = held.record != NULL;
        good = good && (!more || fill_one(ledger, &held, err));
        free(held.id);
        free(held.record);
    }
    return good;
}

static bool same(const struct sql_value *a, const struct sql_value *b)
{
    if (a->kind == SQL_TEXT || b->kind == SQL_TEXT)
        return a->kind == b->kind && strcmp(a->text, b->text) == 0;
    if (a->kind == SQL_NULL || b->kind == SQL_NULL)
        return a->kind == b->kind;
    return (a->kind == SQL_REAL ? a->real : (double)a->integer) == (b->kind == SQL_REAL ? b->real : (double)b->integer);
}

const char *sql_account_differs(const struct cJSON *record, const struct sql_value *values)
{
    struct error unknown;
    AUTO_FREE char *basis = account_basis(record, &unknown);
    AUTO_FREE char *times = account_times(record, 0, UINT64_MAX, &unknown);
    struct account account;

    if (!basis || values[0].kind != SQL_TEXT || strcmp(values[0].text, basis) != 0)
        return "basis";
    if (!times)
        return "times";
    take_record(record, times, &account);
    for (size_t i = 0; i < ACCOUNT_COLUMNS; i++) {
        const struct sql_value value = sql_value_of(&account, &account_columns[i]);
        if (!same(&value, &values[i + 1]))
            return account_columns[i].name;
    }
    return NULL;
}

/* A record that restates another which is here is left out; of several that restate one which is not here, the last
 * counts. */
static const char first_counts[] =
    "CASE WHEN a.parent_id IS NULL THEN 0 WHEN EXISTS (SELECT 1 FROM carbon_run p WHERE p.id = a.parent_id) OR "
    "EXISTS (SELECT 1 FROM carbon_account s WHERE s.parent_id = a.parent_id AND s.number > a.number) THEN 1 ELSE 0 END";

/* The other way round: of all that go back to one record, over however many steps, the last counts. UNION, unlike UNION
 * ALL, ends where records would restate each other in a circle. */
static const char last_counts[] =
    "CASE WHEN a.number IN (WITH RECURSIVE chain (number, root) AS (SELECT number, parent_id FROM carbon_account WHERE "
    "parent_id IS NOT NULL UNION SELECT c.number, p.parent_id FROM chain c JOIN carbon_run p ON p.id = c.root WHERE "
    "p.parent_id IS NOT NULL), line (number, root) AS (SELECT number, root FROM chain WHERE NOT EXISTS (SELECT 1 FROM "
    "carbon_run p WHERE p.id = chain.root AND p.parent_id IS NOT NULL)) "
    "SELECT number FROM line l WHERE number < (SELECT max(number) FROM line m WHERE m.root = l.root) "
    "UNION SELECT p.number FROM carbon_run p JOIN line ON line.root = p.id) THEN 1 ELSE 0 END";

static void ask_names(struct question *question, const struct account_filter *filter)
{
    question_ask_text(question, " AND a.project = ", filter->project, "");
    question_ask_text(question, " AND a.label = ", filter->label, "");
}

struct listing {
    const struct account_filter *filter;
    account_function *on_account;
    void *context;
};

static void take_account(const struct sql_value *values, struct account *account)
{
    account->parent_id = NULL;
    for (size_t i = 0; i < SUM_COLUMNS; i++)
        sql_take_value(account, &account_columns[i], &values[i]);
}

/* Its record says what of it lies in the period. One that is no JSON has nothing in it, which `carbon ledger check`
 * tells. */
static bool on_cut(const struct listing *listing, const char *record, int64_t basis, bool restated, struct error *err)
{
    const struct account_filter *filter = listing->filter;
    struct error unread;
    struct cJSON *document = json_parse(record, "a record of the ledger", &unread);
    AUTO_FREE char *times = account_times(document, filter->from_ns, filter->to_ns, err);
    struct account account;
    bool good = times != NULL;

    if (document && good) {
        account_between(document, filter->from_ns, filter->to_ns, &account);
        account.times = *times ? times : NULL;
        good = (account.duration_s <= 0 && account.gross_j <= 0) ||
               listing->on_account(&account, basis, restated, listing->context, err);
    }
    json_close(document);
    return good;
}

static bool on_row(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    const struct listing *listing = context;
    const int64_t basis = values[0].kind == SQL_INTEGER ? values[0].integer : -1;
    const bool restated = values[1].integer != 0;
    struct account account;

    (void)count;
    if (values[2].kind == SQL_TEXT)
        return on_cut(listing, values[2].text, basis, restated, err);
    take_account(values + 3, &account);
    return listing->on_account(&account, basis, restated, listing->context, err);
}

/* The records of those that an edge of the period cuts, which are few, are read with them. */
static bool list(struct ledger *ledger, struct listing *listing, const char *which, const char *order,
                 struct error *err)
{
    const struct account_filter *filter = listing->filter;
    struct question question;

    question_open(&question);
    text_add(&question.sql, "SELECT a.basis, %s, ", filter->restated ? last_counts : first_counts);
    question_ask_number(&question, "CASE WHEN a.started_ns < ", filter->from_ns);
    question_ask_number(&question, " OR a.ended_ns > ", filter->to_ns);
    text_add(&question.sql,
             " THEN COALESCE((SELECT d.record FROM carbon_record d WHERE d.number = a.number), '') END, ");
    question_columns(&question, "a.", account_columns, SUM_COLUMNS);
    question_ask_number(&question, " FROM carbon_account a WHERE a.started_ns < ", filter->to_ns);
    question_ask_number(&question, " AND (a.started_ns >= ", filter->from_ns);
    question_ask_number(&question, " OR a.ended_ns > ", filter->from_ns);
    text_add(&question.sql, ")");
    ask_names(&question, filter);
    text_add(&question.sql, " AND a.told %s ORDER BY %s", which, order);
    return question_run(&question, ledger, on_row, listing, err);
}

bool ledger_accounts(struct ledger *ledger, const struct account_filter *filter, account_function *on_account,
                     void *context, struct error *err)
{
    struct listing listing = { filter, on_account, context };

    return list(ledger, &listing, "= 0", "a.started_ns", err) &&
           list(ledger, &listing, "> 0", "a.told DESC, a.started_ns", err);
}

static bool take_any(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    (void)values;
    (void)count;
    (void)err;
    *(bool *)context = true;
    return true;
}

bool ledger_has_told(struct ledger *ledger, bool *told, struct error *err)
{
    *told = false;
    return ledger->backend->run(ledger->connection, "SELECT 1 FROM carbon_account WHERE told > 0 LIMIT 1", NULL, 0,
                                take_any, told, err);
}

struct basis_listing {
    account_basis_function *on_basis;
    void *context;
};

static bool on_basis(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    const struct basis_listing *listing = context;

    (void)count;
    return values[1].kind != SQL_TEXT || listing->on_basis(values[0].integer, values[1].text, listing->context, err);
}

bool ledger_bases(struct ledger *ledger, account_basis_function *function, void *context, struct error *err)
{
    struct basis_listing listing = { function, context };

    return ledger->backend->run(ledger->connection, "SELECT number, basis FROM carbon_basis ORDER BY number", NULL, 0,
                                on_basis, &listing, err);
}
