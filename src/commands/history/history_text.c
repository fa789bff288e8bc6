/* SPDX-License-Identifier: MIT
 * The list of records for people. */
#include "commands/history/history.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/part_fields.h"
#include "form/shown.h"
#include "form/text_columns.h"
#include "io/json_read.h"
#include "result/record_fields.h"

#include <inttypes.h>
#include <string.h>

enum {
    SHORT_ID = 8,
    FIGURE_COLUMNS = 9,
    WHAT_COLUMN = 64,
    WHAT_MIN = 10,
    DAY_COLUMNS = 10,
    TIME_COLUMNS = 16,
    NARROW_LESS = TIME_COLUMNS - DAY_COLUMNS + FIGURE_COLUMNS,
};

/* On a narrow terminal a row has no time of day and no gross. */
static bool is_narrow(const struct history_list *list)
{
    return list->width <= WHAT_COLUMN + WHAT_MIN;
}

static void table_begin(const struct history_list *list)
{
    const bool narrow = is_narrow(list);

    fprintf(list->out, "%-*s  %-*s%s %8s %8s  %-8s %s\n", SHORT_ID, "id", narrow ? DAY_COLUMNS : TIME_COLUMNS,
            narrow ? "day (UTC)" : "started (UTC)", narrow ? "" : "    gross", "own", "CO2eq", "quality", "command");
}

/* "9.68 mg": the column's heading names the quantity. */
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
    const struct cJSON *own = RECORD_ITEM(document, summary.total.own_j);
    const double j = own ? json_number(SPREAD_ITEM(own, mean)) : row->net_j;

    json_close(document);
    return j;
}

static bool table_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct history_list *list = context;
    const char *name = row->label ? row->label : row->command ? row->command : row->project ? row->project : "-";
    const bool narrow = is_narrow(list);
    const int room = list->width - 1 - WHAT_COLUMN + (narrow ? NARROW_LESS : 0);
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
        started[DAY_COLUMNS] = ' ';
        started[narrow ? DAY_COLUMNS : TIME_COLUMNS] = '\0';
    }
    mass_cell(row->gross_kgco2eq, mass);
    utf8_printable(printable, sizeof printable, name);
    utf8_fit(what, sizeof what, printable, (size_t)(room > WHAT_MIN ? room : WHAT_MIN), terminal_utf8() ? "…" : "...");
    shown_print(list->out, "%.*s%c %-*s", SHORT_ID, row->id,
                !row->complete   ? '*'
                : row->parent_id ? '+'
                                 : ' ',
                narrow ? DAY_COLUMNS : TIME_COLUMNS, started);
    if (!narrow)
        cell_write(list->out, FIGURE_COLUMNS, units_energy(row->gross_j, gross));
    cell_write(list->out, FIGURE_COLUMNS, units_energy(own_j(row, record), own));
    cell_write(list->out, FIGURE_COLUMNS, mass);
    shown_print(list->out, "  %-8s %s\n", row->quality ? row->quality : "unknown", what);
    return true;
}

static void table_end(const struct history_list *list)
{
    if (list->cut)
        fputs("* incomplete: a lower bound; completed runs only, or with gaps\n", list->out);
    if (list->again)
        fputs("+ restates another record: the energy is the same, not more\n", list->out);
    if (list->more)
        fprintf(list->out, "more records: use --limit %" PRIu64 "\n", 2 * list->limit);
}

const struct history_form history_table = { table_begin, table_row, table_end };
