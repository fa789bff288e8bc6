/* SPDX-License-Identifier: MIT
 * Prints the last lines of a failed command's captured output. */
#ifndef APP_OUTPUT_TAIL_H
#define APP_OUTPUT_TAIL_H

/* Shows the last lines of a file on standard error, if it holds any. path: where all of it stays, or NULL. */
void output_tail_show(int fd, const char *name, const char *path);

#endif
