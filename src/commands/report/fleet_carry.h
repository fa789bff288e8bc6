/* SPDX-License-Identifier: MIT
 * The last value of each counter, so that the step from it into the next piece is not lost. Used by fleet.c. Begin with
 * fleet_carry_join(). */
#ifndef COMMANDS_REPORT_FLEET_CARRY_H
#define COMMANDS_REPORT_FLEET_CARRY_H

#include "series/metric_series.h"

struct fleet_carry {
    struct series_set set; /* the last value of each, twice: when it first had it, and when it last had it */
};

/* Puts the last values of each series before its others, and stores the new last ones. Forgets series without values
 * since keep_s, except those of nodes, which come back. */
bool fleet_carry_join(struct fleet_carry *last, struct series_set *set, double keep_s, struct error *err) MUST_CHECK;

/* If a counter is scraped less often than it is requested, its values repeat, as if no energy were used and then a
 * large amount at once, and a wrap would look like a restart. Keeps each value where it first appears. */
void fleet_carry_settle(struct series_set *set);

void fleet_carry_close(struct fleet_carry *last);

#endif
