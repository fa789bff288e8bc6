/* SPDX-License-Identifier: MIT
 * What lies between two samples of a domain. */
#include "meter/meter.h"

struct stretch stretch_between(const struct sample *start, const struct sample *end, size_t domain)
{
    struct stretch stretch = {
        .energy_uj = end->energy_uj[domain] - start->energy_uj[domain],
        .duration_ns = end->time_ns - start->time_ns,
        .unknown_ns = end->unknown_ns[domain] - start->unknown_ns[domain],
        .read = (start->read[domain] || start->cut[domain]) && (end->read[domain] || end->cut[domain]),
    };

    if (stretch.unknown_ns)
        stretch.hole = (enum hole)end->hole[domain];
    return stretch;
}

uint64_t known_ns_of(uint64_t duration_ns, uint64_t unknown_ns)
{
    return unknown_ns < duration_ns ? duration_ns - unknown_ns : 0;
}
