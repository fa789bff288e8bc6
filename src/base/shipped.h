/* SPDX-License-Identifier: MIT
 * Where the files that carbon ships are found; and its tables of factors, read by their names ("zones.csv"): by their
 * index where there is one (table_index.h), else from the CSV, which comes to the same. Used in app, commands/factors,
 * commands/model, emissions and power. Begin with shipped_read(). */
#ifndef BASE_SHIPPED_H
#define BASE_SHIPPED_H

#include "base/csv.h"

/* The path of a shipped file ("emission_factors/zones.csv"): under $CARBON_DATA where that is set, else where
 * `make install` put it, else near the file of the program or of libcarbon: share/carbon of its prefix, or data/ in its
 * folder or the one above. Fails (ERROR_ABSENT) if no such file or folder exists. */
bool data_path(const char *name, char *path, size_t size, struct error *err) MUST_CHECK;

/* As csv_read. With a field, only the header and the rows in which a column but the last is just that; NULL: all. */
bool shipped_read(const char *table, const char *field, csv_row_function *on_row, void *context,
                  struct error *err) MUST_CHECK;

/* As shipped_read, of a table in which the rows that begin with the field stand together, and no other has it. */
bool shipped_read_together(const char *table, const char *field, csv_row_function *on_row, void *context,
                           struct error *err) MUST_CHECK;

/* NULL: a table is read by its index; else why it is not. */
const char *shipped_index_problem(const char *table);

#endif
