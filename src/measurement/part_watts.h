/* SPDX-License-Identifier: MIT
 * Which domains of a meter tell the power of which part of the machine, and what each run of a series drew by them.
 * Pure arithmetic. */
#ifndef MEASUREMENT_PART_WATTS_H
#define MEASUREMENT_PART_WATTS_H

#include "measurement/measurement.h"

enum split_domain {
    SPLIT_PACKAGE, /* all packages together */
    SPLIT_MEMORY,  /* all dram domains together */
    SPLIT_MACHINE, /* a meter of the machine or platform, which contains the others */
    SPLIT_GPU,     /* all graphics cards together; where there is no meter of the machine they are added */
    SPLIT_DOMAINS,
};

struct split_meter {
    bool in[SPLIT_DOMAINS][ENERGY_MAX_DOMAINS]; /* those that add up to it */
    enum quality quality[SPLIT_DOMAINS];        /* the worst of them; unknown: there is none */
    uint64_t update_ns[SPLIT_DOMAINS];          /* update time of the slowest */
    bool platform;                              /* SPLIT_MACHINE is the platform's meter, not the machine's */
};

/* Whatever scope is counted: packages, memory and graphics cards as in the scope compute, and the widest meter beside
 * them. */
void split_meter_of(const struct meter *meter, struct split_meter *split);

/* "package-0 + package-1 (powercap)"; "" none. */
void split_meter_name(const struct split_meter *split, const struct meter *meter, enum split_domain as, char *names,
                      size_t size);

/* The watts of one run; NAN where a domain has no figure or a hole, or the run is too short for its refresh to tell a
 * power. */
void split_watts(const struct split_meter *split, const struct measurement *measurement, const struct run *run,
                 double gross_w[SPLIT_DOMAINS], double net_w[SPLIT_DOMAINS]);

#endif
