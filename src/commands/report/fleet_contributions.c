/* SPDX-License-Identifier: MIT
 * From days of nodes and of groups on them to accounts. */
#include "commands/report/fleet_contributions.h"

#include "app/options/emission_options.h"
#include "app/prometheus_server.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/report/fleet.h"
#include "commands/report/fleet_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct contributions {
    const struct settings *settings;
    enum fleet_groups groups;
    struct annual *annual;
    struct annual_sum *sum;
    int year;                        /* whose factor it is; 0: none yet */
    struct emission_options options; /* options for that year */
};

/* Within one call the factor changes once a year, if ever. */
static bool set_year(struct contributions *contributions, int year, struct error *err)
{
    if (contributions->year == year)
        return true;
    contributions->year = year;
    if (!emission_options_of_year(contributions->settings, year, &contributions->options,
                                  &contributions->annual->fleet.notices, err))
        return false;
    AUTO_FREE char *basis = fleet_basis(&contributions->options, err);
    return basis && annual_sum_basis(contributions->sum, year, basis, err);
}

static const char *group_of(const struct fleet_part *part, enum fleet_groups groups)
{
    if (part->kind != FLEET_REST)
        return part->group;
    return groups == FLEET_NAMESPACES ? "not attributed to any namespace" : "not attributed to any pod";
}

static bool is_chosen(const char *wanted, const char *name)
{
    return !*wanted || (name && strcmp(wanted, name) == 0);
}

static double mass_of(const struct contributions *contributions, double joules, double kgco2eq_per_kwh)
{
    return footprint_of(joules, contributions->options.pue, kgco2eq_per_kwh).kgco2eq;
}

static struct contribution contribution_of_part(const struct contributions *contributions,
                                                const struct fleet_part *part)
{
    const struct factor *factor = &contributions->options.factor;
    const struct footprint footprint = footprint_of(part->joules, contributions->options.pue, factor->kgco2eq_per_kwh);

    return (struct contribution){
        .started_ns = part->from_s * (int64_t)NS_PER_S_INT,
        .ended_ns = part->to_s * (int64_t)NS_PER_S_INT,
        .project = group_of(part, contributions->groups),
        .label = part->node,
        .quality = quality_name(part->quality),
        .complete = 1,
        .duration_s = part->kind == FLEET_GROUP ? NAN : part->covered_s,
        .gross_j = part->joules,
        .variance_j2 = NAN,
        .gross_low_j = NAN,
        .gross_high_j = NAN,
        .net_j = NAN,
        .facility_kwh = footprint.facility_kwh,
        .gross_kgco2eq = footprint.kgco2eq,
        .net_kgco2eq = NAN,
        .market_kgco2eq =
            mass_of(contributions, part->joules, contributions->options.supplementary.market.kgco2eq_per_kwh),
        .td_losses_kgco2eq = mass_of(contributions, part->joules, factor->td_losses_kgco2eq_per_kwh),
        .upstream_kgco2eq = mass_of(contributions, part->joules, factor->upstream_kgco2eq_per_kwh),
        .embodied_kgco2eq = NAN,
        .covered = NAN,
        .own_j = NAN,
        .own_kgco2eq = NAN,
        .sci_units = NAN,
    };
}

static bool add_node(struct contributions *contributions, const struct fleet_part *part, struct error *err)
{
    struct annual_node node = {
        .first_ns = (uint64_t)(part->first_s * NS_PER_S),
        .last_ns = (uint64_t)(part->last_s * NS_PER_S),
        .covered_s = part->covered_s,
        .resets = part->resets,
        .wraps = part->wraps,
        .gaps = part->gaps,
    };

    text_copy(node.name, sizeof node.name, part->node);
    contributions->annual->fleet.doubtful_j += part->doubtful_j;
    return annual_fleet_add(contributions->annual, &node, part->quality, err);
}

/* What is told of a node is summed by itself, or as its groups and the rest. */
static bool on_part(const struct fleet_part *part, void *context, struct error *err)
{
    struct contributions *contributions = context;
    const struct annual *annual = contributions->annual;
    const bool summed = part->kind != FLEET_NODE || contributions->groups == FLEET_NODES;
    struct contribution contribution;

    if (!is_chosen(annual->label, part->node))
        return true;
    if (part->kind == FLEET_NODE && !add_node(contributions, part, err))
        return false;
    if (part->kind == FLEET_REST)
        contributions->annual->fleet.unattributed_j += part->joules;
    if (!summed || !is_chosen(annual->project, group_of(part, contributions->groups)))
        return true;
    if (!set_year(contributions, clock_year((uint64_t)part->from_s * NS_PER_S_INT), err))
        return false;
    contribution = contribution_of_part(contributions, part);
    return annual_sum_contribution(contributions->sum, &contribution, contributions->year, false, err);
}

static void name_exporters(struct annual_fleet *fleet, unsigned exporters)
{
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (exporters & 1u << kind) {
            const size_t length = strlen(fleet->exporters);
            snprintf(fleet->exporters + length, sizeof fleet->exporters - length, "%s%s", length ? ", " : "",
                     exporter_kind_name(kind));
        }
    if (!fleet->exporters[0])
        text_copy(fleet->exporters, sizeof fleet->exporters, "none");
}

/* Each month by itself, for its edges are values of the counters, too; what has not come yet is not asked for. */
static bool walk(struct contributions *contributions, struct fleet *fleet, struct error *err)
{
    struct annual *annual = contributions->annual;
    const int64_t now_s = (int64_t)(annual->made_realtime_ns / NS_PER_S_INT);
    bool good = true;

    for (size_t i = 0; i < annual->month_count && good; i++) {
        const int64_t from_s = (int64_t)(annual->months[i].from_ns / NS_PER_S_INT);
        const int64_t to_s = (int64_t)(annual->months[i].to_ns / NS_PER_S_INT);
        good = from_s >= now_s || fleet_walk(fleet, from_s, to_s < now_s ? to_s : now_s, on_part, contributions,
                                             &annual->fleet.notices, err);
    }
    name_exporters(&annual->fleet, fleet_exporters(fleet));
    fleet_doubts(fleet, &annual->fleet.notices);
    return good;
}

bool fleet_contributions_sum(const struct settings *settings, struct annual *annual, struct annual_sum *sum,
                             struct error *err)
{
    struct contributions *contributions = calloc(1, sizeof *contributions);
    struct prometheus_access access = { .url = NULL };
    struct fleet *fleet = NULL;
    struct fleet_query query;
    bool good = false;

    if (!contributions)
        return error_errno(err, "no memory for the fleet");
    if (fleet_options_read(settings, &access, &query, annual, err))
        fleet = fleet_open(&query, err);
    if (fleet) {
        contributions->settings = settings;
        contributions->groups = query.groups;
        contributions->annual = annual;
        contributions->sum = sum;
        good = walk(contributions, fleet, err) && annual_sum_finish(sum, err);
    }
    fleet_close(fleet);
    prometheus_server_forget(&access);
    free(contributions);
    return good;
}
