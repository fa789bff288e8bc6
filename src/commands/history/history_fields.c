/* SPDX-License-Identifier: MIT
 * The list of records for machines, JSON and CSV: every field of it, and what it means. */
#include "commands/history/history.h"

#include "form/columns.h"
#include "io/json_read.h"
#include "result/record_fields.h"

#include <string.h>

#define HISTORY_SCHEMA "carbon.history/1"

static const char *const bases[] = { "lifecycle", "direct", NULL };

/* A row of the ledger, with times as a record has them, and what is in the record alone. */
struct run_object {
    const struct ledger_row *row;
    uint64_t started_ns, ended_ns;
    bool complete;
    const char *basis; /* of bases; NULL: nobody said, or nothing was worked out */
};

#define OF struct ledger_row
static const struct fields identity_fields = FIELDS({
    FIELD_NAME(id, "random UUID of the record"),
    FIELD_NAME(schema, "its form"),
});

static const struct fields about_fields = FIELDS({
    FIELD_NAME(label, "label given by the user", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(project, "project", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(command, "the command as a shell takes it", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(zone, "whose electricity", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(quality, "of its energy", .flags = FIELD_NULL_EMPTY),
    FIELD_INT64(exit_status, "of the last run", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT64(runs, "how many count; every figure that follows is of their mean", .flags = FIELD_NULL_NEGATIVE),
});

static const struct fields figures_fields = FIELDS({
    FIELD_NUMBER(duration_s, "of a run, in seconds"),
    FIELD_NUMBER(gross_j, "all energy, in joules"),
    FIELD_NUMBER(net_j, "gross less idle, in joules"),
    FIELD_NUMBER(gross_kgco2eq, "of gross, location-based, in kgCO2eq"),
    FIELD_NUMBER(net_kgco2eq, "of net, location-based, in kgCO2eq"),
    FIELD_NUMBER(gross_market_kgco2eq, "of gross, by the market-based factor, in kgCO2eq"),
    FIELD_NUMBER(net_market_kgco2eq, "of net, by the market-based factor, in kgCO2eq"),
    FIELD_NAME(parent_id, "the record that this one restates: the same energy, to be summed once",
               .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct run_object
#define OF_ROW(fields) FIELD_PART(const struct ledger_row *, row, fields, FIELD_BEHIND)
static const struct fields run_fields = FIELDS({
    OF_ROW(&identity_fields),
    FIELD_TIME_AS("started_at", started_ns, "when it began, UTC"),
    FIELD_TIME_AS("ended_at", ended_ns, "when it ended, UTC"),
    OF_ROW(&about_fields),
    FIELD_BOOL(complete, "false: it was cut short, or a part of its time is not known: its figures are lower bounds"),
    OF_ROW(&figures_fields),
    FIELD_ONE_OF(basis, bases, "basis of the location-based masses; null: not stated", .flags = FIELD_NULL_EMPTY),
});
#undef OF

static const struct field history_list[] = {
    FIELD_CONSTANT("schema", HISTORY_SCHEMA, "name and version of this form"),
    /* written line by line, see json_begin */
    FIELD_EACH("runs", NULL, &run_fields, "one for each record"),
};
static const struct fields history_fields = FIELDS_OF(NULL, NULL, struct history_list, history_list);

static const struct fields *const row_of[] = { &run_fields };
static const struct column columns[] = {
    COLUMNS(0, id, schema, started_at, ended_at, label, project, command, zone),
    COLUMNS(0, quality, exit_status, runs, complete, duration_s, gross_j, net_j, gross_kgco2eq),
    COLUMNS(0, net_kgco2eq, gross_market_kgco2eq, net_market_kgco2eq, parent_id, basis),
};
static const struct table history_columns = TABLE_OF(columns, row_of);

const struct schema history_schema = {
    "history", HISTORY_SCHEMA,
    "What carbon history --json writes: members of the records of a ledger, the newest first.", &history_fields,
    &history_columns
};

static const char *basis_of(const char *record)
{
    struct error unread;
    struct cJSON *document = record ? json_parse(record, "a record of the ledger", &unread) : NULL;
    const char *hours = json_text(RECORD_ITEM(document, by_hour.source.basis)), *basis = NULL;
    const char *reported = *hours ? hours : json_text(RECORD_ITEM(document, factor.basis));

    for (size_t i = 0; bases[i]; i++)
        if (strcmp(reported, bases[i]) == 0)
            basis = bases[i];
    json_close(document);
    return basis;
}

static struct run_object object_of(const struct ledger_row *row, const char *record)
{
    return (struct run_object){
        .row = row,
        .started_ns = row->started_ns > 0 ? (uint64_t)row->started_ns : 0,
        .ended_ns = row->ended_ns > 0 ? (uint64_t)row->ended_ns : 0,
        .complete = row->complete > 0,
        .basis = basis_of(record),
    };
}

static void csv_begin(const struct history_list *list)
{
    table_head(&history_columns, list->out);
}

static bool csv_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct history_list *list = context;
    const struct run_object object = object_of(row, record);

    table_row(&history_columns, (const void *const[]){ &object }, list->out);
    list->count++;
    return !ferror(list->out) || error_errno(err, "cannot write the history");
}

static void csv_end(const struct history_list *list)
{
    (void)list;
}

/* One row a line, so that a list of any length is never held as a whole. */
static void json_begin(const struct history_list *list)
{
    fputs("{\"schema\": \"" HISTORY_SCHEMA "\", \"runs\": [\n", list->out);
}

static bool json_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct history_list *list = context;
    const struct run_object object = object_of(row, record);

    fputs(list->count++ ? "," : "", list->out);
    return fields_line(&run_fields, &object, list->out, "the history", err);
}

static void json_end(const struct history_list *list)
{
    fputs("]}\n", list->out);
}

const struct history_form history_csv = { csv_begin, csv_row, csv_end };
const struct history_form history_json = { json_begin, json_row, json_end };

void history_json_line(const char *record, FILE *out)
{
    bool quoted = false;

    for (const char *c = record; *c; c++) {
        if (!quoted && strchr(" \t\r\n", *c))
            continue;
        fputc(*c, out);
        if (quoted && *c == '\\' && c[1])
            fputc(*++c, out);
        else if (*c == '"')
            quoted = !quoted;
    }
    fputc('\n', out);
}
