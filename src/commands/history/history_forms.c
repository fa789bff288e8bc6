/* SPDX-License-Identifier: MIT
 * The list of records: a table, CSV, JSON. */
#include "commands/history/history.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/json_parts.h"
#include "form/shown.h"
#include "form/text_columns.h"
#include "io/json_read.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HISTORY_SCHEMA "carbon.history/1"

enum { SHORT_ID = 8, FIGURE_COLUMNS = 9, WHAT_COLUMN = 64, WHAT_MIN = 10, BASIS_SIZE = 16 };

static void table_begin(const struct history_list *list)
{
    fprintf(list->out, "%-*s  %-16s %8s %8s %8s  %-8s %s\n", SHORT_ID, "id", "started (UTC)", "gross", "own", "CO2eq",
            "quality", "what");
}

/* "9.68 mg": the head of the column says of what. */
static void mass_cell(double kgco2eq, char cell[UNITS_SIZE])
{
    char *unit;

    units_mass(kgco2eq, cell);
    unit = strstr(cell, "CO2eq");
    if (unit)
        *unit = '\0';
}

/* The job's own energy; net of a record from before there was any. */
static double own_j(const struct ledger_row *row, const char *record)
{
    struct error unread;
    struct cJSON *document = record ? json_parse(record, "a record of the ledger", &unread) : NULL;
    const struct cJSON *own = json_member(document, "own_j");
    const double j = own ? json_number_of(own, "mean") : row->net_j;

    json_close(document);
    return j;
}

static bool table_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct history_list *list = context;
    const char *name = row->label ? row->label : row->command ? row->command : row->project ? row->project : "-";
    const int room = list->width - 1 - WHAT_COLUMN;
    char gross[UNITS_SIZE], own[UNITS_SIZE], mass[UNITS_SIZE], started[CLOCK_TEXT_SIZE] = "unknown";
    char printable[512], what[512];

    (void)err;
    if (list->limit && list->count == list->limit) {
        list->more = true;
        return true;
    }
    list->count++;
    list->cut |= !row->complete;
    list->again |= row->parent_id != NULL;
    if (row->started_ns >= 0) {
        clock_text((uint64_t)row->started_ns, started);
        started[10] = ' ';
        started[16] = '\0';
    }
    mass_cell(row->gross_kgco2eq, mass);
    utf8_printable(printable, sizeof printable, name);
    utf8_fit(what, sizeof what, printable, (size_t)(room > WHAT_MIN ? room : WHAT_MIN), terminal_utf8() ? "…" : "...");
    shown_print(list->out, "%.*s%c %-16s", SHORT_ID, row->id,
                !row->complete   ? '*'
                : row->parent_id ? '+'
                                 : ' ',
                started);
    cell_write(list->out, FIGURE_COLUMNS, units_energy(row->gross_j, gross));
    cell_write(list->out, FIGURE_COLUMNS, units_energy(own_j(row, record), own));
    cell_write(list->out, FIGURE_COLUMNS, mass);
    shown_print(list->out, "  %-8s %s\n", row->quality ? row->quality : "unknown", what);
    return true;
}

static void table_end(const struct history_list *list)
{
    if (list->cut)
        fputs("* not complete: at least so much; the runs that ended, or a part of their time is not known\n",
              list->out);
    if (list->again)
        fputs("+ restates another record: the energy is the same, not more\n", list->out);
    if (list->more)
        fprintf(list->out, "there is more; --limit %" PRIu64 " shows as much again\n", 2 * list->limit);
}

static int64_t whole(const struct ledger_row *row, const struct ledger_column *column)
{
    return *(const int64_t *)((const char *)row + column->offset);
}

static double real(const struct ledger_row *row, const struct ledger_column *column)
{
    return *(const double *)((const char *)row + column->offset);
}

static const char *text(const struct ledger_row *row, const struct ledger_column *column)
{
    return *(const char *const *)((const char *)row + column->offset);
}

/* "lifecycle", "direct"; "" where nobody said, or nothing was worked out: what the masses beside it cover. */
static void basis_of(const char *record, char basis[BASIS_SIZE])
{
    struct error unread;
    struct cJSON *document = record ? json_parse(record, "a record of the ledger", &unread) : NULL;
    const char *hours = json_text_of(json_member(document, "hourly"), "basis");

    text_copy(basis, BASIS_SIZE, *hours ? hours : json_text_of(json_member(document, "factor"), "basis"));
    json_close(document);
}

/* Machine forms have times as the record has them. */
static const char *name_of(const struct ledger_column *column)
{
    return strcmp(column->name, "started_ns") == 0 ? "started_at"
           : strcmp(column->name, "ended_ns") == 0 ? "ended_at"
                                                   : column->name;
}

static void csv_begin(const struct history_list *list)
{
    for (size_t i = 0; i < LEDGER_COLUMNS; i++)
        fprintf(list->out, "%s%s", i ? "," : "", name_of(&ledger_columns[i]));
    fputs(",basis\n", list->out);
}

static void csv_value(const struct ledger_row *row, const struct ledger_column *column, FILE *out)
{
    char number[TEXT_NUMBER_SIZE], time[CLOCK_TEXT_SIZE];

    switch (column->kind) {
    case LEDGER_TEXT: csv_write_field(out, text(row, column) ? text(row, column) : ""); break;
    case LEDGER_REAL: fputs(isnan(real(row, column)) ? "" : text_number(real(row, column), number), out); break;
    case LEDGER_TIME:
        if (whole(row, column) >= 0)
            fputs(clock_text((uint64_t)whole(row, column), time), out);
        break;
    case LEDGER_TRUTH: fputs(whole(row, column) > 0 ? "true" : "false", out); break;
    case LEDGER_INTEGER:
        if (whole(row, column) >= 0)
            fprintf(out, "%" PRId64, whole(row, column));
        break;
    }
}

static bool csv_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct history_list *list = context;
    char basis[BASIS_SIZE];

    for (size_t i = 0; i < LEDGER_COLUMNS; i++) {
        fputs(i ? "," : "", list->out);
        csv_value(row, &ledger_columns[i], list->out);
    }
    basis_of(record, basis);
    fprintf(list->out, ",%s\n", basis);
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

static void json_value_of(struct tree_node node, const struct ledger_row *row, const struct ledger_column *column)
{
    const char *name = name_of(column);

    switch (column->kind) {
    case LEDGER_TEXT: tree_text_or_null(node, name, text(row, column)); break;
    case LEDGER_REAL: tree_number(node, name, real(row, column)); break;
    case LEDGER_TIME: json_time(node, name, whole(row, column) > 0 ? (uint64_t)whole(row, column) : 0); break;
    case LEDGER_TRUTH: tree_bool(node, name, whole(row, column) > 0); break;
    case LEDGER_INTEGER: tree_int_or_null(node, name, (int)whole(row, column)); break;
    }
}

static bool json_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct history_list *list = context;
    struct tree tree;
    char basis[BASIS_SIZE];

    tree_open(&tree);
    for (size_t i = 0; i < LEDGER_COLUMNS && !tree.failed; i++)
        json_value_of(tree_root(&tree), row, &ledger_columns[i]);
    basis_of(record, basis);
    tree_text_or_null(tree_root(&tree), "basis", basis);
    fputs(list->count++ ? "," : "", list->out);
    return tree_write_line(&tree, list->out, "the history", err);
}

static void json_end(const struct history_list *list)
{
    fputs("]}\n", list->out);
}

const struct history_form history_table = { table_begin, table_row, table_end };
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
