/* SPDX-License-Identifier: MIT
 * Prints the last lines of a failed command's captured output. Used in app, commands/model and commands/pipeline. Begin
 * with print_captured_output(). */
#ifndef APP_CAPTURED_OUTPUT_H
#define APP_CAPTURED_OUTPUT_H

/* Shows the last lines of a file on standard error, if it holds any. path: where all of it stays, or NULL. */
void print_captured_output(int fd, const char *name, const char *path);

#endif
