/* SPDX-License-Identifier: MIT
 * The fix of an error about a file that is missing: the line with a file of a near name, or the folder's list. Used in
 * app/terminal.c. Begin with missing_file_fix(). */
#ifndef APP_OPTIONS_MISSING_FILE_H
#define APP_OPTIONS_MISSING_FILE_H

#include "app/options/typed_line.h"

/* Changes the fix only where the error quotes a word of the line that names a missing file. */
void missing_file_fix(const struct typed_line *typed, struct error *err);

#endif
