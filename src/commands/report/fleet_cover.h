/* SPDX-License-Identifier: MIT
 * Which steps of a piece are covered by the counters of a node. Used by fleet.c and fleet_choice.c. Begin with
 * fleet_cover_open(). */
#ifndef COMMANDS_REPORT_FLEET_COVER_H
#define COMMANDS_REPORT_FLEET_COVER_H

#include "commands/report/chunks.h"
#include "io/arena.h"
#include "series/metric_series.h"

/* Neighbouring values with a distance above this many steps have a gap between them. */
#define FLEET_GAP 2.5

enum { COVER_REPORTED = 1, COVER_BACK = 2 /* the first value after a gap */ };

/* Of one node. A step ends at a value: the value at from_s + i * step_s ends step i. */
struct fleet_cover {
    unsigned char *steps; /* of the chunk's points: COVER_... */
    double first_s;       /* length of step 0, from the value before the piece */
};

/* In the arena. False: no memory. */
bool fleet_cover_open(struct fleet_cover *cover, const struct chunk *chunk, struct arena *arena) MUST_CHECK;

/* Adds the values of one of its counters; the first may be a value before the piece. */
void fleet_cover_add(struct fleet_cover *cover, const struct chunk *chunk, int64_t step_s,
                     const struct metric_series *series);

double fleet_cover_time(const struct fleet_cover *cover, const struct chunk *chunk, int64_t step_s);

/* Number of ended gaps. */
unsigned fleet_cover_gaps(const struct fleet_cover *cover, const struct chunk *chunk);

#endif
