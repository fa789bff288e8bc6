/* SPDX-License-Identifier: MIT
 * Rows of residual_mix.csv: the mix of the electricity not sold with certificates. */
#include "emissions/factor_table.h"

#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ZONE, NAME, YEAR, VALUE, APPLICABLE, SOURCE, NOTES, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = {
    "zone", "zone_name", "year", "residual_kgco2_per_kwh", "applicable", "source_id", "notes",
};

struct residual_reading {
    struct factor_rows *rows;
    const char *zone;
    int column[COLUMN_COUNT];
};

static bool on_row(const struct csv_row *csv, void *context, struct error *err)
{
    struct residual_reading *reading = context;
    const int *column = reading->column;
    struct factor_row row = {
        .table = TABLE_RESIDUAL,
        .line = csv->line,
        .basis = FACTOR_DIRECT,
        .rank = 1,
        .scope = "",
        .td_losses = "",
        .method = "market",
        .gases = "co2",
        .td_losses_kgco2eq_per_kwh = NAN,
        .upstream_kgco2eq_per_kwh = NAN,
    };
    uint64_t year;

    if (csv->line == 1)
        return csv_columns(csv, columns, COLUMN_COUNT, reading->column, err);
    /* where everything is disclosed there is no residual mix, and none of 0 */
    if (strcmp(csv->fields[column[ZONE]], reading->zone) != 0 || strcmp(csv->fields[column[APPLICABLE]], "1") != 0)
        return true;
    if (!text_to_u64(csv->fields[column[YEAR]], &year) || year < 1900 || year > 2200)
        return csv_bad_field(csv, (size_t)column[YEAR], columns[YEAR], err, "not a year");
    if (!text_to_number(csv->fields[column[VALUE]], &row.kgco2eq_per_kwh) || row.kgco2eq_per_kwh < 0 ||
        row.kgco2eq_per_kwh > MAX_KGCO2EQ_PER_KWH)
        return csv_bad_field(csv, (size_t)column[VALUE], columns[VALUE], err, "not an intensity");
    row.year = (int)year;
    text_copy(row.zone, sizeof row.zone, csv->fields[column[ZONE]]);
    text_copy(row.zone_name, sizeof row.zone_name, csv->fields[column[NAME]]);
    text_copy(row.source_id, sizeof row.source_id, csv->fields[column[SOURCE]]);
    text_copy(row.notes, sizeof row.notes, csv->fields[column[NOTES]]);
    return rows_add(reading->rows, &row, csv->path, err);
}

bool rows_add_residual(struct factor_rows *rows, const char *zone, struct error *err)
{
    struct residual_reading reading = { .rows = rows, .zone = zone };

    return shipped_read_together("residual_mix.csv", zone, on_row, &reading, err);
}
