/* SPDX-License-Identifier: MIT
 * What one call of a command works with, from its memory to its end. Used in 11 commands. Begin with
 * command_run_with(). */
#ifndef APP_COMMAND_WORK_H
#define APP_COMMAND_WORK_H

#include "app/options/command.h"

/* Gives run `size` bytes of zeroes, and then, whatever status it returns, close the same. Returns that status, or 125
 * without memory. */
int command_run_with(size_t size, const struct command_line *line,
                     int (*run)(void *context, const struct command_line *line), void (*close)(void *context));

/* Reports that memory is missing at the start; returns 125. */
int command_cannot_start(void);

#endif
