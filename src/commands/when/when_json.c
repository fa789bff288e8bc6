/* SPDX-License-Identifier: MIT
 * Advice as JSON ("carbon.when/1"), as docs/when-schema.json describes it. */
#include "commands/when/when.h"

#include "base/units.h"
#include "form/json_parts.h"

static void add_mass(struct tree_node node, const char *key, const struct when *when, double kgco2eq_per_kwh)
{
    tree_number(node, key, when_kgco2eq(&when->job, kgco2eq_per_kwh));
}

static void add_start(struct tree_node parent, const char *key, const struct when *when,
                      const struct start_time_choice *start)
{
    const struct tree_node node = tree_object(parent, key);

    json_time(node, "start", start->start_ns / NS_PER_S_INT * NS_PER_S_INT);
    tree_integer(node, "delay_s", start->start_ns / NS_PER_S_INT - when->now_s);
    tree_number(node, "kgco2eq_per_kwh", start->kgco2eq_per_kwh);
    add_mass(node, "kgco2eq", when, start->kgco2eq_per_kwh);
}

static void add_saving(struct tree_node parent, const struct when *when, const struct start_time_saving *saving)
{
    const struct tree_node node = tree_object(parent, "saving");

    tree_text(node, "verdict", start_time_verdict_name(saving->verdict));
    tree_number(node, "percent", saving->percent);
    tree_number(node, "kgco2eq_per_kwh", saving->kgco2eq_per_kwh);
    tree_number(node, "doubt_kgco2eq_per_kwh", saving->doubt_kgco2eq_per_kwh);
    add_mass(node, "kgco2eq", when, saving->kgco2eq_per_kwh);
    add_mass(node, "doubt_kgco2eq", when, saving->doubt_kgco2eq_per_kwh);
}

static void add_zone(struct tree_node zones, const struct when *when, const struct when_zone *zone)
{
    const struct tree_node node = tree_object(zones, NULL);

    tree_text_or_null(node, "zone", zone->found.zone);
    tree_text(node, "service", zone->about.name);
    tree_text_or_null(node, "basis", zone->about.basis);
    tree_text_or_null(node, "scope", zone->about.scope);
    tree_text_or_null(node, "gases", zone->about.gases);
    tree_text_or_null(node, "method", zone->about.method);
    tree_text_or_null(node, "source_id", zone->about.source_id);
    tree_text_or_null(node, "licence", zone->about.licence);
    tree_text_or_null(node, "url", zone->about.url);
    json_time(node, "known_until", when_known_until_s(zone) * NS_PER_S_INT);
    tree_number(node, "forecast_error_kgco2eq_per_kwh", zone->found.forecast_error_kgco2eq_per_kwh);
    tree_integer(node, "forecasts_judged", zone->found.forecasts_judged);
    add_start(node, "now", when, &zone->shift.now);
    add_start(node, "best", when, &zone->shift.best);
    add_start(node, "worst", when, &zone->shift.worst);
    add_saving(node, when, &zone->saving);
}

bool when_json(const struct when *when, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, node;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, "carbon.when/1");
    json_time(root, "asked_at", when->now_s * NS_PER_S_INT);
    json_time(root, "deadline", when->deadline_s * NS_PER_S_INT);
    node = tree_object(root, "job");
    tree_number(node, "duration_s", when->job.duration_s);
    tree_number(node, "energy_j", when->job.energy_j);
    tree_number(node, "pue", when->job.pue);
    tree_integer(node, "pieces", when->job.profile.count);
    tree_text_or_null(node, "like", when->job.like);
    node = tree_object(root, "advice");
    tree_text_or_null(node, "zone", when->zones[when->best].found.zone);
    json_time(node, "start", when->start_s * NS_PER_S_INT);
    tree_integer(node, "delay_s", when->start_s - when->now_s);
    add_saving(node, when, &when->saving);
    node = tree_array(root, "zones");
    for (size_t i = 0; i < when->count; i++)
        add_zone(node, when, &when->zones[i]);
    json_notices(root, &when->notices);
    return tree_write(&tree, out, "the advice as JSON", err);
}
