/* SPDX-License-Identifier: MIT
 * The one place that opens tables for users, with --csv-safe for spreadsheets (form/sheet.h); tests/check-style.sh
 * holds that no other does. Used in app and 8 commands. Begin with csv_file_open(). */
#ifndef APP_CSV_FILE_H
#define APP_CSV_FILE_H

#include "app/options/options.h"
#include "base/text.h"
#include "form/output.h"

/* What the option (--csv, --flat) names. Not asked for: it has no file. */
bool csv_file_open(const struct settings *settings, const struct option_spec *option, struct output *output,
                   struct error *err) MUST_CHECK;

/* The same by its path; NULL: not asked for. */
bool csv_file_open_path(const char *path, bool safe, struct output *output, struct error *err) MUST_CHECK;

/* Of one that is written line by line while the work goes on: its writer sets output->lines_are_safe. */
bool csv_file_open_lines(const char *path, bool safe, struct output *output, struct error *err) MUST_CHECK;

/* Lines for it, allocated, as they are to be written: takes them over, and returns them or others in their place. NULL:
 * no memory. */
char *csv_file_lines(const struct output *output, char *lines, size_t *length);

/* A row, at whose end the line ends, onto a table that others add to (output_append). Closes the text. */
bool csv_file_append(const char *path, bool safe, const char *header, struct text *row, struct error *err) MUST_CHECK;

#endif
