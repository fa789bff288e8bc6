/* SPDX-License-Identifier: MIT
 * A day of a fleet, part by part. Used by fleet.h and fleet_handover.h. Begin with enum fleet_part_kind. */
#ifndef COMMANDS_REPORT_FLEET_PART_H
#define COMMANDS_REPORT_FLEET_PART_H

#include "base/error.h"
#include "base/quality.h"

#include <stdint.h>

enum fleet_part_kind {
    FLEET_NODE,  /* total of a node */
    FLEET_GROUP, /* pods of one group of the node */
    FLEET_REST,  /* the rest, which belongs to no pod; may be negative */
};

/* Of one day, or of its part within the requested period. A node comes before its groups. */
struct fleet_part {
    enum fleet_part_kind kind;
    const char *node, *group; /* group NULL: none */
    int64_t from_s, to_s;     /* the day */
    double first_s, last_s;   /* the first and the last value of its counters in it */
    double joules, covered_s; /* covered: time between neighbouring values */
    double doubtful_j;        /* upper bound of the energy lost to counter resets */
    unsigned resets, wraps, gaps;
    enum quality quality;
};

typedef bool fleet_function(const struct fleet_part *part, void *context, struct error *err);

#endif
