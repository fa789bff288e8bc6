/* SPDX-License-Identifier: MIT
 * A finished day of a fleet, handed over part by part: for commands/report/fleet.c only. Used by fleet.c. Begin with
 * fleet_hand_over_day(). */
#ifndef COMMANDS_REPORT_FLEET_HANDOVER_H
#define COMMANDS_REPORT_FLEET_HANDOVER_H

#include "commands/report/fleet_day.h"
#include "commands/report/fleet_labels.h"
#include "commands/report/fleet_part.h"

struct fleet_handover {
    struct fleet_day *day;
    struct fleet_day *ahead; /* by node: energy of its groups on days without values of its own */
    struct fleet_labels *labels;
    bool groups; /* the energy of nodes is split by groups, too */
    fleet_function *on_part;
    void *context;
};

/* Nodes first, each with the rest that belongs to no group. Reads only the times of `day`. */
bool fleet_hand_over_day(const struct fleet_handover *telling, const struct fleet_part *day,
                         struct error *err) MUST_CHECK;

#endif
