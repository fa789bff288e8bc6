/* SPDX-License-Identifier: MIT
 * Cells of tables. */
#include "form/cells.h"

#include "form/shown.h"
#include "form/utf8.h"

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

void cell_spread_bound(FILE *out, int width, bool at_least, const struct spread *spread, bool deviation,
                       cell_units *units)
{
    char mean[UNITS_SIZE], beside[UNITS_SIZE], cell[3 * UNITS_SIZE];

    if (deviation && spread->count > 1)
        snprintf(cell, sizeof cell, "%s ± %s", units(spread->mean, mean), units(spread->deviation, beside));
    else
        snprintf(cell, sizeof cell, "%s", units(spread->mean, mean));
    cell_bound(out, width, at_least, cell);
}

void cell_spread(FILE *out, int width, const struct spread *spread, bool deviation, cell_units *units)
{
    cell_spread_bound(out, width, false, spread, deviation, units);
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
