/* SPDX-License-Identifier: MIT
 * The energy of a fleet over a long time: the counters of its nodes, and of the pods on them, read piece by piece from
 * a Prometheus and added up by the day. Memory holds one piece, whatever the length of the time. Used by
 * fleet_contributions.c and fleet_options.c. Begin with fleet_open().
 *
 * With --from-prometheus the accounts are days of nodes. fleet.c walks the period by the day and asks for it in
 * pieces (chunks.h: each value once, and each day ends with one), as long as the number of series allows, so that
 * memory holds one piece. fleet_carry.c puts the last value of each counter before its next piece, so that the step
 * between, or the one over a gap, is lost to neither; it forgets pods that were away for a day. workload_rows_of makes
 * joules of a piece, fleet_cover.c says which steps a node's counters tell, fleet_day.c adds up nodes and groups
 * until the day ends, and fleet_labels.c knows which label a pod has. fleet_handover.c tells what the day came to: the
 * nodes first, then their groups, and what no group was told. fleet_contributions.c makes accounts of that, with the
 * factor of the year, and annual_fleet.c keeps what of the period each node covers; all else is the way of one
 * year. */
#ifndef COMMANDS_REPORT_FLEET_H
#define COMMANDS_REPORT_FLEET_H

#include "commands/report/fleet_part.h"
#include "commands/report/fleet_query.h"

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
