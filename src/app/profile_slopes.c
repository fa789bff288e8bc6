/* SPDX-License-Identifier: MIT
 * From the parts of a profile to the domains of a meter. */
#include "app/profile_slopes.h"

/* PROFILE_PARTS: none. Cards are reported by process. */
static enum profile_part part_of(const struct domain *domain)
{
    switch (domain->component) {
    case COMPONENT_PACKAGE: return PROFILE_PACKAGE;
    case COMPONENT_MEMORY: return PROFILE_MEMORY;
    case COMPONENT_MACHINE: return PROFILE_MACHINE;
    default: return PROFILE_PARTS;
    }
}

/* A meter's domain belongs to the source that has it. */
static struct domain *domain_at(struct meter *meter, size_t i)
{
    const struct meter_domain *state = &meter->domains[i];
    struct energy_source *source = &meter->sources[state->source - meter->sources];

    return &source->domains[state->domain - source->domains];
}

static bool takes_part(const struct meter *meter, const struct counting *counting, size_t i, enum profile_part part)
{
    const struct domain *domain = meter->domains[i].domain;

    return counting->is_counted[i] && domain->quality != QUALITY_MODELLED && part_of(domain) == part;
}

static void give(const struct profile_power *power, double factor, struct domain *domain)
{
    domain->curve = &power->curve;
    domain->curve_factor = factor;
    domain->slope_low_ratio = power->slope_low_ratio;
    domain->slope_high_ratio = power->slope_high_ratio;
}

void profile_slopes_give(struct profile_slopes *slopes, const struct machine_profile *profile,
                         const struct machine *machine, struct meter *meter, const struct counting *counting)
{
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        size_t count = 0;
        if (!profile_has(profile, part))
            continue;
        slopes->powers[part] = profile_power_of(profile, part);
        for (size_t i = 0; i < meter->domain_count; i++)
            count += takes_part(meter, counting, i, part);
        for (size_t i = 0; i < meter->domain_count; i++)
            if (takes_part(meter, counting, i, part))
                give(&slopes->powers[part], profile_factor(profile, machine) / (double)count, domain_at(meter, i));
    }
}
