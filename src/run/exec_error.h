/* SPDX-License-Identifier: MIT
 * Why a command could not be run. Used in commands/model, commands/pipeline, commands/when and run. Begin with
 * exec_error(). */
#ifndef RUN_EXEC_ERROR_H
#define RUN_EXEC_ERROR_H

#include "base/error.h"

/* execvp(command) failed with this errno: fills err, with a near file or command where there is one.
 * search is the command's PATH, or NULL.
 * Returns the exit status: 127 not found, 126 found but cannot run. */
int exec_error(const char *command, const char *search, int number, struct error *err);

/* Whether there is a file that the command names, program or not. */
bool exec_is_there(const char *command, const char *search) MUST_CHECK;

#endif
