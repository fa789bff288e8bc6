/* SPDX-License-Identifier: MIT
 * A sample as a mark; and the readings from which the energy between stamps is joined. */
#include "lib/meter_parts.h"

#include "base/array.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

static void add_to_mark(const carbon_meter *meter, const struct counted *counted, const struct sample *sample,
                        carbon_mark *mark)
{
    const struct meter_domain *domain = &meter->meter.domains[counted->domain];

    mark->energy_uj[counted->component] += sample->energy_uj[counted->domain];
    mark->faults[counted->component] += meter_domain_holes(domain);
    mark->resets += domain->holes[HOLE_RESET];
    mark->lost += meter_domain_holes(domain) - domain->holes[HOLE_RESET] - domain->ambiguous_gaps;
    mark->gaps += domain->ambiguous_gaps;
    mark->unwatched_ns += domain->unwatched_ns;
    if (!sample->read[counted->domain])
        mark->unread |= 1U << counted->component;
}

void mark_fill(const carbon_meter *meter, const struct sample *sample, carbon_mark *mark)
{
    *mark = (carbon_mark){ .opened_ns = meter->opened_ns,
                           .time_ns = sample->time_ns,
                           .unknown_ns = meter->unknown.ns,
                           .hole = meter->unknown.hole };
    for (size_t i = 0; i < meter->counted_count; i++)
        add_to_mark(meter, &meter->counted[i], sample, mark);
}

void taken_open(carbon_meter *meter, double interval_s, size_t readings)
{
    meter->taken.limit = readings;
    meter->taken.interval_ns = (uint64_t)llround(interval_s * NS_PER_S);
}

/* Of the older half every second one goes. What is left lies further apart the older it is; the first one stays, and
 * with it all later times have a reading before them. */
static void thin_out(struct taken_readings *taken)
{
    const size_t half = taken->count / 2;
    size_t left = 0;

    for (size_t i = 0; i < half; i += 2)
        taken->readings[left++] = taken->readings[i];
    memmove(&taken->readings[left], &taken->readings[half], (taken->count - half) * sizeof *taken->readings);
    taken->count -= half - left;
}

static bool make_room(struct taken_readings *taken)
{
    if (taken->count == taken->room && taken->count < taken->limit)
        taken->readings = array_room(taken->readings, &taken->room, taken->count + 1, sizeof *taken->readings);
    if (taken->count >= taken->room || taken->count >= taken->limit)
        thin_out(taken); /* also where there is no memory for more */
    return taken->count < taken->room;
}

/* Readings of others, as by carbon_now, do not drive those of the thread out. */
static bool is_too_soon(const struct taken_readings *taken, const struct sample *sample)
{
    return taken->count && !taken->wants_next &&
           sample->time_ns - taken->readings[taken->count - 1].mark.time_ns < taken->interval_ns / 2;
}

void taken_add(carbon_meter *meter, const struct sample *sample)
{
    struct taken_readings *taken = &meter->taken;
    const uint64_t half_ns = sample->span_ns / 2 + 1;
    struct timed_reading *reading;

    if (!taken->limit || is_too_soon(taken, sample) || !make_room(taken))
        return;
    reading = &taken->readings[taken->count];
    reading->begun_ns = sample->time_ns - half_ns;
    reading->ended_ns = sample->time_ns + half_ns;
    mark_fill(meter, sample, &reading->mark);
    taken->count += taken->wants_next || !reading->mark.unread; /* a failure in between changes nothing */
    taken->wants_next = false;
}

/* A reading that was torn may have left the array behind, too; it is not the child's to give back. */
void taken_forked(carbon_meter *meter, bool torn)
{
    if (torn) {
        meter->taken.readings = NULL;
        meter->taken.count = meter->taken.room = 0;
    }
}
