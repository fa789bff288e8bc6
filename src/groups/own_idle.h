/* SPDX-License-Identifier: MIT
 * What of an interval's energy lies above the idle power, and who may have it. docs/METHOD.md, "Energy by group". Used
 * by collector.h and gpu_shares.h. Begin with own_idle_take(). */
#ifndef GROUPS_OWN_IDLE_H
#define GROUPS_OWN_IDLE_H

#include "groups/groups.h"
#include "own/own_method.h"

/* The lowest power that was seen for a second and more. */
struct lowest_power {
    double w; /* 0: none yet */
    double since_j, since_s;
};

/* For an interval with this number of known seconds (NAN: none). */
void lowest_power_take(struct lowest_power *lowest, double energy_j, double known_s);

/* The metered components. */
struct own_idle {
    struct lowest_power components[COMPONENT_COUNT];
};

/* Of one component, before its interval is shared among the groups. model_w: its idle power if a model gives all of
 * it; NAN: it is metered. Fills idle_w, own_j (above idle; NAN unknown) and the method. */
void own_idle_take(struct own_idle *idle, enum component component, double model_w, struct group_interval *interval);

#endif
