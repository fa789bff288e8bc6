/* SPDX-License-Identifier: MIT
 * What a record may be called: it comes from files of others, and names a file (carbon history export), a row, a cell.
 * Used by commands/history/cmd_history.c, commands/measure/slurm_names.c and json_read.c. Begin with identity_is(). */
#ifndef IO_IDENTITY_H
#define IO_IDENTITY_H

#include <stdbool.h>

enum { IDENTITY_SIZE = 40 }; /* with its NUL; a UUID has 36 */

/* Letters and digits of ASCII, and '-', '_', '.' behind the first. */
bool identity_is(const char *text);

#endif
