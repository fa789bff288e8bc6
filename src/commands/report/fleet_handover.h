/* SPDX-License-Identifier: MIT
 * What a day of a fleet comes to, told part by part: for commands/report/fleet.c alone. Used by fleet.c. Begin with
 * fleet_hand_over_day(). */
#ifndef COMMANDS_REPORT_FLEET_HANDOVER_H
#define COMMANDS_REPORT_FLEET_HANDOVER_H

#include "commands/report/fleet_day.h"
#include "commands/report/fleet_labels.h"
#include "commands/report/fleet_part.h"

struct fleet_handover {
    struct fleet_day *day;
    struct fleet_day *ahead; /* by node: what its groups were told on days on which it told nothing itself */
    struct fleet_labels *labels;
    bool groups; /* the energy of nodes is told by groups, too */
    fleet_function *on_part;
    void *context;
};

/* Nodes first, each with the rest that no group was told. Of `day` only its times are read. */
bool fleet_hand_over_day(const struct fleet_handover *telling, const struct fleet_part *day,
                         struct error *err) MUST_CHECK;

#endif
