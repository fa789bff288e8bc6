/* SPDX-License-Identifier: MIT
 * Tables that may be opened in a spreadsheet, whoever wrote the names in them: a field that begins with = + - @, a tab
 * or a carriage return would be calculated as a formula. A ' before it makes it text (OWASP, "CSV injection"); numbers
 * stay as they are. Used by app/record_files.c and output.c. Begin with sheet_text(). */
#ifndef FORM_SHEET_H
#define FORM_SHEET_H

#include <stddef.h>

/* The same table (RFC 4180) without formulas, freed by the caller; NULL: no memory. */
char *sheet_text(const char *table, size_t length, size_t *safe_length);

#endif
