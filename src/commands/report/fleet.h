/* SPDX-License-Identifier: MIT
 * The energy of a fleet over a long time: the counters of its nodes, and of the pods on them, read piece by piece from
 * a Prometheus and added up by the day. Memory holds one piece, whatever the length of the time.
 *
 * With --from-prometheus the accounts are days of nodes. fleet.c walks the period by the day and asks for it in
 * pieces (chunks.h: each value once, and each day ends with one), as long as the number of series allows, so that
 * memory holds one piece. fleet_last.c puts the last value of each counter before its next piece, so that the step
 * between, or the one over a gap, is lost to neither; it forgets pods that were away for a day. kind_rows_of makes
 * joules of a piece, fleet_cover.c says which steps a node's counters tell, fleet_day.c adds up nodes and groups
 * until the day ends, and fleet_labels.c knows which label a pod has. fleet_tell.c tells what the day came to: the
 * nodes first, then their groups, and what no group was told. fleet_accounts.c makes accounts of that, with the
 * factor of the year, and annual_fleet.c keeps what of the period each node covers; all else is the way of one
 * year. */
#ifndef COMMANDS_REPORT_FLEET_H
#define COMMANDS_REPORT_FLEET_H

#include "commands/report/fleet_part.h"
#include "series/api.h"
#include "series/kind.h"

enum fleet_groups {
    FLEET_NODES,      /* the nodes alone; the group of a node is its own label, where one was named */
    FLEET_NAMESPACES, /* and the pods on them by namespace */
    FLEET_POD_LABELS, /* and the pods on them by a label of theirs */
};

struct fleet_query {
    const struct prometheus_server *server;
    enum fleet_groups groups;
    const char *label;           /* of nodes, or of pods; NULL: none */
    const char *matchers;        /* further ones of the series, 'cluster="a"'; NULL: none */
    enum kind_exporter exporter; /* KIND_NONE: the first that there is counters of */
    int64_t step_s;
};

struct fleet;
struct fleet *fleet_open(const struct fleet_query *query, struct error *err) MUST_CHECK;
void fleet_close(struct fleet *fleet);

/* The days from from_s on until to_s, each of 24 hours but the last. A second call goes on from to_s, where its from_s
 * must be: what lies between the last value of the one and the first of the other is in neither's days lost. */
bool fleet_walk(struct fleet *fleet, int64_t from_s, int64_t to_s, fleet_function *on_part, void *context,
                struct notices *notices, struct error *err) MUST_CHECK;

/* What is to be told of all of it in the end. */
void fleet_doubts(const struct fleet *fleet, struct notices *notices);

/* Those whose counters were read: bit 1 << KIND_... */
unsigned fleet_exporters(const struct fleet *fleet);

#endif
