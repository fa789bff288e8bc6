/* SPDX-License-Identifier: MIT
 * The energy between two stamps, joined from the readings around them.
 *
 * Counters only grow, so that a piece's energy lies between two differences of readings, whatever the power was in
 * between: at most from the last reading that had ended before its start to the first one that shows all until its end;
 * at least from the first that shows all until its start to the last that had ended before its end. A counter shows an
 * energy up to one update late, rounded down to its unit. Between two readings the figure takes the power to be
 * constant. docs/METHOD.md, "Pieces of a program". */
#include "lib/meter_parts.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Beyond the end of an update, so that no rounding of a reading's time matters. */
#define MARGIN_NS UINT64_C(1000)

uint64_t carbon_stamp(void)
{
    return clock_monotonic_ns();
}

/* How many readings had ended by then: their counters have nothing of a later time. */
static size_t ended_by(const struct taken_readings *taken, uint64_t time_ns)
{
    return taken->count ? array_up_to(&taken->readings->ended_ns, taken->count, sizeof *taken->readings, time_ns) : 0;
}

/* The first whose counters have all of the time before; count: none has. */
static size_t first_with_all(const carbon_meter *meter, uint64_t time_ns)
{
    const struct taken_readings *taken = &meter->taken;

    return taken->count ? array_up_to(&taken->readings->begun_ns, taken->count, sizeof *taken->readings,
                                      time_ns + meter->facts.update_ns - 1)
                        : 0;
}

/* In µJ of the counters; a reading lies at or before the time, and one behind it. */
static double energy_at_uj(const struct taken_readings *taken, uint64_t time_ns, unsigned component)
{
    const size_t after = array_up_to(&taken->readings->mark.time_ns, taken->count, sizeof *taken->readings, time_ns);
    const carbon_mark *a = &taken->readings[after - 1].mark, *b = &taken->readings[after].mark;

    return (double)a->energy_uj[component] + (double)(b->energy_uj[component] - a->energy_uj[component]) *
                                                 (double)(time_ns - a->time_ns) / (double)(b->time_ns - a->time_ns);
}

/* What rounding down may hide of a component, or show too much. */
static double unit_j(const carbon_meter *meter, unsigned component)
{
    uint64_t unit_uj = 0;

    for (size_t i = 0; i < meter->counted_count; i++)
        if (meter->counted[i].component == component)
            unit_uj += counted_domain(meter, i)->resolution_uj;
    return j_from_uj(unit_uj);
}

/* The readings around a piece, and within it. */
struct span {
    const struct timed_reading *before, *after;
    const struct timed_reading *first, *last; /* NULL: none lies within */
};

static struct span span_of(const carbon_meter *meter, uint64_t start_ns, uint64_t end_ns)
{
    const struct taken_readings *taken = &meter->taken;
    const size_t before = ended_by(taken, start_ns), after = first_with_all(meter, end_ns);
    const size_t first = first_with_all(meter, start_ns), ended = ended_by(taken, end_ns);
    const struct timed_reading *readings = taken->readings;

    return (struct span){
        .before = before ? &readings[before - 1] : NULL,
        .after = after < taken->count ? &readings[after] : NULL,
        .first = first < ended ? &readings[first] : NULL,
        .last = first < ended ? &readings[ended - 1] : NULL,
    };
}

/* For certain; NAN: unknown. */
static double component_low_j(const carbon_meter *meter, const struct span *span, unsigned c)
{
    unsigned doubts = 0;
    double known_j;

    if (!span->first)
        return 0;
    known_j = component_at_least_j(meter, &span->first->mark, &span->last->mark, c, &doubts) - unit_j(meter, c);
    return known_j < 0 ? 0 : known_j * component_ratios(meter, c).low;
}

/* Of what was used between the readings around it, the part by time. */
static double component_share(const carbon_meter *meter, const struct span *span, uint64_t start_ns, uint64_t end_ns,
                              unsigned c)
{
    const uint64_t around_uj = span->after->mark.energy_uj[c] - span->before->mark.energy_uj[c];

    if (!around_uj)
        return 0;
    return (energy_at_uj(&meter->taken, end_ns, c) - energy_at_uj(&meter->taken, start_ns, c)) / (double)around_uj;
}

/* energy has what was used between the readings around the piece. */
static void narrow(const carbon_meter *meter, const struct span *span, uint64_t start_ns, uint64_t end_ns,
                   carbon_energy *energy)
{
    double joules = 0, high_j = 0;

    for (unsigned c = 0; c < MARK_COMPONENTS; c++) {
        const double around_j = energy->component_j[c];
        if (isnan(around_j))
            continue;
        energy->component_j[c] = around_j * component_share(meter, span, start_ns, end_ns, c);
        joules += energy->component_j[c];
        high_j += (around_j + unit_j(meter, c)) * component_ratios(meter, c).high;
    }
    if (isnan(energy->joules))
        return;
    energy->joules = joules;
    energy->high_j = high_j;
}

static void forget(carbon_energy *energy)
{
    energy->joules = NAN;
    for (unsigned c = 0; c < CARBON_COMPONENTS; c++)
        energy->component_j[c] = NAN;
}

/* Of the components that have a figure, or, where there is none, of those of which something is known. */
static double low_j(const carbon_meter *meter, const struct span *span, const carbon_energy *energy)
{
    double sum_j = NAN;

    for (unsigned c = 0; c < MARK_COMPONENTS; c++) {
        const double part_j = meter->facts.components & (1U << c) ? component_low_j(meter, span, c) : NAN;
        if (!isnan(part_j) && (isnan(energy->joules) || !isnan(energy->component_j[c])))
            sum_j = (isnan(sum_j) ? 0 : sum_j) + part_j;
    }
    return sum_j;
}

static void join(carbon_meter *meter, const struct span *span, uint64_t start_ns, uint64_t end_ns,
                 carbon_energy *energy)
{
    piece_add_up(meter, &span->before->mark, &span->after->mark, energy);
    energy->seconds = s_from_ns(end_ns - start_ns);
    energy->doubts |= CARBON_DOUBT_INTERPOLATED;
    energy->low_j = low_j(meter, span, energy);
    energy->high_j = NAN;
    narrow(meter, span, start_ns, end_ns, energy);
    if (isnan(energy->joules))
        return;
    if (piece_is_short(meter, energy) && energy->joules == 0)
        forget(energy);
    piece_finish(meter, energy);
}

/* Until a reading can show all of the time before. */
static void wait_for_update(const carbon_meter *meter, uint64_t time_ns)
{
    const uint64_t until_ns = time_ns + meter->facts.update_ns + MARGIN_NS;
    const struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_S_INT),
                                    .tv_nsec = (long)(until_ns % NS_PER_S_INT) };

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
}

/* The lock is released while it waits. */
static void read_after(carbon_meter *meter, uint64_t time_ns)
{
    struct sample sample;

    if (first_with_all(meter, time_ns) < meter->taken.count)
        return;
    meter_unlock(meter);
    wait_for_update(meter, time_ns);
    meter_lock(meter);
    if (first_with_all(meter, time_ns) < meter->taken.count)
        return;
    meter->taken.wants_next = true;
    take_sample(meter, &sample);
}

void carbon_between_stamps_sized(carbon_meter *meter, uint64_t start_ns, uint64_t end_ns, carbon_energy *energy,
                                 size_t size)
{
    carbon_energy worked = piece_nothing();

    worked.doubts = CARBON_DOUBT_MARKS;
    if (start_ns <= end_ns && end_ns <= clock_monotonic_ns()) {
        meter_lock(meter);
        if (meter->taken.limit)
            read_after(meter, end_ns);
        const struct span span = span_of(meter, start_ns, end_ns);
        worked.doubts = CARBON_DOUBT_UNREAD;
        if (span.before && span.after)
            join(meter, &span, start_ns, end_ns, &worked);
        meter_unlock(meter);
    }
    memset(energy, 0, size);
    memcpy(energy, &worked, size < sizeof worked ? size : sizeof worked);
}
