/* SPDX-License-Identifier: MIT
 * What Prometheus is asked for, of a fleet. */
#include "commands/report/fleet_query.h"

/* The families that the sums are made of; the most detailed that names a pod, and no process. */
static bool is_wanted(const struct fleet_query *query, const struct kind_family *family, enum exporter_kind kind)
{
    const enum workload_level of_pods = family->kind == EXPORTER_KEPLER_OLD ? LEVEL_CONTAINER : LEVEL_POD;
    const bool pods = query->groups != FLEET_NODES && (family->level == of_pods || family->level == LEVEL_POD);

    return (kind == EXPORTER_NONE || family->kind == kind) && (family->level == LEVEL_NODE || pods) && !family->power &&
           family->mode == MODE_ALL && family->part != DOMAIN_CORE && family->part != DOMAIN_UNCORE;
}

void fleet_query_text(const struct fleet_query *query, enum exporter_kind kind, struct text *text)
{
    const char *matchers = query->matchers;
    const char *between = "";

    text->length = 0;
    text_add(text, "{__name__=~\"");
    for (const struct kind_family *family = kind_families; family->metric; family++)
        if (is_wanted(query, family, kind)) {
            text_add(text, "%s%s", between, family->metric);
            between = "|";
        }
    if (kind == EXPORTER_NONE || kind == EXPORTER_NODE)
        text_add(text, "%snode_rapl_package_[0-9]+_die_[0-9]+_joules_total", between);
    text_add(text, "\",zone!~\"(un)?core.*\",component!~\"(un)?core.*\",domain_name!~\"(un)?core.*\"%s%s}",
             matchers ? "," : "", matchers ? matchers : "");
}
