/* SPDX-License-Identifier: MIT
 * Energy of graphics cards by group of processes, if a card's driver reports its use by process: all of it, and the
 * part lies above the card's idle power. Used by collector.h. Begin with gpu_shares_attribute(). */
#ifndef GROUPS_GPU_SHARES_H
#define GROUPS_GPU_SHARES_H

#include "groups/group_scan.h"
#include "groups/own_idle.h"
#include "groups/process_scan.h"
#include "meter/gpu_split.h"

/* What a card of the meter, domains[domain], used in the interval. */
struct gpu_used {
    size_t domain;
    double energy_j, power_w;
};

/* What is known of a card from one interval to the next. */
struct card_use {
    struct gpu_split split;
    struct lowest_power idle;
    double waiting_idle_j; /* idle energy of the time that waits in split; NAN: the idle power is not known yet */
};

/* By which it is found whose a process is. */
struct gpu_walks {
    const struct group_scan *scan;
    const struct process_scan *processes;
};

/* To each group the energy of each card as its processes had it (meter/gpu_split.h). cards: of each domain of the
 * meter. After groups_attribute. If a card's driver does not report it, the groups'
 * power of cards is unknown, and nothing is added of it. */
void gpu_shares_attribute(struct groups *groups, const struct gpu_walks *walks, struct meter *meter,
                          struct card_use *cards, const struct gpu_used *used, size_t count,
                          const struct group_interval *interval);

#endif
