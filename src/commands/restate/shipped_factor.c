/* SPDX-License-Identifier: MIT
 * Whether the shipped tables still say what a factor says. */
#include "emissions/factor_table.h"

#include <string.h>

static const char *const shipped[] = { "grid_intensity.csv", "grid_intensity_odbl.csv" };

static bool is_row(const struct factor_rows *rows, const struct factor_row *row, const struct factor *factor)
{
    return strcmp(row->zone, factor->zone) == 0 && row->year == factor->year && row->basis == factor->basis &&
           strcmp(row->source_id, factor->source_id) == 0 && strcmp(row->scope, factor->scope) == 0 &&
           strcmp(rows_table_name(rows, row), factor->table) == 0;
}

static bool is_shipped(const char *table)
{
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++)
        if (strcmp(shipped[i], table) == 0)
            return true;
    return false;
}

bool factor_shipped_state(const struct factor *factor, struct shipped_factor *state, struct error *err)
{
    struct factor_rows rows = { .items = NULL };
    bool read;

    *state = (struct shipped_factor){ .kind = FACTOR_NOT_SHIPPED };
    if (!is_shipped(factor->table))
        return true;
    state->kind = FACTOR_GONE;
    read = rows_add_shipped(&rows, factor->zone, true, err);
    for (size_t i = 0; read && i < rows.count; i++)
        if (is_row(&rows, &rows.items[i], factor) && state->kind != FACTOR_AS_SHIPPED) {
            state->kgco2eq_per_kwh = rows.items[i].kgco2eq_per_kwh;
            state->kind =
                rows.items[i].kgco2eq_per_kwh == factor->kgco2eq_per_kwh ? FACTOR_AS_SHIPPED : FACTOR_OTHER_VALUE;
        }
    rows_close(&rows);
    return read;
}
