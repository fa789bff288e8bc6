/* SPDX-License-Identifier: MIT
 * Live power, from the running totals of a meter. */
#include "measurement/power.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/domain_notices.h"

#include <math.h>

void power_begin(struct power *power, const struct meter *meter, const struct sample *first)
{
    *power = (struct power){ .meter = meter, .begun_ns = first->time_ns, .updated_ns = first->time_ns, .last = *first };
    power_take(power, first);
}

/* Cores and graphics may be switched off and draw nothing, and a sensor may say 0 W; the counter of a package
 * or of memory never rests. */
static bool may_rest(const struct domain *domain)
{
    return domain->poll_ns || domain->component == COMPONENT_CORES || domain->component == COMPONENT_UNCORE ||
           domain->component == COMPONENT_GPU || domain->component == COMPONENT_RAIL;
}

/* The time since the last reading that said something is covered by this one, but for its holes; one that says
 * nothing after a hole says nothing of the time before it either. */
static void count(struct power_domain *domain, const struct stretch *stretch)
{
    uint64_t unknown_ns = stretch->unknown_ns;

    if (unknown_ns) {
        domain->hole = stretch->hole;
        unknown_ns = stretch->energy_uj ? unknown_ns : domain->pending_ns;
    }
    domain->energy_uj += stretch->energy_uj;
    domain->covered_ns += known_ns_of(domain->pending_ns, unknown_ns);
    domain->unknown_ns += unknown_ns;
    domain->pending_ns = 0;
}

/* What the next sample is held against: of a domain that this one did not read, what was read last. */
static void keep_sample(struct power *power, const struct sample *sample)
{
    struct sample last = *sample;

    for (size_t i = 0; i < power->meter->domain_count; i++)
        if (!power->domains[i].read) {
            last.energy_uj[i] = power->last.energy_uj[i];
            last.unknown_ns[i] = power->last.unknown_ns[i];
        }
    power->last = last;
}

void power_take(struct power *power, const struct sample *sample)
{
    power->slept_ns +=
        clock_slept_ns(sample->boottime_ns - power->last.boottime_ns, sample->time_ns - power->last.time_ns);
    for (size_t i = 0; i < power->meter->domain_count; i++) {
        const struct domain *about = power->meter->domains[i].domain;
        const struct stretch stretch = stretch_between(&power->last, sample, i);
        struct power_domain *domain = &power->domains[i];

        domain->read = sample->read[i] && about->problem.kind == ERROR_NONE;
        domain->pending_ns += domain->begun ? stretch.duration_ns : 0;
        if (!domain->read)
            continue;
        if (domain->begun && (stretch.energy_uj || stretch.unknown_ns || (may_rest(about) && domain->energy_uj)))
            count(domain, &stretch);
        domain->begun = true;
    }
    keep_sample(power, sample);
}

static double rate_w(const struct domain *domain, uint64_t energy_uj, uint64_t time_ns)
{
    return time_ns ? figure_j(domain, energy_uj) / s_from_ns(time_ns) : NAN;
}

void power_update(struct power *power, struct power_update *update)
{
    *update = (struct power_update){
        .elapsed_s = s_from_ns(power->last.time_ns - power->begun_ns),
        .interval_s = s_from_ns(power->last.time_ns - power->updated_ns),
    };
    power->updated_ns = power->last.time_ns;
    for (size_t i = 0; i < power->meter->domain_count; i++) {
        struct power_domain *domain = &power->domains[i];
        struct power_figures *figures = &update->domains[i];
        const struct domain *about = power->meter->domains[i].domain;

        if (power->meter->domains[i].doubted) {
            *figures = (struct power_figures){ .w = NAN, .mean_w = NAN, .energy_j = NAN, .quality = QUALITY_UNKNOWN };
            continue;
        }
        figures->w = domain->read ? rate_w(about, domain->energy_uj - domain->shown_uj,
                                           domain->covered_ns - domain->shown_covered_ns)
                                  : NAN;
        figures->mean_w = rate_w(about, domain->energy_uj, domain->covered_ns);
        figures->energy_j = domain->covered_ns ? figure_j(about, domain->energy_uj) : NAN;
        figures->unknown_s = s_from_ns(domain->unknown_ns);
        figures->hole = domain->hole;
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
    struct power_figures total = { .w = NAN, .mean_w = NAN, .energy_j = NAN };

    for (size_t i = 0; i < power->meter->domain_count; i++) {
        const struct power_figures *figures = &update->domains[i];

        if (!counting->is_counted[i])
            continue;
        add_to(&total.w, figures->w);
        add_to(&total.mean_w, figures->mean_w);
        add_to(&total.energy_j, figures->energy_j);
        total.unknown += isnan(figures->w);
        if (figures->unknown_s > total.unknown_s) {
            total.unknown_s = figures->unknown_s;
            total.hole = figures->hole;
        }
        if (figures->quality > total.quality)
            total.quality = figures->quality;
    }
    return total;
}

/* Which of the counted domains is known least; there is one that has a hole. */
static size_t min_known(const struct power *power, const struct counting *counting)
{
    size_t min = 0;

    for (size_t i = 0; i < power->meter->domain_count; i++)
        if (counting->is_counted[i] &&
            (!counting->is_counted[min] || power->domains[i].unknown_ns > power->domains[min].unknown_ns))
            min = i;
    return min;
}

static void bound_notice(const struct power *power, const struct counting *counting, const struct power_figures *total,
                         struct notices *notices)
{
    const size_t min = min_known(power, counting);
    char energy[UNITS_SIZE], unknown[UNITS_SIZE], all[UNITS_SIZE];

    units_energy(total->energy_j, energy);
    units_duration(total->unknown_s, unknown);
    units_duration(s_from_ns(power->last.time_ns - power->begun_ns), all);
    notice_add(notices, hole_kind(total->hole), hole_cause(total->hole), "",
               "at least %s since the start: of %s %s of %s are not known", energy,
               power->meter->domains[min].domain->name, unknown, all);
}

static void domain_notices(const struct power *power, const struct counting *counting, struct notices *notices)
{
    struct notices groups = { .count = 0 };
    AUTO_NOTICES struct notices found = { .count = 0 };

    for (size_t i = 0; i < power->meter->domain_count; i++) {
        const struct meter_domain *state = &power->meter->domains[i];
        const struct power_domain *domain = &power->domains[i];

        if (!counting->is_counted[i])
            continue;
        notices_clear(&found);
        counter_notices(state, &found);
        if (!state->doubted && domain->begun && domain->read &&
            domain->pending_ns >= COUNTER_STUCK_NS + state->domain->update_ns)
            notice_add(&found, NOTICE_NOT_MOVING, "a stuck counter gives no reading; its power is unknown, not 0",
                       "'carbon sources' shows what else this machine has", "the counter of %s does not move",
                       state->domain->name);
        notice_groups_add(&groups, &found);
    }
    notice_groups_tell(&groups, notices);
}

void power_notices(const struct power *power, const struct counting *counting, const struct power_figures *total,
                   struct notices *notices)
{
    domain_notices(power, counting, notices);
    notices_copy(notices, &power->meter->findings);
    if (total->unknown_s > 0 && !isnan(total->energy_j))
        bound_notice(power, counting, total, notices);
    if (total->unknown)
        notice_add(notices, NOTICE_LEFT_OUT, "domains without a reading are excluded from the total", "",
                   INCOMPLETE "%zu of %zu domains have no figure", total->unknown, counting->counted);
    if (power->slept_ns)
        notice_add(notices, NOTICE_SUSPEND, "that time, and the interval in which it fell, are left out", "",
                   "the machine was suspended for %.0f s", s_from_ns(power->slept_ns));
}
