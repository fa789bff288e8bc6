/* SPDX-License-Identifier: MIT
 * What `carbon serve` and `carbon top` know: totals that never go back, the power of the last interval, emissions,
 * groups. Used in commands/serve and commands/top. Begin with collector_begin(). */
#ifndef GROUPS_COLLECTOR_H
#define GROUPS_COLLECTOR_H

#include "emissions/factor.h"
#include "groups/gpu_shares.h"
#include "groups/group_scan.h"
#include "groups/own_idle.h"
#include "groups/process_scan.h"
#include "measurement/power.h"
#include "meter/cross_check.h"

/* Emissions up to a moment; later energy has the present factor. */
struct emitted {
    double kgco2eq;
    uint64_t at_uj; /* of the counted domains together */
};

/* The counted domains together: the sum of the groups, idle and the rest. */
struct collector_whole {
    double energy_j; /* of all collections with groups, as far as known */
    double power_w;  /* in the last interval; NAN: of none is known */
    size_t unknown;  /* counted domains whose power is not known */
};

struct collector {
    /* filled by the caller */
    const struct root *root;
    struct meter *meter;
    struct counting *counting;
    enum scope scope;
    struct factor factor;
    double pue;
    enum quality pue_quality;
    const char *pue_source; /* "" where it was given, or is the default */
    const struct notices *notices;
    uint64_t started_s;  /* since 1970 */
    uint64_t started_ns; /* the same moment by CLOCK_MONOTONIC */
    uint64_t begun_s;    /* when its totals were 0, maybe in a process before; 0: not known */
    int ask_fd;          /* for the names of containers; -1: none */
    bool has_groups;
    struct groups groups; /* wanted, most, linger_ns */
    struct group_scan scan;
    struct process_scan processes;
    struct own_idle idle;
    bool busy_known;
    uint64_t busy_ns; /* CPU time of everything, at the last collection */

    uint64_t base_uj[ENERGY_MAX_DOMAINS];             /* of earlier processes, which the meter's totals are added to */
    uint64_t gaps[ENERGY_MAX_DOMAINS];                /* gaps of each domain */
    uint64_t hole_ns[ENERGY_MAX_DOMAINS][HOLE_COUNT]; /* time of each kind of hole */
    struct emitted emitted;
    struct card_use cards[ENERGY_MAX_DOMAINS]; /* graphics cards among them */

    /* state at the last collection: */
    struct collector_whole whole;
    struct group_interval interval;
    struct power power;
    struct cross_steps steps;
    struct power_update update;
    struct sample sample;
    uint64_t above_uj[ENERGY_MAX_DOMAINS];  /* a model's energy above its remaining part (cross_check.h): in no total */
    uint64_t before_uj[ENERGY_MAX_DOMAINS]; /* the totals of the one before it */
    double collect_s;                       /* how long it took */
    uint64_t collections, scrapes;

    const struct error *unkept; /* why the state cannot be kept; NULL: it can, or need not be */
    bool withheld;              /* totals are not served, since a restart would decrease them */
};

/* Opens what the groups that are wanted need: the hierarchies of control groups, the processes. */
bool collector_open_groups(struct collector *collector, struct error *err) MUST_CHECK;

/* Takes the first sample, and notes what the groups have used so far; after the state was taken over. */
void collector_begin(struct collector *collector);

/* Every resolution interval. */
void collector_collect(struct collector *collector);

/* In between, so that no counter wraps unseen and a hole costs little. */
void collector_keep_alive(struct collector *collector);

/* Whether it adds to the emissions and the groups' shares: it is in the scope, and nothing contradicts it. */
bool collector_counts(const struct collector *collector, size_t domain);

/* Whether the domain has a total, and its value. */
bool collector_knows(const struct collector *collector, size_t domain);
uint64_t collector_total_uj(const struct collector *collector, size_t domain);
uint64_t collector_gaps(const struct collector *collector, size_t domain);
/* How long the energy of the domain was not known for this reason, while carbon ran. */
uint64_t collector_hole_ns(const struct collector *collector, size_t domain, enum hole hole);

/* Of the counted domains together, with their emissions and quality. */
uint64_t collector_counted_uj(const struct collector *collector);
double collector_kgco2eq(const struct collector *collector);
enum quality collector_quality(const struct collector *collector);

void collector_close(struct collector *collector);

#endif
