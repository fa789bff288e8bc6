/* SPDX-License-Identifier: MIT
 * What this program is called by its version, and what it was made of. Used by commands/bug/cmd_report_bug.c,
 * commands/sources/cmd_record.c and main.c. Begin with version_write(). */
#ifndef APP_VERSION_H
#define APP_VERSION_H

#include <stdio.h>

const char *version_number(void); /* "0.1.0" */

/* The version, what was built in, and where the data are. */
void version_write(FILE *out);

#endif
