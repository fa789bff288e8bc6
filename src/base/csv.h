/* SPDX-License-Identifier: MIT
 * Reading and writing RFC 4180 tables (libcsv). Used in most rooms of the program. Begin with csv_read(). */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

enum { CSV_MAX_COLUMNS = 256 };

/* One record; fields live until the callback returns, and stand one behind the other, each ended by its NUL. Line 1 is
 * the header. */
struct csv_row {
    const char *path; /* for messages */
    size_t line;      /* where the record starts */
    size_t count;
    const char *fields[CSV_MAX_COLUMNS];
};

/* Called for the header (row->line == 1) and each record; false stops the reading and fails it. */
typedef bool csv_row_function(const struct csv_row *row, void *context, struct error *err);

/* Reads the whole table strictly: every record must have as many fields as the header.
 * A fault is ERROR_BAD_DATA and names file, line and column. A UTF-8 byte-order mark is skipped. */
bool csv_read(const char *path, csv_row_function *on_row, void *context, struct error *err) MUST_CHECK;

/* As csv_read, but a record may have more or fewer fields than the header: the callback judges. */
bool csv_read_ragged(const char *path, csv_row_function *on_row, void *context, struct error *err) MUST_CHECK;

/* As csv_read, but only for the header and the lines that contain `needle` somewhere: for a quick
 * look into a large table that is known to hold no line break inside a field (ours; checked by
 * `make check-data`). The needle is compared byte by byte. */
bool csv_read_lines_with(const char *path, const char *needle, csv_row_function *on_row, void *context,
                         struct error *err) MUST_CHECK;

/* The same for a table in which the lines that begin with `needle` are adjacent: lines after them are not read. */
bool csv_read_lines_together(const char *path, const char *needle, csv_row_function *on_row, void *context,
                             struct error *err) MUST_CHECK;

/* Whether a column but the last is just this. */
bool csv_has_field(const struct csv_row *row, const char *field);

/* The index of a named column in a header, or -1. */
int csv_column(const struct csv_row *header, const char *name);

/* The same for each of the names. ERROR_BAD_DATA "'FILE' line 1 has no column 'NAME'". */
bool csv_columns(const struct csv_row *header, const char *const *names, size_t count, int *columns,
                 struct error *err) MUST_CHECK;

/* ERROR_BAD_DATA "'FILE' line L, column C (NAME) is malformed" for a value that makes no sense, with
 * the reason as its why. column is an index; C counts from 1. */
bool csv_bad_field(const struct csv_row *row, size_t column, const char *name, struct error *err, const char *why, ...)
    PRINTF_LIKE(5, 6);

/* A comma, and a number as text_number has it, nothing where it is not finite; a comma, and a field. */
void csv_add_number(FILE *out, double value);
void csv_add_field(FILE *out, const char *field);

/* Writes one field, quoted if RFC 4180 requires it or a blank is at an end. Separators and
 * line ends are the caller's. */
void csv_write_field(FILE *out, const char *field);

#endif
