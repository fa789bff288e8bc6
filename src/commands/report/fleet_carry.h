/* SPDX-License-Identifier: MIT
 * The last value of each counter, so that the step from it into the next piece is lost to neither piece. Used by
 * fleet.c. Begin with fleet_carry_join(). */
#ifndef COMMANDS_REPORT_FLEET_CARRY_H
#define COMMANDS_REPORT_FLEET_CARRY_H

#include "series/metric_series.h"

struct fleet_carry {
    struct series_set set; /* of each its last value twice: when it came to it, and when it was last told */
};

/* Puts the last values of each series before its others, and takes the new last ones. What was not told since keep_s is
 * forgotten, but of nodes, which come back. */
bool fleet_carry_join(struct fleet_carry *last, struct series_set *set, double keep_s, struct error *err) MUST_CHECK;

/* Where a counter is scraped less often than it is asked for, its values stand there several times, as if nothing were
 * used and then much at once, and a wrap could not be told from a beginning. Leaves each value where it comes first. */
void fleet_carry_settle(struct series_set *set);

void fleet_carry_close(struct fleet_carry *last);

#endif
