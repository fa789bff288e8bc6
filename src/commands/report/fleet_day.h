/* SPDX-License-Identifier: MIT
 * What the nodes of a fleet, and the groups of pods on them, used on one day, while it is added up. Used by fleet.c,
 * fleet_choice.h and fleet_handover.h. Begin with fleet_day_find(). */
#ifndef COMMANDS_REPORT_FLEET_DAY_H
#define COMMANDS_REPORT_FLEET_DAY_H

#include "base/quality.h"
#include "io/arena.h"

#include <stdint.h>

struct fleet_entry {
    bool is_node;             /* the node's own counters; else those of a group on it */
    const char *node, *group; /* group NULL: it has none */
    double joules, first_s, last_s, covered_s;
    double doubtful_j;
    double groups_j; /* of a node: what the groups on it were told */
    size_t groups;   /* number of groups */
    unsigned resets, wraps, gaps;
    enum quality quality;
    bool reported; /* its energy is known */
};

struct fleet_day {
    struct fleet_entry *items;
    uint32_t *slots; /* a hash table of index + 1; 0: free */
    size_t count, room, slot_count;
    struct arena arena;
};

/* The entry, made where there is none: all 0, first_s and last_s NAN. It stays where it is until the next call. NULL:
 * no memory. */
struct fleet_entry *fleet_day_get(struct fleet_day *day, bool is_node, const char *node, const char *group,
                                  struct error *err) MUST_CHECK;
/* The same, or NULL where there is none. */
struct fleet_entry *fleet_day_find(const struct fleet_day *day, bool is_node, const char *node, const char *group);

void fleet_day_close(struct fleet_day *day); /* it is empty then, and may be filled again */

#endif
