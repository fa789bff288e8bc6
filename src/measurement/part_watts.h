/* SPDX-License-Identifier: MIT
 * The domains of a meter by part of the machine, and the power of each run of a series by these parts.
 * Pure arithmetic. Used by commands/calibrate/calibrate_fit.h and commands/probe/power_breakdown.h. Begin with
 * breakdown_meter_of(). */
#ifndef MEASUREMENT_PART_WATTS_H
#define MEASUREMENT_PART_WATTS_H

#include "measurement/measurement.h"

enum breakdown_domain {
    BREAKDOWN_PACKAGE, /* all packages together */
    BREAKDOWN_MEMORY,  /* all dram domains together */
    BREAKDOWN_MACHINE, /* a meter of the machine or platform, which contains the others */
    BREAKDOWN_GPU,     /* all graphics cards together; without a meter of the machine they are added */
    BREAKDOWN_DOMAINS,
};

struct breakdown_meter {
    bool in[BREAKDOWN_DOMAINS][ENERGY_MAX_DOMAINS]; /* those that add up to it */
    enum quality quality[BREAKDOWN_DOMAINS];        /* the worst of them; unknown: there is none */
    uint64_t update_ns[BREAKDOWN_DOMAINS];          /* update time of the slowest */
    bool platform;                                  /* BREAKDOWN_MACHINE is the platform's meter, not the machine's */
};

/* In any scope: packages, memory and graphics cards as in the scope compute, and the widest meter with
 * them. */
void breakdown_meter_of(const struct meter *meter, struct breakdown_meter *split);

/* "package-0 + package-1 (powercap)"; "" none. */
void breakdown_meter_name(const struct breakdown_meter *split, const struct meter *meter, enum breakdown_domain as,
                          char *names, size_t size);

/* The watts of one run; NAN if a domain has no figure or a hole, or the run is too short for its refresh to give a
 * power. */
void split_watts(const struct breakdown_meter *split, const struct measurement *measurement, const struct run *run,
                 double gross_w[BREAKDOWN_DOMAINS], double net_w[BREAKDOWN_DOMAINS]);

#endif
