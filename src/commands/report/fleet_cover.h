/* SPDX-License-Identifier: MIT
 * Which steps of a piece of time the counters of a node tell. Used by fleet.c and fleet_choice.c. Begin with
 * fleet_cover_open(). */
#ifndef COMMANDS_REPORT_FLEET_COVER_H
#define COMMANDS_REPORT_FLEET_COVER_H

#include "commands/report/chunks.h"
#include "io/arena.h"
#include "series/metric_series.h"

/* Neighbouring values that are further apart than so many steps have a gap between them. */
#define FLEET_GAP 2.5

enum { COVER_REPORTED = 1, COVER_BACK = 2 /* the first value after a gap */ };

/* Of one node. A step ends at a value: that at from_s + i * step_s has number i. */
struct fleet_cover {
    unsigned char *steps; /* of the chunk's points: COVER_... */
    double first_s;       /* how long step 0 is, from the value before the piece */
};

/* In the arena. False: no memory. */
bool fleet_cover_open(struct fleet_cover *cover, const struct chunk *chunk, struct arena *arena) MUST_CHECK;

/* Adds what one of its counters tells; a value before the piece may stand first. */
void fleet_cover_add(struct fleet_cover *cover, const struct chunk *chunk, int64_t step_s,
                     const struct metric_series *series);

double fleet_cover_time(const struct fleet_cover *cover, const struct chunk *chunk, int64_t step_s);

/* Times without values that have ended. */
unsigned fleet_cover_gaps(const struct fleet_cover *cover, const struct chunk *chunk);

#endif
