/* SPDX-License-Identifier: MIT
 * The file of the exporter's state: used by one process only, and complete at any moment. Used by cmd_serve.c,
 * state_writer.c and teller.c. Begin with state_file_write(). */
#ifndef COMMANDS_SERVE_STATE_FILE_H
#define COMMANDS_SERVE_STATE_FILE_H

#include "base/error.h"

/* Locks the state file as long as *fd is open: two exporters would continue from the same totals. The lock is on
 * PATH.lock, which stays. */
bool state_file_lock(const char *path, int *fd, struct error *err) MUST_CHECK;

/* After it returns true, the next start finds this text, even after a loss of power; before, the old text or this one.
 */
bool state_file_write(const char *path, const char *text, struct error *err) MUST_CHECK;

/* The same for the last write: no temporary file remains. */
bool state_file_finish(const char *path, const char *text, struct error *err) MUST_CHECK;

/* After it returns true, the next start finds no state. */
bool state_file_remove(const char *path, struct error *err) MUST_CHECK;

#endif
