/* SPDX-License-Identifier: MIT
 * What each record comes to in a sum of many, in a narrow table of its own: a year is read in one pass over it. */
#include "ledger/contributions.h"

#include "base/auto.h"
#include "base/text.h"
#include "io/json_read.h"
#include "ledger/query.h"

#include <stdlib.h>
#include <string.h>

#define COLUMN_AS(name, member, kind)                                                                                  \
    {                                                                                                                  \
        name, kind, offsetof(struct contribution, member)                                                              \
    }
#define COLUMN(member, kind) COLUMN_AS(#member, member, kind)

const struct ledger_column contribution_columns[CONTRIBUTION_COLUMNS] = {
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
    COLUMN_AS("told", reported, LEDGER_INTEGER),
    COLUMN(parent_id, LEDGER_TEXT),
};

/* In a sum the last one is asked for only by the database itself: there are millions of rows. */
enum { SUM_COLUMNS = CONTRIBUTION_COLUMNS - 1 };

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

static bool put_row(const struct ledger *ledger, const struct contribution *contribution,
                    const struct sql_value basis[2], const char *id, struct error *err)
{
    struct query query;

    query_open(&query);
    text_add(&query.sql, "INSERT INTO carbon_account (number, basis, ");
    query_columns(&query, "", contribution_columns, CONTRIBUTION_COLUMNS);
    query_bind(&query, ") SELECT number, (SELECT min(number) FROM carbon_basis WHERE hash = CAST(", basis[0],
               " AS BIGINT)");
    query_bind(&query, " AND basis = CAST(", basis[1], " AS TEXT))");
    for (size_t i = 0; i < CONTRIBUTION_COLUMNS; i++)
        query_bind(&query, ", CAST(", sql_value_of(contribution, &contribution_columns[i]),
                   cast_to(contribution_columns[i].kind));
    query_bind_text(&query, " FROM carbon_run WHERE id = ", id, " ON CONFLICT (number) DO NOTHING");
    return query_run(&query, ledger, NULL, NULL, err);
}

static void take_record(const struct cJSON *record, const char *times, struct contribution *contribution)
{
    contribution_of(record, contribution);
    contribution->times = *times ? times : NULL;
}

bool sql_put_contribution(const struct ledger *ledger, const struct cJSON *record, const char *id, struct error *err)
{
    AUTO_FREE char *text = contribution_basis(record, err);
    AUTO_FREE char *times = text ? contribution_times(record, 0, UINT64_MAX, err) : NULL;
    struct sql_value basis[2] = { { .kind = SQL_INTEGER }, { .kind = SQL_TEXT, .text = text } };
    struct contribution contribution;

    if (!times)
        return false;
    /* two texts of one hash are distinguished by the texts */
    basis[0].integer = (int64_t)(text_hash(text, strlen(text)) >> 1);
    take_record(record, times, &contribution);
    return put_basis(ledger, basis, err) && put_row(ledger, &contribution, basis, id, err);
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

/* An unreadable record has no account: `carbon ledger check` reports both. */
static bool fill_one(const struct ledger *ledger, const struct held *held, struct error *err)
{
    struct error unread;
    struct cJSON *document = json_parse(held->record, "a record of the ledger", &unread);
    const bool good = !document || sql_put_contribution(ledger, document, held->id, err);

    json_close(document);
    return good;
}

bool sql_fill_contributions(const struct ledger *ledger, struct error *err)
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

const char *sql_contribution_differs(const struct cJSON *record, const struct sql_value *values)
{
    struct error unknown;
    AUTO_FREE char *basis = contribution_basis(record, &unknown);
    AUTO_FREE char *times = contribution_times(record, 0, UINT64_MAX, &unknown);
    struct contribution contribution;

    if (!basis || values[0].kind != SQL_TEXT || strcmp(values[0].text, basis) != 0)
        return "basis";
    if (!times)
        return "times";
    take_record(record, times, &contribution);
    for (size_t i = 0; i < CONTRIBUTION_COLUMNS; i++) {
        const struct sql_value value = sql_value_of(&contribution, &contribution_columns[i]);
        if (!same(&value, &values[i + 1]))
            return contribution_columns[i].name;
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

static void ask_names(struct query *query, const struct contribution_filter *filter)
{
    query_bind_text(query, " AND a.project = ", filter->project, "");
    query_bind_text(query, " AND a.label = ", filter->label, "");
}

struct contributions_listing {
    const struct contribution_filter *filter;
    contribution_function *on_contribution;
    void *context;
};

static void read_contribution(const struct sql_value *values, struct contribution *contribution)
{
    contribution->parent_id = NULL;
    for (size_t i = 0; i < SUM_COLUMNS; i++)
        sql_take_value(contribution, &contribution_columns[i], &values[i]);
}

/* Its record has the part within the period. One that is not JSON has none, which `carbon ledger check` reports. */
static bool on_cut(const struct contributions_listing *listing, const char *record, int64_t basis, bool restated,
                   struct error *err)
{
    const struct contribution_filter *filter = listing->filter;
    struct error unread;
    struct cJSON *document = json_parse(record, "a record of the ledger", &unread);
    AUTO_FREE char *times = contribution_times(document, filter->from_ns, filter->to_ns, err);
    struct contribution contribution;
    bool good = times != NULL;

    if (document && good) {
        contribution_between(document, filter->from_ns, filter->to_ns, &contribution);
        contribution.times = *times ? times : NULL;
        good = (contribution.duration_s <= 0 && contribution.gross_j <= 0) ||
               listing->on_contribution(&contribution, basis, restated, listing->context, err);
    }
    json_close(document);
    return good;
}

static bool on_row(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    const struct contributions_listing *listing = context;
    const int64_t basis = values[0].kind == SQL_INTEGER ? values[0].integer : -1;
    const bool restated = values[1].integer != 0;
    struct contribution contribution;

    (void)count;
    if (values[2].kind == SQL_TEXT)
        return on_cut(listing, values[2].text, basis, restated, err);
    read_contribution(values + 3, &contribution);
    return listing->on_contribution(&contribution, basis, restated, listing->context, err);
}

/* The records of those that an edge of the period cuts, which are few, are read with them. */
static bool list(struct ledger *ledger, struct contributions_listing *listing, const char *which, const char *order,
                 struct error *err)
{
    const struct contribution_filter *filter = listing->filter;
    struct query query;

    query_open(&query);
    text_add(&query.sql, "SELECT a.basis, %s, ", filter->restated ? last_counts : first_counts);
    query_bind_number(&query, "CASE WHEN a.started_ns < ", filter->from_ns);
    query_bind_number(&query, " OR a.ended_ns > ", filter->to_ns);
    text_add(&query.sql, " THEN COALESCE((SELECT d.record FROM carbon_record d WHERE d.number = a.number), '') END, ");
    query_columns(&query, "a.", contribution_columns, SUM_COLUMNS);
    query_bind_number(&query, " FROM carbon_account a WHERE a.started_ns < ", filter->to_ns);
    query_bind_number(&query, " AND (a.started_ns >= ", filter->from_ns);
    query_bind_number(&query, " OR a.ended_ns > ", filter->from_ns);
    text_add(&query.sql, ")");
    ask_names(&query, filter);
    text_add(&query.sql, " AND a.told %s ORDER BY %s", which, order);
    return query_run(&query, ledger, on_row, listing, err);
}

bool ledger_contributions(struct ledger *ledger, const struct contribution_filter *filter,
                          contribution_function *on_contribution, void *context, struct error *err)
{
    struct contributions_listing listing = { filter, on_contribution, context };

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

bool ledger_has_reported(struct ledger *ledger, bool *reported, struct error *err)
{
    *reported = false;
    return ledger->backend->run(ledger->connection, "SELECT 1 FROM carbon_account WHERE told > 0 LIMIT 1", NULL, 0,
                                take_any, reported, err);
}

struct basis_listing {
    contribution_basis_function *on_basis;
    void *context;
};

static bool on_basis(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    const struct basis_listing *listing = context;

    (void)count;
    return values[1].kind != SQL_TEXT || listing->on_basis(values[0].integer, values[1].text, listing->context, err);
}

bool ledger_bases(struct ledger *ledger, contribution_basis_function *function, void *context, struct error *err)
{
    struct basis_listing listing = { function, context };

    return ledger->backend->run(ledger->connection, "SELECT number, basis FROM carbon_basis ORDER BY number", NULL, 0,
                                on_basis, &listing, err);
}
