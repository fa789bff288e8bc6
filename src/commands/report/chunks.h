/* SPDX-License-Identifier: MIT
 * A long period in pieces, each with at most as many values as a server returns in one answer. Used by fleet.c,
 * fleet_choice.h and fleet_cover.h. Begin with chunks_next(). */
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

/* State of a walk; the caller sets step_s. */
struct chunks {
    int64_t step_s, asked_s; /* asked: the last value so far */
    bool begun;
};

/* The next piece on the way to to_s. There is always a value at to_s, so that the time before it is separate from the
 * time after it; the step to it is shorter if necessary. The first piece begins with the value at from_s, each later
 * one with the next value, so that every value is requested once. False: to_s was reached. */
bool chunks_next(struct chunks *chunks, int64_t from_s, int64_t to_s, size_t max_points, struct chunk *chunk);

#endif
