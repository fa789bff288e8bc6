/* SPDX-License-Identifier: MIT
 * What lies between two samples of all domains. Pure. Used in measurement, meter and own. Begin with window_between().
 */
#ifndef METER_WINDOW_H
#define METER_WINDOW_H

#include "base/sample_stats.h"
#include "meter/meter.h"

enum { BASELINE_PARTS = 5 };

struct window {
    uint64_t start_ns;    /* CLOCK_MONOTONIC */
    uint64_t realtime_ns; /* time of the start */
    uint64_t duration_ns;
    uint64_t suspended_ns; /* the machine slept */
    uint64_t span_ns;      /* how long the longer of its readings took; 0: not known */
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];
    uint8_t known[ENERGY_MAX_DOMAINS];       /* both ends were read, or the missing time is in unknown_ns */
    uint64_t unknown_ns[ENERGY_MAX_DOMAINS]; /* part of duration_ns that energy_uj, a lower bound, excludes */
    uint8_t hole[ENERGY_MAX_DOMAINS];        /* enum hole: why, the last time */
    uint64_t machine_busy_ns;                /* CPU time of everything on the machine */
    bool machine_busy_known;
    uint64_t machine_lost_ns; /* CPU time that may have been busy, too; docs/METHOD.md, "Own" */
    uint64_t mask_busy_ns;    /* of it, on the CPUs that the job may run on */
    unsigned mask_cpus;       /* how many these are; 0: mask_busy_ns is not known */
    uint64_t carbon_busy_ns;  /* CPU time of carbon itself, which is in both; 0 where the machine is a recorded one */
    /* A baseline is also read within, so that its own spread is known: mean power of the counted
     * domains in each part. */
    double parts_w[BASELINE_PARTS];
    size_t part_count;
};

struct window window_between(const struct sample *start, const struct sample *end);

/* Adds the window that follows. */
void window_join(struct window *whole, const struct window *next, size_t domain_count);

/* How much of the window this domain's energy is of. */
uint64_t window_known_ns(const struct window *window, size_t domain);

/* The energy used for a reported energy of a domain. */
double figure_j(const struct domain *domain, uint64_t energy_uj);

/* The power that each busy CPU adds to a modelled domain at this load of `cpus` CPUs (0 to 1; almost
 * 0: as at 1 %), in watts of a figure. NAN: not modelled, or unknown in the record. */
double domain_slope_w(const struct domain *domain, double load, double cpus);

/* The ends of its range, as multiples of that. */
struct interval domain_slope_ratios(const struct domain *domain);

/* Mean power of one domain in the known time, in watts, as reported. */
double window_w(const struct window *window, size_t domain);

/* The windows of a series, in any order. */
struct window_list {
    const struct window *(*at)(const void *of, size_t step);
    const void *of;
    size_t count;
};

uint64_t windows_ns(const struct window_list *windows); /* how long they are together */

/* The window knows all that the domain used in it. */
bool step_knows(const struct window *step, size_t domain);

#endif
