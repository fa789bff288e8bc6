/* SPDX-License-Identifier: MIT
 * What the lines of a report are called, and where they belong by the GHG Protocol (Scope 2 Guidance, 2015; Corporate
 * Value Chain Standard, 2011). */
#include "commands/report/annual.h"

#include <math.h>
#include <string.h>

const char *annual_boundary_name(enum annual_boundary boundary)
{
    switch (boundary) {
    case BOUNDARY_OWN: return "own";
    case BOUNDARY_CLOUD: return "cloud";
    case BOUNDARY_COLOCATION: return "colocation";
    }
    return "own";
}

struct annual_categories annual_categories_of(enum annual_boundary boundary)
{
    static const char *const services = "Scope 3 category 1: purchased goods and services";
    static const char *const leased = "Scope 3 category 8: upstream leased assets";
    static const char *const energy = "Scope 3 category 3: fuel- and energy-related activities";

    switch (boundary) {
    case BOUNDARY_CLOUD: return (struct annual_categories){ services, services, services, services };
    case BOUNDARY_COLOCATION:
        return (struct annual_categories){ leased, leased, leased, "Scope 3 category 2: capital goods" };
    case BOUNDARY_OWN: break;
    }
    return (struct annual_categories){ "Scope 2: purchased electricity", energy, energy,
                                       "Scope 3 category 2: capital goods" };
}

const char *annual_basis_text(const struct annual *annual)
{
    bool lifecycle = false, direct = false;

    for (size_t i = 0; i < annual->factor_count; i++) {
        const struct factor *factor = &annual->factors[i].factor;
        const bool named = factor->zone[0] || factor->source_id[0] || factor->basis == FACTOR_DIRECT;
        if (isnan(factor->kgco2eq_per_kwh) || !named)
            continue;
        lifecycle |= factor->basis == FACTOR_LIFECYCLE;
        direct |= factor->basis == FACTOR_DIRECT;
    }
    return lifecycle && direct ? "lifecycle and direct, by each record's own factor"
           : lifecycle         ? "lifecycle"
           : direct            ? "direct"
                               : "of no basis that was said";
}

const char *annual_scope_text(const char *scope)
{
    if (strcmp(scope, "compute") == 0)
        return "processor packages, memory and graphics cards, where they could be read; not disks, fans, power "
               "supplies and network";
    if (strcmp(scope, "platform") == 0)
        return "the platform as RAPL's psys has it, and graphics cards";
    if (strcmp(scope, "machine") == 0)
        return "the whole machine, by a meter of it";
    return "not known";
}

const char *annual_rule_name(enum annual_rule rule)
{
    switch (rule) {
    case RULE_NONE: return NULL;
    case RULE_DUTY: return "duty";
    case RULE_RUNS: return "runs";
    case RULE_IDLE: return "idle";
    }
    return NULL;
}

const char *annual_group_name(const struct annual_group *group)
{
    return group->kind == GROUP_NAMED ? group->name : group->kind == GROUP_NONE ? "(none)" : "(all further ones)";
}
