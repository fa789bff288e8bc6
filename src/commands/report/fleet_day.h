/* SPDX-License-Identifier: MIT
 * The energy of the nodes of a fleet, and of the groups of pods on them, on one day, while it is summed. Used by
 * fleet.c, fleet_choice.h and fleet_handover.h. Begin with fleet_day_find(). */
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
    double groups_j; /* of a node: energy of the groups on it */
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

/* The entry, created if missing: all 0, first_s and last_s NAN. It is valid until the next call. NULL: no memory. */
struct fleet_entry *fleet_day_get(struct fleet_day *day, bool is_node, const char *node, const char *group,
                                  struct error *err) MUST_CHECK;
/* The same, or NULL if missing. */
struct fleet_entry *fleet_day_find(const struct fleet_day *day, bool is_node, const char *node, const char *group);

void fleet_day_close(struct fleet_day *day); /* empties it; it can be filled again */

#endif
