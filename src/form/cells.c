/* SPDX-License-Identifier: MIT
 * Cells of tables. */
#include "form/cells.h"

#include "form/shown.h"
#include "form/text_columns.h"

#include <math.h>
#include <string.h>

void cell_write(FILE *out, int width, const char *text)
{
    const int length = (int)utf8_columns(text);

    fprintf(out, "%*s%s", width > length ? width - length : 1, "", text);
}

void cell_bound(FILE *out, int width, bool at_least, const char *text)
{
    char cell[4 * UNITS_SIZE];

    snprintf(cell, sizeof cell, "%s%s", at_least ? "≥ " : "", text);
    cell_write(out, width, cell);
}

void cell_spread_bound(FILE *out, int width, bool at_least, const struct sample_stats *spread, bool deviation,
                       cell_units *units)
{
    char mean[UNITS_SIZE], deviation_text[UNITS_SIZE], cell[3 * UNITS_SIZE];

    if (deviation && spread->count > 1)
        snprintf(cell, sizeof cell, "%s ± %s", units(spread->mean, mean), units(spread->deviation, deviation_text));
    else
        snprintf(cell, sizeof cell, "%s", units(spread->mean, mean));
    cell_bound(out, width, at_least, cell);
}

void cell_spread(FILE *out, int width, const struct sample_stats *spread, bool deviation, cell_units *units)
{
    cell_spread_bound(out, width, false, spread, deviation, units);
}

static bool has_unit_of(const char *value, const char *of)
{
    const char *unit = strchr(value, ' '), *same = strchr(of, ' ');

    return unit && same && strcmp(unit, same) == 0;
}

static void drop_unit(char *value)
{
    *strchr(value, ' ') = '\0';
}

const char *interval_text(double value, double low, double high, const char *label, cell_units *units,
                          char out[INTERVAL_TEXT_SIZE])
{
    char figure[UNITS_SIZE], from[UNITS_SIZE], to[UNITS_SIZE];

    units(value, figure);
    if (!isfinite(low) || !isfinite(high)) {
        snprintf(out, INTERVAL_TEXT_SIZE, "%s", figure);
        return out;
    }
    units(low, from);
    units(high, to);
    if (has_unit_of(from, to)) {
        drop_unit(from);
        if (has_unit_of(to, figure))
            drop_unit(to);
    }
    snprintf(out, INTERVAL_TEXT_SIZE, "%s (%s%s%s to %s)", figure, label, *label ? " " : "", from, to);
    return out;
}

void cell_name(FILE *out, int width, const char *name)
{
    const int length = (int)utf8_columns(name);

    shown_print(out, "  %s", name);
    if (length > width)
        fprintf(out, "\n  %*s", width, "");
    else
        fprintf(out, "%*s", width - length, "");
}
