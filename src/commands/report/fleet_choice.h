/* SPDX-License-Identifier: MIT
 * Which exporter counts on which node of a fleet, and from when: node by node, while a cluster changes from one
 * exporter to another. series/kind_choice.h decides within one call of workload_rows_of; this keeps the decision from
 * piece to piece. Used by fleet.c. Begin with fleet_choose(). */
#ifndef COMMANDS_REPORT_FLEET_CHOICE_H
#define COMMANDS_REPORT_FLEET_CHOICE_H

#include "commands/report/chunks.h"
#include "commands/report/fleet_day.h"
#include "series/attribution.h"

/* The name of a node for all exporters: a node without a name has the address of its scrape, "10.0.0.7:9102", whose
 * port belongs to the exporter. */
enum { FLEET_NODE_SIZE = 300 };
const char *fleet_node_name(const char *node, char room[FLEET_NODE_SIZE]);

/* Who reports a node in a piece: the counter that includes it, or its own counters. */
enum fleet_touch { FLEET_UNTOUCHED, FLEET_BY_POD, FLEET_BY_NODE };

struct fleet_chosen {
    enum exporter_kind kind; /* the counting one; EXPORTER_NONE: none yet */
    double until_s;          /* time of its last value so far */
    /* In the current piece: the time of each one's values, and from when it counts; NAN: it does not. */
    struct {
        double first_s, last_s, from_s;
    } kinds[EXPORTER_COUNT];
    enum fleet_touch touched;
};

struct fleet_choice {
    struct fleet_day nodes;     /* names of nodes; those of their GPUs separately */
    struct fleet_chosen *items; /* by the index of the name */
    size_t room;
    unsigned used, left_out;          /* 1 << KIND_... */
    unsigned changes[EXPORTER_COUNT]; /* from one kind to another, already reported */
};

/* Keeps the values of each series in the piece that count. One exporter of a node counts as long as it has values, then
 * the next; a change becomes a notice. */
bool fleet_choose(struct fleet_choice *choice, struct series_set *set, const struct pod_names *names,
                  const struct chunk *chunk, int64_t step_s, struct notices *notices, struct error *err) MUST_CHECK;
void fleet_choice_close(struct fleet_choice *choice);

#endif
