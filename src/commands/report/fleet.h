/* SPDX-License-Identifier: MIT
 * The energy of a fleet over a long period: the counters of its nodes, and of the pods on them, read piece by piece
 * from a Prometheus and summed by day. Memory holds one piece, however long the period is. Used by
 * fleet_contributions.c and fleet_options.c. Begin with fleet_open().
 *
 * With --from-prometheus the accounts are days of nodes. fleet.c walks the period by day and requests it in pieces
 * (chunks.h: each value once, and each day ends with a value), as long as the number of series allows. fleet_carry.c
 * puts the last value of each counter before its next piece, so that no step between pieces and no step over a gap is
 * lost; it forgets pods that were absent for a day. workload_rows_of calculates the joules of a piece, fleet_cover.c
 * finds the steps that a node's counters cover, fleet_day.c sums nodes and groups until the day ends, and
 * fleet_labels.c knows the label of a pod. fleet_handover.c hands over a finished day: the nodes first, then their
 * groups, and the energy without a group. fleet_contributions.c makes accounts of it, with the factor of the year, and
 * annual_fleet.c keeps the coverage of each node; the rest is the same as for a year of records. */
#ifndef COMMANDS_REPORT_FLEET_H
#define COMMANDS_REPORT_FLEET_H

#include "commands/report/fleet_part.h"
#include "commands/report/fleet_query.h"

struct fleet;
struct fleet *fleet_open(const struct fleet_query *query, struct error *err) MUST_CHECK;
void fleet_close(struct fleet *fleet);

/* The days from from_s to to_s, each of 24 hours except the last. A second call continues at to_s, which must be its
 * from_s: the step between the two calls is not lost. */
bool fleet_walk(struct fleet *fleet, int64_t from_s, int64_t to_s, fleet_function *on_part, void *context,
                struct notices *notices, struct error *err) MUST_CHECK;

/* Notices about the whole period, at the end. */
void fleet_doubts(const struct fleet *fleet, struct notices *notices);

/* The exporters whose counters were read: bit 1 << KIND_... */
unsigned fleet_exporters(const struct fleet *fleet);

#endif
