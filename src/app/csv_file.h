/* SPDX-License-Identifier: MIT
 * The table that --csv names; with --csv-safe for spreadsheets. Used in app and 7 commands. Begin with csv_file_open().
 */
#ifndef APP_CSV_FILE_H
#define APP_CSV_FILE_H

#include "app/options/options.h"
#include "form/output.h"

/* Not asked for: it has no file. */
bool csv_file_open(const struct settings *settings, struct output *output, struct error *err) MUST_CHECK;

#endif
