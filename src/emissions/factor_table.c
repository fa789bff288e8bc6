/* SPDX-License-Identifier: MIT
 * Reading of a factor table: strict with values, the same for carbon's tables and for a user's. */
#include "emissions/factor_table.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum factor_table_column {
    ZONE,
    YEAR,
    VALUE,
    BASIS,
    SOURCE,
    NAME,
    SCOPE,
    LOSSES,
    METHOD,
    GASES,
    RANK,
    NOTES,
    TD_LOSSES,
    UPSTREAM,
    RETRIEVED,
    COLUMN_COUNT
};
enum { REQUIRED_COUNT = NAME };

static const char *const column_names[] = { "zone",
                                            "year",
                                            "kgco2eq_per_kwh",
                                            "basis",
                                            "source_id",
                                            "zone_name",
                                            "scope",
                                            "td_losses",
                                            "method",
                                            "gases",
                                            "rank",
                                            "notes",
                                            "td_losses_kgco2eq_per_kwh",
                                            "upstream_kgco2eq_per_kwh",
                                            "retrieved" };
_Static_assert(sizeof column_names / sizeof column_names[0] == COLUMN_COUNT, "a name for each column");

struct table_reading {
    struct factor_rows *rows;
    size_t table;
    const char *zone; /* NULL: all */
    int column[COLUMN_COUNT];
};

static bool on_header(struct table_reading *reading, const struct csv_row *row, struct error *err)
{
    if (!csv_columns(row, column_names, REQUIRED_COUNT, reading->column, err))
        return error_why(err, "a table of factors needs zone, year, kgco2eq_per_kwh, basis and source_id");
    for (int i = REQUIRED_COUNT; i < COLUMN_COUNT; i++)
        reading->column[i] = csv_column(row, column_names[i]);
    return true;
}

/* One record being understood. */
struct factor_table_record {
    const struct table_reading *reading;
    const struct csv_row *row;
    struct error *err;
};

static const char *text_of(const struct factor_table_record *record, enum factor_table_column column)
{
    const int index = record->reading->column[column];

    return index < 0 ? "" : record->row->fields[index];
}

static bool bad(const struct factor_table_record *record, enum factor_table_column column, const char *why)
{
    return csv_bad_field(record->row, (size_t)record->reading->column[column], column_names[column], record->err,
                         "'%.80s' %s", text_of(record, column), why);
}

static bool copy_text(const struct factor_table_record *record, enum factor_table_column column, char *field,
                      size_t size)
{
    const char *text = text_of(record, column);

    if (strlen(text) >= size)
        return bad(record, column, "is too long");
    text_copy(field, size, text);
    return true;
}

static bool read_zone(const struct factor_table_record *record, struct factor_row *row)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.";
    const char *text = text_of(record, ZONE);

    if (!*text || strspn(text, allowed) != strlen(text))
        return bad(record, ZONE, "is not a zone; a code has only letters, digits and : - _ .");
    return copy_text(record, ZONE, row->zone, sizeof row->zone);
}

static bool read_numbers(const struct factor_table_record *record, struct factor_row *row)
{
    const char *rank = text_of(record, RANK);
    uint64_t number;

    if (!text_to_u64(text_of(record, YEAR), &number) || number < 1900 || number > 2200)
        return bad(record, YEAR, "is not a year");
    row->year = (int)number;
    if (!text_to_number(text_of(record, VALUE), &row->kgco2eq_per_kwh))
        return bad(record, VALUE, "is not a number");
    if (row->kgco2eq_per_kwh < 0)
        return bad(record, VALUE, "is negative");
    if (row->kgco2eq_per_kwh > MAX_KGCO2EQ_PER_KWH)
        return bad(record, VALUE, "is more than any plant emits; is it in g rather than kg?");
    if (!*rank)
        number = 1;
    else if (!text_to_u64(rank, &number) || number < 1 || number > 1000)
        return bad(record, RANK, "is not a rank; 1 is the figure to use");
    row->rank = (int)number;
    return true;
}

/* An optional column apart from the factor. */
static bool read_sibling(const struct factor_table_record *record, enum factor_table_column column,
                         double *kgco2eq_per_kwh)
{
    const char *text = text_of(record, column);

    *kgco2eq_per_kwh = NAN;
    if (!*text)
        return true;
    return (text_to_number(text, kgco2eq_per_kwh) && *kgco2eq_per_kwh >= 0 &&
            *kgco2eq_per_kwh <= MAX_KGCO2EQ_PER_KWH) ||
           bad(record, column, "is not an intensity in kg per kWh");
}

static bool read_choice(const struct factor_table_record *record, enum factor_table_column column, const char *first,
                        const char *second, const char **choice)
{
    const char *text = text_of(record, column);
    char why[80];

    *choice = !*text ? "" : strcmp(text, first) == 0 ? first : strcmp(text, second) == 0 ? second : NULL;
    if (*choice)
        return true;
    snprintf(why, sizeof why, "is neither '%s' nor '%s'", first, second);
    return bad(record, column, why);
}

/* "2026-01-20", or nothing. */
static bool read_day(const struct factor_table_record *record, enum factor_table_column column, char *day, size_t size)
{
    const char *text = text_of(record, column);
    uint64_t realtime_s;

    if (*text && (strlen(text) != size - 1 || !clock_of_iso_text(text, &realtime_s)))
        return bad(record, column, "is not a day; write it as 2026-01-20");
    text_copy(day, size, text);
    return true;
}

static bool read_record(const struct factor_table_record *record, struct factor_row *row)
{
    if (!read_zone(record, row) || !read_numbers(record, row))
        return false;
    if (!factor_basis_of(text_of(record, BASIS), &row->basis))
        return bad(record, BASIS, "is neither 'lifecycle' nor 'direct'");
    if (!*text_of(record, SOURCE))
        return bad(record, SOURCE, "says nothing: every figure needs a source");
    return copy_text(record, SOURCE, row->source_id, sizeof row->source_id) &&
           copy_text(record, NAME, row->zone_name, sizeof row->zone_name) &&
           copy_text(record, NOTES, row->notes, sizeof row->notes) &&
           read_choice(record, SCOPE, "production", "consumption", &row->scope) &&
           read_choice(record, LOSSES, "excluded", "included", &row->td_losses) &&
           read_choice(record, METHOD, "location", "market", &row->method) &&
           read_choice(record, GASES, "co2eq", "co2", &row->gases) &&
           read_sibling(record, TD_LOSSES, &row->td_losses_kgco2eq_per_kwh) &&
           read_sibling(record, UPSTREAM, &row->upstream_kgco2eq_per_kwh) &&
           read_day(record, RETRIEVED, row->retrieved, sizeof row->retrieved);
}

bool rows_add(struct factor_rows *rows, const struct factor_row *row, const char *path, struct error *err)
{
    rows->items = array_room(rows->items, &rows->size, rows->count + 1, sizeof *rows->items);
    if (rows->count == rows->size)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    rows->items[rows->count++] = *row;
    return true;
}

static bool on_row(const struct csv_row *csv, void *context, struct error *err)
{
    struct table_reading *reading = context;
    const struct factor_table_record record = { .reading = reading, .row = csv, .err = err };
    struct factor_row row = { .table = reading->table, .line = csv->line };

    if (csv->line == 1)
        return on_header(reading, csv, err);
    if (reading->zone && strcmp(csv->fields[reading->column[ZONE]], reading->zone) != 0)
        return true;
    return read_record(&record, &row) && rows_add(reading->rows, &row, csv->path, err);
}

bool table_read(struct factor_rows *rows, size_t table, const char *path, struct error *err)
{
    struct table_reading reading = { .rows = rows, .table = table };

    return csv_read(path, on_row, &reading, err);
}

bool table_read_shipped(struct factor_rows *rows, size_t table, const char *name, const char *zone, struct error *err)
{
    struct table_reading reading = { .rows = rows, .table = table, .zone = zone };

    return shipped_read_together(name, zone, on_row, &reading, err);
}
