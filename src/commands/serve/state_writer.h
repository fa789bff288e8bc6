/* SPDX-License-Identifier: MIT
 * A thread that keeps the exporter's state on the disk, so that no scrape waits for a disk. Used by teller.h. Begin
 * with state_writer_open(). */
#ifndef COMMANDS_SERVE_STATE_WRITER_H
#define COMMANDS_SERVE_STATE_WRITER_H

#include "base/error.h"

enum state_outcome {
    STATE_STORED, /* a start finds this state */
    STATE_GONE,   /* it could not be kept; a start finds none, and begins at 0 */
    STATE_STUCK,  /* nor could the one before be removed: a start finds that, or this one */
};

struct state_result {
    enum state_outcome outcome;
    struct error problem; /* unless it was kept */
};

/* Keeps the text, or else sees to it that no older one is found. removed: whether there is none, which stays so. */
void state_keep(const char *path, const char *text, bool *removed, struct state_result *result);

struct state_writer;

/* path outlives it. */
struct state_writer *state_writer_open(const char *path, struct error *err) MUST_CHECK;

/* Takes the text over. There is one at a time: the result of that before was taken. */
void state_writer_give(struct state_writer *writer, char *text);

/* Readable once it is done. */
int state_writer_fd(const struct state_writer *writer);

/* False: it is not done. */
bool state_writer_take(struct state_writer *writer, struct state_result *result) MUST_CHECK;

/* After what it was given last is done. NULL is harmless. */
void state_writer_close(struct state_writer *writer);

#endif
