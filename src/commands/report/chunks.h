/* SPDX-License-Identifier: MIT
 * A long time in pieces, each of so many values as a server gives at once. Used by fleet.c, fleet_choice.h and
 * fleet_cover.h. Begin with chunks_next(). */
#ifndef COMMANDS_REPORT_CHUNKS_H
#define COMMANDS_REPORT_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values at from_s, from_s + step_s ... to_s. */
struct chunk {
    int64_t from_s, to_s;
    size_t points;
};

/* Where a walk has come to; step_s is set by who begins one. */
struct chunks {
    int64_t step_s, asked_s; /* asked: the last value so far */
    bool begun;
};

/* The next piece on the way to to_s, which is a value in any case, so that what lies before it and what lies after it
 * are told apart: the step to it is a shorter one where it must be. The first piece of all begins with the value at
 * from_s; each other one with the first that was not asked for yet, so that none is asked for twice, and none is left
 * out. False: to_s has been asked for. */
bool chunks_next(struct chunks *chunks, int64_t from_s, int64_t to_s, size_t max_points, struct chunk *chunk);

#endif
