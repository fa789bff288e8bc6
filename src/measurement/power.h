/* SPDX-License-Identifier: MIT
 * Live power: the power of every domain from one update to the next, and since the start. Pure arithmetic. Used by
 * groups/collector.h and commands/sources/watch.h. Begin with power_begin(). */
#ifndef MEASUREMENT_POWER_H
#define MEASUREMENT_POWER_H

#include "meter/scope.h"

/* One domain since power_begin. */
struct power_domain {
    bool begun;                /* a first reading has been taken */
    bool read;                 /* the latest sample has its own reading */
    uint64_t pending_ns;       /* since the last reading that says something; still to be counted */
    uint64_t energy_uj;        /* known to have been used, in covered_ns */
    uint64_t covered_ns;       /* the time with readings and without holes */
    uint64_t unknown_ns;       /* the time with them: of whose energy nothing is known */
    enum hole hole;            /* why, the last time */
    uint64_t shown_uj;         /* energy_uj at the last update */
    uint64_t shown_covered_ns; /* and the time that it covered */
};

struct power {
    const struct meter *meter;
    uint64_t begun_ns, updated_ns;
    struct sample last; /* what each domain had at its last reading; the times are the last sample's */
    uint64_t slept_ns;  /* total time for which the machine was suspended */
    struct power_domain domains[ENERGY_MAX_DOMAINS];
};

/* NAN: unknown. */
struct power_figures {
    double w;         /* now: over this update, or since the counter was last read or refreshed */
    double mean_w;    /* energy_j over the time that it covers */
    double energy_j;  /* since power_begin, up to the last reading that says something */
    double unknown_s; /* since power_begin, whose energy is not in energy_j: a lower bound then; of a total the most */
    enum hole hole;   /* why, the last time; of the domain that is known least */
    enum quality quality;
    size_t unknown; /* of a total: counted domains without w */
};

struct power_update {
    double elapsed_s;  /* since power_begin; CLOCK_MONOTONIC, so without a suspend */
    double interval_s; /* since the update before */
    struct power_figures domains[ENERGY_MAX_DOMAINS];
};

void power_begin(struct power *power, const struct meter *meter, const struct sample *first);

/* Every sample of the meter goes through here, in order, whether it is shown or not. */
void power_take(struct power *power, const struct sample *sample);

/* The figures as of the last sample, and the beginning of the next update. */
void power_update(struct power *power, struct power_update *update);

struct power_figures power_total(const struct power *power, const struct power_update *update,
                                 const struct counting *counting);

/* Warnings about the counted domains, whose total is given: one is stuck, was reset, fails. */
void power_notices(const struct power *power, const struct counting *counting, const struct power_figures *total,
                   struct notices *notices);

#endif
