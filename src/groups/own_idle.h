/* SPDX-License-Identifier: MIT
 * What of an interval's energy lies above the idle power, and who may have it. docs/METHOD.md, "Energy by group". Used
 * by collector.h. Begin with own_idle_take(). */
#ifndef GROUPS_OWN_IDLE_H
#define GROUPS_OWN_IDLE_H

#include "groups/groups.h"
#include "own/own_method.h"

/* The lowest power that a metered component has drawn for a second and more; 0: none was seen yet. */
struct own_idle {
    double lowest_w[COMPONENT_COUNT];
    double since_j[COMPONENT_COUNT], since_s[COMPONENT_COUNT];
};

/* Of one component, before its interval is laid on the groups. model_w: what it draws idle where a model tells all of
 * it; NAN: it is metered. Fills idle_w, own_j (above idle; NAN unknown) and the method. */
void own_idle_take(struct own_idle *idle, enum component component, double model_w, struct group_interval *interval);

#endif
