/* SPDX-License-Identifier: MIT
 * What the files of every command that measures have in common: opened before anything is run, kept readable
 * throughout, and never lost without a word. One that was not asked for has no `file`, and nothing here touches it.
 * Used in app and 8 commands. Begin with result_file_open(). */
#ifndef APP_RESULT_FILE_H
#define APP_RESULT_FILE_H

#include "form/output.h"

#include <stdint.h>

/* path NULL: not asked for. */
bool result_file_open(struct output *output, const char *path, struct error *err) MUST_CHECK;

/* Whether a document is to be brought up to date, and when next, given when this time was begun. It grows with every
 * run, so that this takes a twentieth of the time at most: a long series of short runs would else spend its time on
 * it. */
bool result_file_is_due(const struct output *output, uint64_t next_ns);
uint64_t result_file_next(uint64_t begun_ns);

/* Completes a file that was written, and reports failures; err has the reason if it was not. Returns status, or 125. */
int result_file_end(struct output *output, bool written, struct error *err, int status);

/* Nothing more comes: the file stays, under a name that says so and is printed. discard: nothing was run, nothing is
 * left behind. */
void result_file_keep(struct output *output);
void result_file_discard(struct output *output);

/* The one, or the other. */
void result_file_leave(struct output *output, bool empty);

#endif
