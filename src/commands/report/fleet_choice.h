/* SPDX-License-Identifier: MIT
 * Which exporter counts on which node of a fleet, and from when on: node by node, while a cluster changes from one to
 * another. Within one call of workload_rows_of series/kind_choice.h does it; this holds it from piece to piece. Used by
 * fleet.c. Begin with fleet_choose(). */
#ifndef COMMANDS_REPORT_FLEET_CHOICE_H
#define COMMANDS_REPORT_FLEET_CHOICE_H

#include "commands/report/chunks.h"
#include "commands/report/fleet_day.h"
#include "series/attribution.h"

/* What a node is called whatever exporter tells of it: without a name it is where it is asked, "10.0.0.7:9102", of
 * which the port is the exporter's. */
enum { FLEET_NODE_SIZE = 300 };
const char *fleet_node_name(const char *node, char room[FLEET_NODE_SIZE]);

/* Who is known to tell of a node in a piece: what has it as a part, or its own counters. */
enum fleet_touch { FLEET_UNTOUCHED, FLEET_BY_POD, FLEET_BY_NODE };

struct fleet_chosen {
    enum exporter_kind kind; /* that counts; EXPORTER_NONE: none yet */
    double until_s;          /* and has told so far */
    /* In the piece that is looked at: when each told, and from when on it counts; NAN: it does not. */
    struct {
        double first_s, last_s, from_s;
    } kinds[EXPORTER_COUNT];
    enum fleet_touch touched;
};

struct fleet_choice {
    struct fleet_day nodes;     /* their names, and their cards' apart */
    struct fleet_chosen *items; /* by the place of the name */
    size_t room;
    unsigned used, left_out;          /* 1 << KIND_... */
    unsigned changes[EXPORTER_COUNT]; /* from a kind to others, told already */
};

/* Leaves of each series of the piece the values that count. One exporter of a node counts for as long as it tells
 * anything, then the next; a change is noticed. */
bool fleet_choose(struct fleet_choice *choice, struct series_set *set, const struct pod_names *names,
                  const struct chunk *chunk, int64_t step_s, struct notices *notices, struct error *err) MUST_CHECK;
void fleet_choice_close(struct fleet_choice *choice);

#endif
