/* SPDX-License-Identifier: MIT
 * Cells of the tables for people, aligned by characters, not by bytes. Used in result and 9 commands. Begin with
 * cell_write(). */
#ifndef FORM_CELLS_H
#define FORM_CELLS_H

#include "base/sample_stats.h"
#include "base/units.h"

#include <stdbool.h>
#include <stdio.h>

/* units_energy and the like. */
typedef const char *cell_units(double value, char out[UNITS_SIZE]);

/* On the right of its column; one that is too long follows after a blank. */
void cell_write(FILE *out, int width, const char *text);

/* "≥ 1.13 kJ" of a lower bound. */
void cell_bound(FILE *out, int width, bool at_least, const char *text);

/* "1.13 kJ ± 26.7 J"; without the deviation where it is not wanted, or of one value; "≥ 1.13 kJ" of a lower bound. */
void cell_spread(FILE *out, int width, const struct sample_stats *spread, bool deviation, cell_units *units);
void cell_spread_bound(FILE *out, int width, bool at_least, const struct sample_stats *spread, bool deviation,
                       cell_units *units);

/* "660 J (95 % CI 627 to 693)": the bounds have a unit where it is not the figure's; without what they are where label
 * is "", and without them where either is unknown. */
#define INTERVAL_TEXT_SIZE (4 * UNITS_SIZE)
const char *interval_text(double value, double low, double high, const char *label, cell_units *units,
                          char out[INTERVAL_TEXT_SIZE]);

/* The first of a row, on the left, after two blanks; the row goes on below one that is too long. */
void cell_name(FILE *out, int width, const char *name);

#endif
