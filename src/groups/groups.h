/* SPDX-License-Identifier: MIT
 * The groups of processes that energy is attributed to, and the rule by which it is: of `carbon serve` and of `carbon
 * top`. Used by group_scan.h, group_titles.h, own_idle.h and process_scan.h. Begin with groups_find(). */
#ifndef GROUPS_GROUPS_H
#define GROUPS_GROUPS_H

#include "emissions/factor.h"
#include "energy/energy.h"
#include "own/own_method.h"
#include "usage/group_name.h"

#include <stdint.h>
#include <sys/types.h>

enum { GROUP_HIERARCHIES_SEEN = 2 }; /* version 2, and cpuacct of version 1 */

struct group {
    struct group_name name;
    uint64_t hash;
    char title[256];   /* what people call it: the container's or the pod's name; "" not known (yet) */
    char space[64];    /* the pod's namespace */
    bool named;        /* title is as it will stay: labels of a series never change */
    bool asked;        /* its name was requested from an engine */
    bool hidden;       /* another group has its CPU time now: its totals stay, and are not exported */
    uint64_t begun_ns; /* CLOCK_MONOTONIC: when it was seen first */
    uint64_t seen_ns;  /* CLOCK_MONOTONIC: when its folder was there last */
    uint64_t cpu_ns;   /* since carbon saw it first */
    uint64_t recent_ns[GROUP_HIERARCHIES_SEEN]; /* of this interval, by each hierarchy */
    bool has[COMPONENT_COUNT];
    double energy_j[COMPONENT_COUNT], power_w[COMPONENT_COUNT];
    double kgco2eq;
    bool has_own[COMPONENT_COUNT];
    double own_j[COMPONENT_COUNT], own_w[COMPONENT_COUNT]; /* of the machine's energy above idle */
    double own_kgco2eq;
    uid_t owner; /* of a process by its number: whose it is, as seen last */
};

/* What groups that were let go had used, of one kind. */
struct groups_ended {
    size_t count;
    uint64_t cpu_ns;
    double energy_j, own_j, kgco2eq;
};

/* The unused rest: of unused CPU time and unused cards. */
struct groups_idle {
    bool known; /* during the last interval */
    double energy_j, power_w;
    double idle_j; /* the idle energy that own energies exclude, for the time in which idle power was known */
};

/* A group that found no room. */
struct group_out {
    uint64_t hash;
    enum group_kind kind;
};

struct groups_out {
    struct group_out *items;
    size_t count, room;
};

struct groups {
    bool wanted[GROUP_KINDS];
    char asks_as[16]; /* the user whose engines are asked for names, and who made their containers; "": root */
    struct group *items;
    size_t count, max, room;
    size_t *places,
        place_count; /* of items, by hash: 1 + their index, 0 none; a power of two, twice the room or more */
    struct groups_out out, out_before; /* that found no room in this walk, and in the one before, sorted */
    size_t left_out[GROUP_KINDS];      /* number of groups that are not exported */
    size_t unentered;                  /* folders of groups, in which others may be */
    uint64_t walked_ns;                /* CLOCK_MONOTONIC: when the hierarchies were walked last */
    uint64_t linger_ns;                /* how long an ended group stays */
    double idle_w[COMPONENT_COUNT];    /* in the last interval; NAN unknown */
    struct groups_ended ended[GROUP_KINDS];
    struct groups_idle idle;
    enum own_method own_method[COMPONENT_COUNT]; /* method of own_j */
};

#define GROUP_NONE SIZE_MAX

/* Whether a user has given this name, who may give as many as he likes: the last quarter of the room is root's. */
bool group_name_is_users(const struct group_name *name);

/* The group of this name, made where it is not there. GROUP_NONE: no room, which is noted, or no memory. */
size_t groups_take(struct groups *groups, const struct group_name *name);
/* GROUP_NONE: there is none. */
size_t groups_find(const struct groups *groups, const struct group_name *name);

/* Whether this group found no room in the walk before. */
bool groups_was_out(const struct groups *groups, const struct group_name *name);

/* Before the walks: clears the usage of the last interval, and groups that have ended give way to those that
 * found no room. Behind them those left out are counted, each once. */
void groups_begin(struct groups *groups, uint64_t now_ns);
void groups_end(struct groups *groups);

/* The share of a time on the CPUs of a machine in all their time. used_ns is the usage of all groups of its kind:
 * if clocks differ and it exceeds the whole, it replaces the whole, so that the parts never exceed it. */
double group_share(uint64_t cpu_ns, uint64_t used_ns, int cpus, uint64_t interval_ns);

/* What was used in an interval. */
struct group_interval {
    double energy_j[COMPONENT_COUNT]; /* of the counted domains; NAN: none is counted, or nothing is known */
    double power_w[COMPONENT_COUNT];  /* likewise, in the time that is known */
    double idle_w[COMPONENT_COUNT], own_j[COMPONENT_COUNT]; /* the part of energy_j above that; NAN unknown */
    enum own_method own_method[COMPONENT_COUNT];
    uint64_t interval_ns;
    bool busy_known;
    uint64_t busy_ns; /* CPU time of everything; 0: unknown, or none */
    int cpus;         /* online */
    double pue, kgco2eq_per_kwh;
};

/* Energy × share to each group; the rest belongs to none. */
void groups_attribute(struct groups *groups, const struct group_interval *interval);

/* Lets go of the groups that have ended long ago. */
void groups_forget(struct groups *groups, uint64_t now_ns);

/* The CPU time of a group in the last interval. */
uint64_t group_recent_ns(const struct group *group);

/* The components together; NAN: nothing is known of any. */
double group_energy_j(const struct group *group);
double group_power_w(const struct group *group);
double group_own_j(const struct group *group);
double group_own_w(const struct group *group);

void groups_close(struct groups *groups);

#endif
