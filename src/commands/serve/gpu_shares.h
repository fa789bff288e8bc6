/* SPDX-License-Identifier: MIT
 * Energy of graphics cards on groups of processes, where a card's driver tells who used it. */
#ifndef COMMANDS_SERVE_GPU_SHARES_H
#define COMMANDS_SERVE_GPU_SHARES_H

#include "commands/serve/group_scan.h"
#include "meter/meter.h"

/* What a card of the meter, domains[domain], used in the interval. */
struct gpu_part {
    size_t domain;
    double energy_j;
};

/* To each group the energy of each card × the part of the card's time that its processes had; where that is more than
 * there was, of all that they had. After groups_attribute. Where a card's driver does not tell, the groups' power of
 * cards is unknown, and nothing is added of it. */
void gpu_shares_attribute(struct groups *groups, const struct group_scan *scan, const struct root *root,
                          struct meter *meter, const struct gpu_part *parts, size_t count,
                          const struct group_interval *interval);

#endif
