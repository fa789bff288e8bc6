/* SPDX-License-Identifier: MIT
 * What was used between two marks: joules where nothing is in doubt, and what is where something is. */
#include "lib/meter_parts.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

/* Any of these bits suppresses the figure. */
#define NO_FIGURE 511U

/* What is known of a component's domains without the marks. */
struct bounds {
    bool moved;   /* one of them has */
    bool still;   /* one of them has not */
    double max_w; /* maximum possible power; INFINITY: unknown */
    double figure_ratio, low_ratio, high_ratio;
};

static struct bounds bounds_of(const carbon_meter *meter, unsigned component)
{
    struct bounds bounds = { .figure_ratio = 1, .low_ratio = 1, .high_ratio = 1 };

    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct meter_domain *state = &meter->meter.domains[meter->counted[i].domain];
        if (meter->counted[i].component != component)
            continue;
        bounds.moved |= state->moved;
        bounds.still |= !state->moved;
        bounds.max_w += state->domain->max_w > 0 ? state->domain->max_w : INFINITY;
        bounds.figure_ratio = fmin(bounds.figure_ratio, domain_figure_ratio(state->domain));
        if (state->domain->quality == QUALITY_MODELLED) {
            bounds.low_ratio = fmin(bounds.low_ratio, state->domain->low_ratio);
            bounds.high_ratio = fmax(bounds.high_ratio, state->domain->high_ratio);
        }
    }
    return bounds;
}

bool marks_are_in_order(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end)
{
    return start->opened_ns == meter->opened_ns && end->opened_ns == meter->opened_ns && start->time_ns <= end->time_ns;
}

/* Faults of counted domains, anywhere between the marks. */
static unsigned fault_doubts(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end)
{
    unsigned doubts = 0;

    if (start->unread | end->unread)
        doubts |= CARBON_DOUBT_UNREAD;
    if (end->unread && meter->forked)
        doubts |= CARBON_DOUBT_FORKED;
    if (start->resets != end->resets)
        doubts |= CARBON_DOUBT_RESET;
    if (start->lost != end->lost)
        doubts |= CARBON_DOUBT_LOST;
    if (start->gaps != end->gaps)
        doubts |= CARBON_DOUBT_GAP;
    if (start->unwatched_ns != end->unwatched_ns)
        doubts |= CARBON_DOUBT_SELDOM;
    return doubts;
}

double component_at_least_j(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, unsigned c,
                            unsigned *doubts)
{
    const struct bounds bounds = bounds_of(meter, c);
    const uint64_t duration_ns = end->time_ns - start->time_ns;
    const double joules = bounds.figure_ratio * j_from_uj(end->energy_uj[c] - start->energy_uj[c]);

    if (bounds.still)
        *doubts |= CARBON_DOUBT_INCOMPLETE;
    if (start->time_ns < meter->judged_ns[c]) {
        *doubts |= CARBON_DOUBT_CONTRADICTED;
        return NAN;
    }
    if (!bounds.moved || (start->unread | end->unread) & (1U << c))
        return NAN;
    if (duration_ns >= COUNTER_STUCK_NS && joules / s_from_ns(duration_ns) > bounds.max_w) {
        *doubts |= CARBON_DOUBT_IMPOSSIBLE;
        return NAN;
    }
    return joules;
}

/* One component's part; NAN where it has no figure. */
static double component_j(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, unsigned c,
                          unsigned *doubts)
{
    const double joules = component_at_least_j(meter, start, end, c, doubts);

    return start->faults[c] == end->faults[c] ? joules : NAN;
}

struct interval component_ratios(const carbon_meter *meter, unsigned component)
{
    const struct bounds bounds = bounds_of(meter, component);

    return (struct interval){ bounds.low_ratio / bounds.figure_ratio, bounds.high_ratio / bounds.figure_ratio };
}

/* The components that have a figure; joules is NAN where one of them failed, or none has any. */
void piece_add_up(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_energy *energy)
{
    double joules = 0, low_j = 0, high_j = 0;
    bool any = false;

    energy->seconds = s_from_ns(end->time_ns - start->time_ns);
    energy->doubts = meter->counting.incomplete || meter->doubted ? CARBON_DOUBT_INCOMPLETE : 0;
    energy->doubts |= fault_doubts(meter, start, end);
    for (unsigned c = 0; c < MARK_COMPONENTS; c++) {
        if (!(meter->facts.components & (1U << c)))
            continue;
        const double part_j = component_j(meter, start, end, c, &energy->doubts);
        const struct interval ratios = component_ratios(meter, c);
        energy->component_j[c] = part_j;
        if (isnan(part_j))
            continue;
        any = true;
        joules += part_j;
        low_j += part_j * ratios.low;
        high_j += part_j * ratios.high;
    }
    if (!any && !(energy->doubts & NO_FIGURE) && (meter->doubted || !meter->counted_count))
        energy->doubts |= CARBON_DOUBT_CONTRADICTED;
    if (!any && !(energy->doubts & NO_FIGURE))
        energy->doubts |=
            end->time_ns - meter->opened_ns < COUNTER_STUCK_NS ? CARBON_DOUBT_RESOLUTION : CARBON_DOUBT_STILL;
    if (!any || energy->doubts & NO_FIGURE)
        return;
    energy->joules = joules;
    if (meter->facts.quality == CARBON_MODELLED) {
        energy->low_j = low_j;
        energy->high_j = high_j;
    }
}

/* An edge is off by up to one update. */
bool piece_is_short(const carbon_meter *meter, carbon_energy *energy)
{
    const bool is_short = energy->seconds < RATE_UPDATES * s_from_ns(meter->facts.update_ns);

    if (is_short)
        energy->doubts |= CARBON_DOUBT_RESOLUTION;
    return is_short;
}

/* A short piece in which nothing moved has no figure: it is not 0. */
static void judge_resolution(const carbon_meter *meter, carbon_energy *energy)
{
    if (!piece_is_short(meter, energy) || energy->joules != 0)
        return;
    energy->joules = energy->low_j = energy->high_j = NAN;
    for (unsigned c = 0; c < CARBON_COMPONENTS; c++)
        energy->component_j[c] = NAN;
}

void piece_finish(carbon_meter *meter, carbon_energy *energy)
{
    const carbon_facts *facts = &meter->facts;
    const struct footprint gross = footprint_of(energy->joules, facts->pue, facts->kgco2eq_per_kwh);

    if (energy->seconds > 0)
        energy->resolution_j = energy->joules / energy->seconds * 2 * s_from_ns(facts->update_ns);
    energy->quality = facts->quality;
    energy->kwh = gross.it_kwh;
    energy->kgco2eq = gross.kgco2eq;
    energy->idle_j = meter->idle_w * energy->seconds;
    energy->net_j = energy->joules - energy->idle_j;
    energy->net_kgco2eq = footprint_of(energy->net_j, facts->pue, facts->kgco2eq_per_kwh).kgco2eq;
}

carbon_energy piece_nothing(void)
{
    carbon_energy energy = { .seconds = NAN,
                             .joules = NAN,
                             .idle_j = NAN,
                             .net_j = NAN,
                             .low_j = NAN,
                             .high_j = NAN,
                             .resolution_j = NAN,
                             .kwh = NAN,
                             .kgco2eq = NAN,
                             .net_kgco2eq = NAN };

    for (unsigned c = 0; c < CARBON_COMPONENTS; c++)
        energy.component_j[c] = NAN;
    return energy;
}

void carbon_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_energy *energy,
                          size_t size)
{
    carbon_energy worked = piece_nothing();

    meter_lock(meter);
    if (marks_are_in_order(meter, start, end)) {
        piece_add_up(meter, start, end, &worked);
        if (!isnan(worked.joules))
            judge_resolution(meter, &worked);
        if (!isnan(worked.joules))
            piece_finish(meter, &worked);
    } else {
        worked.doubts = CARBON_DOUBT_MARKS;
    }
    meter_unlock(meter);
    memset(energy, 0, size);
    memcpy(energy, &worked, size < sizeof worked ? size : sizeof worked);
}
