/* SPDX-License-Identifier: MIT
 * The end of what a command said that was kept from the terminal, for when it failed. */
#ifndef APP_OUTPUT_TAIL_H
#define APP_OUTPUT_TAIL_H

/* Shows the last lines of a file on standard error, if it holds any. path: where all of it stays, or NULL. */
void output_tail_show(int fd, const char *name, const char *path);

#endif
