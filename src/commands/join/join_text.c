/* SPDX-License-Identifier: MIT
 * The joined rows for people. */
#include "commands/join/join.h"

#include "form/cells.h"
#include "form/notices_text.h"
#include "form/text_columns.h"

#include <math.h>

enum {
    NARROW_NAME = 14,
    WIDE_NAME = 44,
    TIME_WIDTH = 21, /* "47.3 µs ± 617 µs" */
    CELL_WIDTH = 12,
    MASS_WIDTH = 18, /* "0.000107 µgCO2eq" */
};

static int name_width(const struct join *join)
{
    size_t width = NARROW_NAME;

    for (size_t i = 0; i < join->count; i++)
        width = utf8_columns(join->rows[i].name) > width ? utf8_columns(join->rows[i].name) : width;
    return (int)(width < WIDE_NAME ? width : WIDE_NAME);
}

static void print_row(const struct join_row *row, int width, FILE *out)
{
    const struct sample_stats time = { .mean = row->s_per_operation, .deviation = row->deviation_s, .count = 2 };
    char cell[UNITS_SIZE], name[256];

    utf8_printable(name, sizeof name, row->name);
    cell_name(out, width, name);
    cell_spread(out, TIME_WIDTH, &time, isfinite(row->deviation_s), units_duration);
    cell_write(out, CELL_WIDTH, units_energy(row->j_per_operation, cell));
    cell_write(out, CELL_WIDTH, units_power(row->power_w, cell));
    cell_write(out, MASS_WIDTH, units_mass(row->kgco2eq_per_operation, cell));
    fputc('\n', out);
}

void join_text(const struct join *join, const struct table_style *style, FILE *out)
{
    char power[UNITS_SIZE], duration[UNITS_SIZE];
    const int width = name_width(join);

    fprintf(out, "%s, %zu row%s; run %s at %s %s, %s\n", join->tool, join->count, join->count == 1 ? "" : "s",
            units_duration(join->duration_s, duration), units_power(join->power_w, power), figure_name(join->figure),
            quality_name(join->quality));
    cell_name(out, width, "per operation");
    cell_write(out, TIME_WIDTH, "time");
    cell_write(out, CELL_WIDTH, figure_name(join->figure));
    cell_write(out, CELL_WIDTH, "power");
    cell_write(out, MASS_WIDTH, "emission");
    fputc('\n', out);
    for (size_t i = 0; i < join->count; i++)
        print_row(&join->rows[i], width, out);
    notices_text(out, &join->notices, "", style->colour);
}
