/* SPDX-License-Identifier: MIT
 * The figures of a period as JSON ("carbon.report/1", docs/annual-schema.json), numbers exact, unknown null. */
#include "config.h"

#include "commands/report/annual.h"

#include "base/units.h"
#include "result/record_json.h"

#include <math.h>

static void add_part(struct tree_node parent, const char *key, const struct annual_part *part)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "value", part->value);
    tree_number(node, "of_kwh", part->kwh);
    tree_integer(node, "records", part->records);
    tree_integer(node, "runs", part->runs);
}

static void add_own(struct tree_node parent, const struct annual_figures *figures)
{
    const struct tree_node node = tree_object(parent, "own_kwh_by_method");

    for (enum own_method method = 0; method < OWN_METHODS; method++)
        add_part(node, own_method_name(method), &figures->own_by_method[method]);
}

static void add_sci(struct tree_node parent, const struct annual_sci *sci)
{
    struct tree_node node;

    if (!sci->records) {
        tree_null(parent, "sci");
        return;
    }
    node = tree_object(parent, "sci");
    tree_integer(node, "records", sci->records);
    tree_bool(node, "several_units", sci->mixed);
    json_sci_figures(node, &(struct sci_sum){ sci->unit, sci->units, sci->operational_kgco2eq, sci->embodied_kgco2eq,
                                              sci->kgco2eq_per_unit });
}

static void add_figures(struct tree_node parent, const char *key, const struct annual_figures *figures)
{
    const struct tree_node node = key ? tree_object(parent, key) : parent;

    tree_integer(node, "records", figures->records);
    tree_integer(node, "runs", figures->runs);
    tree_number(node, "duration_s", figures->duration_s);
    tree_number(node, "it_kwh", figures->it_kwh);
    tree_number(node, "facility_kwh", figures->facility_kwh);
    tree_number(node, "kgco2eq", figures->kgco2eq);
    tree_number(node, "kgco2eq_of_kwh", figures->kgco2eq_of_kwh);
    tree_number(node, "kgco2eq_per_kwh", figures->kgco2eq_per_kwh);
    add_part(node, "net_kwh", &figures->net_kwh);
    add_part(node, "net_kgco2eq", &figures->net_kgco2eq);
    add_part(node, "market_kgco2eq", &figures->market_kgco2eq);
    add_part(node, "market_location_kgco2eq", &figures->market_location_kgco2eq);
    add_part(node, "td_losses_kgco2eq", &figures->td_losses_kgco2eq);
    add_part(node, "upstream_kgco2eq", &figures->upstream_kgco2eq);
    add_part(node, "embodied_kgco2eq", &figures->embodied_kgco2eq);
    add_part(node, "hourly_kwh", &figures->hourly_kwh);
    add_part(node, "own_kwh", &figures->own_kwh);
    add_part(node, "own_kgco2eq", &figures->own_kgco2eq);
    add_own(node, figures);
    add_part(node, "scope2_kgco2eq", &figures->scope2_kgco2eq);
    add_part(node, "scope2_market_kgco2eq", &figures->scope2_market_kgco2eq);
    add_part(node, "scope2_stand_in_kwh", &figures->scope2_stand_in_kwh);
    add_part(node, "scope3_kgco2eq", &figures->scope3_kgco2eq);
    add_sci(node, &figures->sci);
    tree_number(node, "noise_kwh", figures->noise_kwh);
    tree_number(node, "noise_kgco2eq", figures->noise_kgco2eq);
    tree_integer(node, "noise_records", figures->noise_records);
    tree_number(node, "model_low_kwh", figures->model_low_kwh);
    tree_number(node, "model_high_kwh", figures->model_high_kwh);
    json_interval(node, "kwh_interval", &figures->kwh_interval);
    json_interval(node, "kgco2eq_interval", &figures->kgco2eq_interval);
}

static void add_period(struct tree_node root, const struct annual *annual)
{
    const struct tree_node node = tree_object(root, "period");

    tree_nonzero_or_null(node, "year", (uint64_t)annual->year);
    json_time(node, "from", annual->from_ns);
    json_time(node, "to", annual->to_ns);
    tree_text(node, "edges", annual->local_time ? "local" : "utc");
    tree_number(node, "hours", annual->period_hours);
    tree_number(node, "covered_share", annual->covered_share);
    tree_number(node, "measured_share", annual->measured_share);
    tree_bool(node, "scarce", annual->scarce);
    tree_bool(node, "ended", annual->to_ns <= annual->made_realtime_ns);
}

static void add_boundary(struct tree_node root, const struct annual *annual)
{
    const struct annual_categories categories = annual_categories_of(annual->boundary);
    const struct tree_node node = tree_object(root, "boundary"), scopes = tree_array(node, "scopes");

    tree_text(node, "name", annual_boundary_name(annual->boundary));
    tree_text(node, "quality", quality_name(annual->boundary_given ? QUALITY_GIVEN : QUALITY_DEFAULT));
    tree_text(node, "electricity", categories.electricity);
    tree_text(node, "td_losses", categories.losses);
    tree_text(node, "upstream", categories.upstream);
    tree_text(node, "embodied", categories.embodied);
    tree_bool(node, "idle_included", true);
    for (size_t i = 0; i < annual->scope_count; i++) {
        const struct tree_node item = tree_object(scopes, NULL);
        tree_text(item, "name", annual->scopes[i].name);
        tree_text(item, "covers", annual_scope_text(annual->scopes[i].name));
        add_figures(item, "figures", &annual->scopes[i].figures);
    }
}

static void add_groups(struct tree_node root, const char *key, const struct annual_group *groups, size_t count,
                       bool months)
{
    const struct tree_node array = tree_array(root, key);

    for (size_t i = 0; i < count; i++) {
        static const char *const kinds[] = {
            [GROUP_NAMED] = "named", [GROUP_NONE] = "none", [GROUP_OTHERS] = "others"
        };
        const struct tree_node node = tree_object(array, NULL);
        tree_text_or_null(node, "name", groups[i].name);
        if (months) {
            json_time(node, "from", groups[i].from_ns);
            json_time(node, "to", groups[i].to_ns);
        } else {
            tree_text(node, "kind", kinds[groups[i].kind]);
        }
        add_figures(node, "figures", &groups[i].figures);
    }
}

static void add_factors(struct tree_node root, const char *key, const struct annual_factor *factors, size_t count)
{
    const struct tree_node array = tree_array(root, key);

    for (size_t i = 0; i < count; i++) {
        const struct annual_factor *item = &factors[i];
        const struct tree_node node = tree_object(array, NULL);
        json_factor(node, "factor", &item->factor);
        tree_number(node, "td_losses_kgco2eq_per_kwh", item->factor.td_losses_kgco2eq_per_kwh);
        tree_number(node, "upstream_kgco2eq_per_kwh", item->factor.upstream_kgco2eq_per_kwh);
        tree_text_or_null(node, "version", item->factor.version);
        tree_text_or_null(node, "retrieved_at", item->factor.retrieved_at);
        tree_text_or_null(node, "hourly_service", item->service);
        tree_text_or_null(node, "hourly_source_id", item->service_source_id);
        add_figures(node, "figures", &item->figures);
    }
}

static void add_pues(struct tree_node root, const struct annual *annual)
{
    const struct tree_node array = tree_array(root, "pues");

    for (size_t i = 0; i < annual->pue_count; i++) {
        const struct tree_node node = tree_object(array, NULL);
        tree_number(node, "value", annual->pues[i].value);
        tree_text(node, "quality", quality_name(annual->pues[i].quality));
        tree_text_or_null(node, "source", annual->pues[i].source);
        add_figures(node, "figures", &annual->pues[i].figures);
    }
}

static void add_embodied(struct tree_node root, const struct annual *annual)
{
    const struct tree_node array = tree_array(root, "embodied");

    for (size_t i = 0; i < annual->embodied_count; i++) {
        const struct annual_embodied *item = &annual->embodied[i];
        const struct tree_node node = tree_object(array, NULL);
        tree_text_or_null(node, "machine", item->machine);
        tree_text_or_null(node, "source_id", item->source_id);
        tree_text_or_null(node, "version", item->version);
        tree_number(node, "machine_kgco2eq", item->machine_kgco2eq);
        tree_text(node, "machine_quality", quality_name(item->machine_quality));
        tree_number(node, "lifetime_years", item->lifetime_years);
        tree_text(node, "lifetime_quality", quality_name(item->lifetime_quality));
        tree_number(node, "reserved_share", item->reserved_share);
        add_figures(node, "figures", &item->figures);
    }
}

static void add_made(struct tree_node root, const struct annual *annual)
{
    const struct tree_node array = tree_array(root, "machines_made");

    for (size_t i = 0; i < annual->machine_made_count; i++) {
        const struct annual_machine *item = &annual->machines_made[i];
        const struct tree_node node = tree_object(array, NULL);
        tree_text_or_null(node, "name", item->name);
        tree_number(node, "kgco2eq", item->kgco2eq);
        tree_number(node, "lifetime_years", item->lifetime_years);
        tree_number(node, "period_kgco2eq", item->period_kgco2eq);
    }
}

static void add_restating(struct tree_node root, const struct annual_restating *restating)
{
    struct tree_node node;

    if (!restating->zone[0] && !restating->set[0] && !restating->has_basis && !(restating->pue > 0)) {
        tree_null(root, "restated_by");
        return;
    }
    node = tree_object(root, "restated_by");
    tree_text_or_null(node, "zone", restating->zone);
    tree_text_or_null(node, "set", restating->set);
    tree_text_or_null(node, "basis", restating->has_basis ? factor_basis_name(restating->basis) : NULL);
    tree_number(node, "pue", restating->pue > 0 ? restating->pue : NAN);
}

static void add_machines(struct tree_node root, const struct annual *annual)
{
    const struct tree_node array = tree_array(root, "machines");

    for (size_t i = 0; i < annual->machine_count; i++) {
        const struct tree_node node = tree_object(array, NULL);
        tree_text(node, "cpu_model", annual->machines[i].name);
        add_figures(node, "figures", &annual->machines[i].figures);
    }
}

static void add_gaps(struct tree_node root, const struct annual_gaps *gaps)
{
    const struct tree_node node = tree_object(root, "gaps");

    tree_integer(node, "restated", gaps->restated);
    tree_integer(node, "unknown", gaps->unknown);
    tree_integer(node, "without_mass", gaps->without_mass);
    tree_integer(node, "recorded", gaps->recorded);
    tree_number(node, "recorded_kwh", gaps->recorded_kwh);
    tree_integer(node, "incomplete", gaps->incomplete);
    tree_integer(node, "cut", gaps->cut);
    tree_number(node, "warmup_kwh", gaps->warmup_kwh);
    tree_number(node, "overlap_s", gaps->overlap_s);
    tree_integer(node, "counted_once", gaps->once);
    tree_number(node, "counted_once_kwh", gaps->once_kwh);
    tree_number(node, "unknown_overlap_s", gaps->twice_s);
    tree_integer(node, "pooled", gaps->pooled);
    tree_integer(node, "empty_months", gaps->empty_months);
    tree_integer(node, "small", gaps->small);
    tree_number(node, "small_kwh", gaps->small_kwh);
    tree_integer(node, "hours_lost", gaps->hours_lost);
    tree_integer(node, "direct_above_lifecycle", gaps->direct_above);
}

static void add_fleet(struct tree_node root, const struct annual *annual)
{
    const struct annual_fleet *fleet = &annual->fleet;
    struct tree_node node, array;

    if (!annual_is_fleet(annual)) {
        tree_null(root, "fleet");
        return;
    }
    node = tree_object(root, "fleet");
    tree_text(node, "url", fleet->url);
    tree_text(node, "exporters", fleet->exporters);
    tree_number(node, "step_s", fleet->step_s);
    tree_text_or_null(node, "projects_are", fleet->groups);
    tree_number(node, "unattributed_kwh", fleet->groups[0] ? fleet->unattributed_j / J_PER_KWH : NAN);
    tree_number(node, "previous_covered_share", annual->has_previous ? fleet->previous_covered_share : NAN);
    tree_integer(node, "gaps", fleet->gaps);
    tree_integer(node, "resets", fleet->resets);
    tree_integer(node, "wraps", fleet->wraps);
    array = tree_array(node, "nodes");
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct annual_node *from = &fleet->nodes[i];
        const struct tree_node item = tree_object(array, NULL);
        tree_text(item, "name", from->name);
        json_time(item, "from", from->first_ns);
        json_time(item, "to", from->last_ns);
        tree_number(item, "covered_s", from->covered_s);
        tree_integer(item, "gaps", from->gaps);
        tree_integer(item, "resets", from->resets);
        tree_integer(item, "wraps", from->wraps);
    }
}

static void add_previous(struct tree_node root, const struct annual *annual)
{
    struct tree_node node;

    if (!annual->has_previous) {
        tree_null(root, "previous");
        return;
    }
    node = tree_object(root, "previous");
    tree_nonzero_or_null(node, "year", (uint64_t)annual->year - 1);
    add_figures(node, "figures", &annual->previous);
    tree_number(node, "change_kgco2eq", annual->change.kgco2eq);
    tree_number(node, "energy_effect_kgco2eq", annual->change.energy_kgco2eq);
    tree_number(node, "factor_effect_kgco2eq", annual->change.factor_kgco2eq);
}

static void add_extrapolation(struct tree_node root, const struct annual_extrapolation *item)
{
    struct tree_node node;

    if (item->rule == RULE_NONE) {
        tree_null(root, "extrapolation");
        return;
    }
    node = tree_object(root, "extrapolation");
    tree_text(node, "rule", annual_rule_name(item->rule));
    tree_text(node, "text", item->text);
    tree_number(node, "hours", item->hours);
    tree_number(node, "runs", item->runs);
    tree_bool(node, "idle_between", item->idle_between);
    tree_integer(node, "records", item->records);
    tree_number(node, "mean_w", item->mean_w);
    tree_number(node, "run_kwh", item->run_kwh);
    tree_number(node, "idle_w", item->idle_w);
    tree_number(node, "busy_kwh", item->busy_kwh);
    tree_number(node, "idle_hours", item->idle_hours);
    tree_number(node, "idle_kwh", item->idle_kwh);
    tree_number(node, "it_kwh", item->it_kwh);
    tree_number(node, "kgco2eq", item->kgco2eq);
    json_interval(node, "kwh_interval", &item->kwh_interval);
    json_interval(node, "kgco2eq_interval", &item->kgco2eq_interval);
}

static void add_sources(struct tree_node root, const struct annual *annual)
{
    const struct tree_node array = tree_array(root, "sources");

    for (size_t i = 0; i < annual->source_count; i++) {
        const struct annual_source *item = &annual->sources[i];
        const struct tree_node node = tree_object(array, NULL);
        tree_text(node, "id", item->id);
        tree_text_or_null(node, "title", item->title);
        tree_text_or_null(node, "publisher", item->publisher);
        tree_text_or_null(node, "year", item->year);
        tree_text_or_null(node, "licence", item->licence);
        tree_text_or_null(node, "url", item->url);
    }
}

bool annual_json(const struct annual *annual, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, kinds;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, ANNUAL_SCHEMA);
    json_time(root, "made_at", annual->made_realtime_ns);
    tree_text_or_null(root, "entity", annual->entity);
    tree_text_or_null(root, "project", annual->project);
    tree_text_or_null(root, "label", annual->label);
    tree_bool(root, "restated_count", annual->restated);
    add_restating(root, &annual->restating);
    tree_number(root, "at_least_j", annual->at_least_j > 0 ? annual->at_least_j : NAN);
    add_period(root, annual);
    add_boundary(root, annual);
    add_figures(root, "total", &annual->total);
    add_figures(root, "measured", &annual->measured);
    add_figures(root, "estimated", &annual->estimated);
    kinds = tree_object(root, "by_quality");
    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        add_figures(kinds, quality_name(quality), &annual->by_quality[quality]);
    add_groups(root, "months", annual->months, annual->month_count, true);
    add_groups(root, "projects", annual->projects, annual->project_count, false);
    add_groups(root, "labels", annual->labels, annual->label_count, false);
    add_pues(root, annual);
    add_factors(root, "factors", annual->factors, annual->factor_count);
    add_factors(root, "market_factors", annual->market_factors, annual->market_factor_count);
    add_factors(root, "direct_factors", annual->direct_factors, annual->direct_factor_count);
    add_factors(root, "lifecycle_factors", annual->lifecycle_factors, annual->lifecycle_factor_count);
    add_embodied(root, annual);
    add_made(root, annual);
    add_machines(root, annual);
    json_equivalents(root, &annual->equivalents);
    add_previous(root, annual);
    add_extrapolation(root, &annual->extrapolation);
    add_gaps(root, &annual->gaps);
    add_fleet(root, annual);
    add_sources(root, annual);
    json_notices(root, &annual->notices);
    return tree_write(&tree, out, "the report as JSON", err);
}
