/* SPDX-License-Identifier: MIT
 * Keeping records and finding them again, in whichever database they are. */
#include "ledger/query.h"

#include "base/auto.h"
#include "base/debug.h"
#include "base/text.h"
#include "io/json_read.h"
#include "result/record_fields.h"

#include <stdlib.h>
#include <string.h>

/* The shortest beginning of an id that is accepted: "1" could mean the first record of a list. */
enum { ID_LENGTH = 36, ID_BEGINNING = 4 };

bool sql_run(const struct ledger *ledger, const char *sql, struct error *err)
{
    return ledger->backend->run(ledger->connection, sql, NULL, 0, NULL, NULL, err);
}

bool sql_refuse_newer(const char *shown, int64_t form, int64_t known, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "the ledger '%.200s' is of a newer form", shown);
    error_why(err, "it is form %lld, made by a later carbon; this one knows form %lld", (long long)form,
              (long long)known);
    return error_fix(err, "use that carbon, or give another place: --ledger FILE");
}

/* SQLite is to wait for the lock now, and not at the first statement that writes. */
static const char *const begin_write[SQL_DIALECTS] = {
    [SQL_OF_SQLITE] = "BEGIN IMMEDIATE",
    [SQL_OF_POSTGRES] = "BEGIN",
};

static bool insert_row(struct ledger *ledger, const struct ledger_row *row, struct error *err)
{
    struct query query;

    query_open(&query);
    text_add(&query.sql, "INSERT INTO carbon_run (");
    query_columns(&query, "", ledger_columns, LEDGER_COLUMNS);
    text_add(&query.sql, ") VALUES (");
    for (size_t i = 0; i < LEDGER_COLUMNS; i++)
        query_bind(&query, i ? ", " : "", sql_value_of(row, &ledger_columns[i]), "");
    text_add(&query.sql, ") ON CONFLICT (id) DO NOTHING");
    return query_run(&query, ledger, NULL, NULL, err);
}

static bool insert_record(struct ledger *ledger, const char *record, const char *id, struct error *err)
{
    const struct sql_value values[] = {
        { .kind = SQL_LONG_TEXT, .text = record },
        { .kind = SQL_TEXT, .text = id },
    };

    return ledger->backend->run(ledger->connection,
                                "INSERT INTO carbon_record (number, record) SELECT number, $1 FROM carbon_run "
                                "WHERE id = $2 ON CONFLICT (number) DO NOTHING",
                                values, 2, NULL, NULL, err);
}

bool ledger_begin(struct ledger *ledger, struct error *err)
{
    return sql_run(ledger, begin_write[ledger->backend->dialect], err);
}

/* All of it or nothing. */
bool ledger_end(struct ledger *ledger, bool good, struct error *err)
{
    struct error ignored;

    if (good && sql_run(ledger, "COMMIT", err))
        return true;
    IGNORED(sql_run(ledger, "ROLLBACK", &ignored), "the first fault is reported");
    return false;
}

bool ledger_put(struct ledger *ledger, const char *record, struct error *err)
{
    struct cJSON *document = json_parse(record, "the record", err);
    struct ledger_row row;
    struct text line;
    bool good;

    if (!document)
        return false;
    good = ledger_row_of(document, "the record", &row, &line, err) && insert_row(ledger, &row, err) &&
           insert_record(ledger, record, row.id, err) && sql_put_contribution(ledger, document, row.id, err);
    if (good)
        DEBUG(DEBUG_LEDGER, "has record %s", row.id);
    text_close(&line);
    json_close(document);
    return good;
}

bool ledger_add_all(struct ledger *ledger, const char *const *records, size_t count, struct error *err)
{
    bool good = true;

    if (!ledger_begin(ledger, err))
        return false;
    for (size_t i = 0; i < count && good; i++)
        good = ledger_put(ledger, records[i], err);
    return ledger_end(ledger, good, err);
}

bool ledger_add(struct ledger *ledger, const char *record, struct error *err)
{
    return ledger_add_all(ledger, &record, 1, err);
}

static bool take_any(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    (void)values;
    (void)count;
    (void)err;
    *(bool *)context = true;
    return true;
}

bool ledger_has(struct ledger *ledger, const char *id, bool *has, struct error *err)
{
    const struct sql_value value = { .kind = SQL_TEXT, .text = id };

    *has = false;
    return ledger->backend->run(ledger->connection, "SELECT number FROM carbon_run WHERE id = $1", &value, 1, take_any,
                                has, err);
}

/* An id has hexadecimal digits and hyphens: all that begin so lie before what begins with the text and a "g". */
static void put_question(struct query *query, const struct ledger_filter *filter, const char *behind_id)
{
    const bool reads = filter->meta && filter->meta[0];

    query_open(query);
    text_add(&query->sql, "SELECT ");
    query_columns(query, "r.", ledger_columns, LEDGER_COLUMNS);
    if (filter->with_record || reads)
        text_add(&query->sql, ", d.record FROM carbon_run r JOIN carbon_record d ON d.number = r.number");
    else
        text_add(&query->sql, " FROM carbon_run r");
    text_add(&query->sql, " WHERE 1 = 1");
    query_bind_text(query, " AND r.id >= ", filter->id, "");
    query_bind_text(query, " AND r.id < ", filter->id ? behind_id : NULL, "");
    if (filter->since_ns)
        query_bind_number(query, " AND r.started_ns >= ", filter->since_ns);
    if (filter->until_ns)
        query_bind_number(query, " AND r.started_ns < ", filter->until_ns);
    query_bind_text(query, " AND r.label = ", filter->label, "");
    query_bind_text(query, " AND r.project = ", filter->project, "");
    query_bind_text(query, " AND lower(r.zone) = lower(", filter->zone, ")");
    query_bind_text(query, " AND r.quality = ", filter->quality, "");
    query_bind_text(query, " AND replace(r.command, ", filter->command, ", '') <> r.command");
    text_add(&query->sql, " ORDER BY r.started_ns DESC, r.number DESC");
    if (filter->limit && !reads)
        query_bind_number(query, " LIMIT ", filter->limit);
}

struct records_listing {
    const struct ledger_filter *filter;
    ledger_row_function *on_row;
    void *context;
    uint64_t count;
    bool enough, failed;
};

/* Each "KEY=VALUE" is a member of it. */
static bool has_meta(const char *text, const char *const *wanted, struct error *err)
{
    struct cJSON *document = json_parse(text, "a record of the ledger", err);
    const struct cJSON *meta = RECORD_MADE(document, record_meta);
    bool has = true;

    if (!document)
        return false;
    for (size_t i = 0; wanted[i] && has; i++) {
        const size_t length = strcspn(wanted[i], "=");
        has = false;
        for (const struct cJSON *item = json_items(meta); item && !has; item = json_next(item))
            has = strlen(json_key(item)) == length && strncmp(json_key(item), wanted[i], length) == 0 &&
                  wanted[i][length] && strcmp(json_text(item), wanted[i] + length + 1) == 0;
    }
    json_close(document);
    return has;
}

static bool take_row(const struct sql_value *values, size_t count, void *context, struct error *err)
{
    struct records_listing *listing = context;
    const struct ledger_filter *filter = listing->filter;
    const char *record = count > LEDGER_COLUMNS ? values[LEDGER_COLUMNS].text : NULL;
    struct ledger_row row;
    struct error unread;

    /* a record that is no JSON has no meta; `carbon ledger check` tells of it */
    if (filter->meta && filter->meta[0] && (!record || !has_meta(record, filter->meta, &unread)))
        return true;
    for (size_t i = 0; i < LEDGER_COLUMNS; i++)
        sql_take_value(&row, &ledger_columns[i], &values[i]);
    listing->failed = !listing->on_row(&row, filter->with_record ? record : NULL, listing->context, err);
    listing->enough = ++listing->count == filter->limit;
    return !listing->failed && !listing->enough;
}

bool ledger_list(struct ledger *ledger, const struct ledger_filter *filter, ledger_row_function *on_row, void *context,
                 struct error *err)
{
    struct records_listing listing = { .filter = filter, .on_row = on_row, .context = context };
    struct query query;
    char behind_id[64];
    bool good;

    snprintf(behind_id, sizeof behind_id, "%.40sg", filter->id ? filter->id : "");
    put_question(&query, filter, behind_id);
    good = query_run(&query, ledger, take_row, &listing, err);
    return good || (listing.enough && !listing.failed);
}

/* The record looked for, and how many there are. */
struct records_finding {
    char *record, *id;
    size_t count;
};

static bool take_record(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct records_finding *finding = context;

    if (finding->count++)
        return true;
    text_copy(finding->id, ID_LENGTH + 4, row->id);
    finding->record = strdup(record);
    return finding->record || error_errno(err, "no memory for the record");
}

char *ledger_record(struct ledger *ledger, const char *id, char whole_id[40], struct error *err)
{
    const bool last = strcmp(id, "last") == 0;
    const struct ledger_filter filter = { .id = last ? NULL : id, .limit = last ? 1 : 2, .with_record = true };
    struct records_finding finding = { .id = whole_id };
    const size_t length = strspn(id, "0123456789abcdef-");
    const bool is_id = last || (length > 0 && length <= ID_LENGTH && !id[length]);

    if (is_id && !last && length < ID_BEGINNING) {
        error_set(err, ERROR_USAGE, "'%.40s' is too short for an ID", id);
        error_why(err, "it needs its first %d characters or more", ID_BEGINNING);
        error_fix(err, "carbon history");
        return NULL;
    }
    if (is_id && !ledger_list(ledger, &filter, take_record, &finding, err)) {
        free(finding.record);
        return NULL;
    }
    if (finding.count == 1)
        return finding.record;
    free(finding.record);
    error_set(err, ERROR_USAGE, finding.count ? "ID '%.40s' is ambiguous" : "no record has the ID '%.40s'", id);
    error_why(err, finding.count ? "several records of '%s' begin with it" : "it is not in the ledger '%s'",
              ledger->shown);
    error_fix(err, "carbon history");
    return NULL;
}

bool ledger_delete(struct ledger *ledger, const char *id, struct error *err)
{
    const struct sql_backend *backend = ledger->backend;
    const struct sql_value value = { .kind = SQL_TEXT, .text = id };

    return sql_run(ledger, begin_write[backend->dialect], err) &&
           ledger_end(
               ledger,
               backend->run(ledger->connection,
                            "DELETE FROM carbon_record WHERE number = (SELECT number FROM carbon_run WHERE id = $1)",
                            &value, 1, NULL, NULL, err) &&
                   backend->run(
                       ledger->connection,
                       "DELETE FROM carbon_account WHERE number = (SELECT number FROM carbon_run WHERE id = $1)",
                       &value, 1, NULL, NULL, err) &&
                   backend->run(ledger->connection, "DELETE FROM carbon_run WHERE id = $1", &value, 1, NULL, NULL, err),
               err);
}

bool ledger_backup(struct ledger *ledger, const char *path, struct error *err)
{
    return ledger->backend->backup(ledger->connection, path, err);
}
