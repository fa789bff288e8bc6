/* SPDX-License-Identifier: MIT
 * Live power, from the running totals of a meter. */
#include "measurement/power.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/noise.h"

#include <math.h>

void power_begin(struct power *power, const struct meter *meter, const struct sample *first)
{
    *power = (struct power){ .meter = meter,
                             .begun_ns = first->time_ns,
                             .updated_ns = first->time_ns,
                             .sampled_ns = first->time_ns,
                             .sampled_boottime_ns = first->boottime_ns };
    power_take(power, first);
}

/* Cores and graphics may be switched off and draw nothing, and a sensor may say 0 W; the counter of a package
 * or of memory never rests. */
static bool may_rest(const struct domain *domain)
{
    return domain->poll_ns || domain->component == COMPONENT_CORES || domain->component == COMPONENT_UNCORE ||
           domain->component == COMPONENT_GPU || domain->component == COMPONENT_RAIL;
}

static void begin_at(struct power_domain *domain, const struct meter_domain *state, uint64_t energy_uj,
                     uint64_t time_ns)
{
    domain->begun = true;
    domain->resets = state->resets + state->lost;
    domain->at_uj = energy_uj;
    domain->at_ns = time_ns;
}

void power_take(struct power *power, const struct sample *sample)
{
    const uint64_t slept_ns =
        clock_slept_ns(sample->boottime_ns - power->sampled_boottime_ns, sample->time_ns - power->sampled_ns);

    power->slept_ns += slept_ns;
    power->sampled_ns = sample->time_ns;
    power->sampled_boottime_ns = sample->boottime_ns;
    for (size_t i = 0; i < power->meter->domain_count; i++) {
        const struct meter_domain *state = &power->meter->domains[i];
        struct power_domain *domain = &power->domains[i];
        const uint64_t energy_uj = sample->energy_uj[i];

        domain->read = sample->read[i] && state->domain->problem.kind == ERROR_NONE;
        /* a domain that fails while the machine sleeps begins anew when it is read again */
        if (slept_ns)
            domain->begun = false;
        if (!domain->read)
            continue;
        if (!domain->begun || domain->resets != state->resets + state->lost) {
            begin_at(domain, state, energy_uj, sample->time_ns);
            continue;
        }
        if (energy_uj == domain->at_uj && !(may_rest(state->domain) && domain->energy_uj))
            continue;
        domain->energy_uj += energy_uj - domain->at_uj;
        domain->covered_ns += sample->time_ns - domain->at_ns;
        begin_at(domain, state, energy_uj, sample->time_ns);
    }
}

static double rate_w(uint64_t energy_uj, uint64_t time_ns)
{
    return time_ns ? j_from_uj(energy_uj) / s_from_ns(time_ns) : NAN;
}

void power_update(struct power *power, struct power_update *update)
{
    *update = (struct power_update){
        .elapsed_s = s_from_ns(power->sampled_ns - power->begun_ns),
        .interval_s = s_from_ns(power->sampled_ns - power->updated_ns),
    };
    power->updated_ns = power->sampled_ns;
    for (size_t i = 0; i < power->meter->domain_count; i++) {
        struct power_domain *domain = &power->domains[i];
        struct power_figures *figures = &update->domains[i];

        if (power->meter->domains[i].doubted) {
            *figures = (struct power_figures){ NAN, NAN, NAN, QUALITY_UNKNOWN, 0 };
            continue;
        }
        figures->w = domain->read
                         ? rate_w(domain->energy_uj - domain->shown_uj, domain->covered_ns - domain->shown_covered_ns)
                         : NAN;
        figures->mean_w = rate_w(domain->energy_uj, domain->covered_ns);
        figures->energy_j = domain->covered_ns ? j_from_uj(domain->energy_uj) : NAN;
        figures->quality = domain->covered_ns ? power->meter->domains[i].domain->quality : QUALITY_UNKNOWN;
        domain->shown_uj = domain->energy_uj;
        domain->shown_covered_ns = domain->covered_ns;
    }
}

static void add_to(double *sum, double value)
{
    if (!isnan(value))
        *sum = isnan(*sum) ? value : *sum + value;
}

struct power_figures power_total(const struct power *power, const struct power_update *update,
                                 const struct counting *counting)
{
    struct power_figures total = { NAN, NAN, NAN, QUALITY_UNKNOWN, 0 };

    for (size_t i = 0; i < power->meter->domain_count; i++) {
        const struct power_figures *figures = &update->domains[i];

        if (!counting->counts[i])
            continue;
        add_to(&total.w, figures->w);
        add_to(&total.mean_w, figures->mean_w);
        add_to(&total.energy_j, figures->energy_j);
        total.unknown += isnan(figures->w);
        if (figures->quality > total.quality)
            total.quality = figures->quality;
    }
    return total;
}

void power_notices(const struct power *power, const struct counting *counting, size_t unknown, struct notices *notices)
{
    for (size_t i = 0; i < power->meter->domain_count; i++) {
        const struct meter_domain *state = &power->meter->domains[i];
        const struct power_domain *domain = &power->domains[i];

        if (!counting->counts[i])
            continue;
        counter_notices(state, notices);
        if (!state->doubted && domain->begun && domain->read &&
            power->sampled_ns - domain->at_ns >= COUNTER_STUCK_NS + state->domain->update_ns)
            notice_add(notices, "a counter that stands still says nothing; its power is unknown, not 0",
                       "'carbon sources' shows what else this machine has", "the counter of %s does not move",
                       state->domain->name);
    }
    for (size_t i = 0; i < power->meter->findings.count; i++)
        notice_add_error(notices, &power->meter->findings.item[i]);
    if (unknown)
        notice_add(notices, "domains without a reading are left out of the total", "",
                   INCOMPLETE "%zu of %zu domains have no figure", unknown, counting->counted);
    if (power->slept_ns)
        notice_add(notices, "that time, and the interval in which it fell, are left out", "",
                   "the machine was suspended for %.0f s", s_from_ns(power->slept_ns));
}
