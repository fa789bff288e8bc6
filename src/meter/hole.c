/* SPDX-License-Identifier: MIT
 * What is not known of a domain, for how long and why. */
#include "meter/meter.h"

static const char *const hole_names[HOLE_COUNT] = { "",       "reset",  "suspend",    "vanished",
                                                    "failed", "frozen", "implausible" };

const char *hole_name(enum hole hole)
{
    return hole_names[hole];
}

unsigned meter_domain_holes(const struct meter_domain *domain)
{
    unsigned sum = 0;

    for (enum hole hole = HOLE_NONE; hole < HOLE_COUNT; hole++)
        sum += domain->holes[hole];
    return sum;
}

void meter_domain_leave_hole(struct meter_domain *domain, enum hole hole, uint64_t length_ns)
{
    domain->unknown_ns += length_ns;
    domain->hole_ns[hole] += length_ns;
    domain->holes[hole]++;
    domain->hole = hole;
}
