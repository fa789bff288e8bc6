/* SPDX-License-Identifier: MIT
 * The program's version, and its parts. Used by commands/bug/cmd_report_bug.c,
 * commands/sources/cmd_record.c and main.c. Begin with version_write(). */
#ifndef APP_VERSION_H
#define APP_VERSION_H

#include <stdio.h>

const char *version_number(void); /* "0.1.0" */

/* The version, the built-in parts, and the place of the data. */
void version_write(FILE *out);

#endif
