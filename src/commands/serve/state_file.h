/* SPDX-License-Identifier: MIT
 * The file in which the exporter's state lies: nobody else's, and whole at any moment. Used by cmd_serve.c,
 * state_writer.c and teller.c. Begin with state_file_write(). */
#ifndef COMMANDS_SERVE_STATE_FILE_H
#define COMMANDS_SERVE_STATE_FILE_H

#include "base/error.h"

/* Nobody else keeps a state in this file as long as *fd is open: two of them would go on from the same totals. It is a
 * lock on PATH.lock, which stays. */
bool state_file_lock(const char *path, int *fd, struct error *err) MUST_CHECK;

/* Once it has returned true, this text is what a start finds, also after a loss of power; until then it is the one
 * before, or this one. */
bool state_file_write(const char *path, const char *text, struct error *err) MUST_CHECK;

/* The same for the last one: nothing is left beside it. */
bool state_file_finish(const char *path, const char *text, struct error *err) MUST_CHECK;

/* Once it has returned true, a start finds nothing. */
bool state_file_remove(const char *path, struct error *err) MUST_CHECK;

#endif
