/* SPDX-License-Identifier: MIT
 * What is known of a piece in which something that counts is not known throughout. */
#include "lib/meter_parts.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

static carbon_bound nothing(void)
{
    carbon_bound bound = { .seconds = NAN, .known_s = NAN, .unknown_s = NAN, .at_least_j = NAN, .why = "" };

    for (unsigned c = 0; c < CARBON_COMPONENTS; c++)
        bound.component_at_least_j[c] = NAN;
    return bound;
}

static void add_up(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_bound *bound)
{
    unsigned doubts = 0;

    for (unsigned c = 0; c < MARK_COMPONENTS; c++) {
        if (!(meter->facts.components & (1U << c)))
            continue;
        const double part_j = component_at_least_j(meter, start, end, c, &doubts);
        bound->component_at_least_j[c] = part_j;
        if (!isnan(part_j))
            bound->at_least_j = (isnan(bound->at_least_j) ? 0 : bound->at_least_j) + part_j;
    }
}

/* A reading that failed at an end says nothing of how long. */
static void tell_time(const carbon_mark *start, const carbon_mark *end, carbon_bound *bound)
{
    const uint64_t duration_ns = end->time_ns - start->time_ns, unknown_ns = end->unknown_ns - start->unknown_ns;

    bound->seconds = s_from_ns(duration_ns);
    if (unknown_ns)
        bound->why = hole_name((enum hole)end->hole);
    if (start->unread | end->unread)
        return;
    bound->known_s = s_from_ns(known_ns_of(duration_ns, unknown_ns));
    bound->unknown_s = bound->seconds - bound->known_s;
}

void carbon_bound_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end,
                                carbon_bound *bound, size_t size)
{
    carbon_bound worked = nothing();

    meter_lock(meter);
    if (marks_are_in_order(meter, start, end)) {
        add_up(meter, start, end, &worked);
        tell_time(start, end, &worked);
    }
    meter_unlock(meter);
    memset(bound, 0, size);
    memcpy(bound, &worked, size < sizeof worked ? size : sizeof worked);
}
