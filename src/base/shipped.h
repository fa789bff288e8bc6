/* SPDX-License-Identifier: MIT
 * The tables of factors that carbon ships, read by their names: "zones.csv". Used in commands/factors, emissions and
 * power. Begin with shipped_read(). */
#ifndef BASE_SHIPPED_H
#define BASE_SHIPPED_H

#include "base/csv.h"

/* As csv_read or, of the lines with a needle, as csv_read_lines_with; NULL: all lines. */
bool shipped_read(const char *table, const char *needle, csv_row_function *on_row, void *context,
                  struct error *err) MUST_CHECK;

/* Arguments: see csv_read_lines_together. */
bool shipped_read_together(const char *table, const char *needle, csv_row_function *on_row, void *context,
                           struct error *err) MUST_CHECK;

#endif
