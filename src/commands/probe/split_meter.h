/* SPDX-License-Identifier: MIT
 * Which domains of a meter a split stands on, and what each run of a series drew by them. Pure arithmetic. */
#ifndef COMMANDS_PROBE_SPLIT_METER_H
#define COMMANDS_PROBE_SPLIT_METER_H

#include "commands/probe/split.h"
#include "measurement/measurement.h"

struct split_meter {
    bool in[SPLIT_DOMAINS][ENERGY_MAX_DOMAINS]; /* those that add up to it */
    enum quality quality[SPLIT_DOMAINS];        /* the worst of them; unknown: there is none */
    uint64_t update_ns[SPLIT_DOMAINS];          /* of the slowest */
    bool platform;                              /* SPLIT_MACHINE is the platform's meter, not the machine's */
};

/* Whatever scope is counted: packages, memory and graphics cards as in the scope compute, and the widest meter beside
 * them. */
void split_meter_of(const struct meter *meter, struct split_meter *split);

/* The watts of one run; NAN where a domain has no figure or a hole, or the run is too short for its refresh to tell a
 * power. */
void split_watts(const struct split_meter *split, const struct measurement *measurement, const struct run *run,
                 struct split_run *watts);

#endif
