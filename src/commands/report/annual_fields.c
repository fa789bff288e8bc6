/* SPDX-License-Identifier: MIT
 * The figures of a period ("carbon.report/1"): every field of them, and what it means; and their JSON. */
#include "config.h"

#include "commands/report/annual_fields.h"

#include "base/units.h"
#include "commands/report/annual.h"
#include "result/carbon_fields.h"
#include "result/session_fields.h"

#include <math.h>

static const char *const edges[] = { "utc", "local", NULL };
static const char *const given_or_default[] = { "given", "default", NULL };

static const char *boundary_word(int boundary)
{
    return annual_boundary_name((enum annual_boundary)boundary);
}

static const char *rule_word(int rule)
{
    return annual_rule_name((enum annual_rule)rule);
}

static bool is_declared(const void *extrapolation)
{
    return ((const struct annual_extrapolation *)extrapolation)->rule != RULE_NONE;
}

static bool is_restating(const void *of)
{
    const struct annual_restating *restating = of;

    return restating->zone[0] || restating->set[0] || restating->has_basis || restating->pue > 0;
}

static bool is_fleet(const void *annual)
{
    return annual_is_fleet(annual);
}

static bool has_groups(const void *annual)
{
    return ((const struct annual *)annual)->fleet.groups[0];
}

static bool has_previous(const void *annual)
{
    return ((const struct annual *)annual)->has_previous;
}

static bool has_ended(const void *of)
{
    const struct annual *annual = of;

    return annual->to_ns <= annual->made_realtime_ns;
}

static bool always(const void *annual)
{
    (void)annual;
    return true;
}

static double unattributed_kwh(const void *annual)
{
    return ((const struct annual *)annual)->fleet.unattributed_j / J_PER_KWH;
}

static const char *edges_of(const void *annual)
{
    return edges[((const struct annual *)annual)->local_time];
}

static const char *boundary_quality(const void *annual)
{
    return given_or_default[!((const struct annual *)annual)->boundary_given];
}

static struct annual_categories categories_of(const void *annual)
{
    return annual_categories_of(((const struct annual *)annual)->boundary);
}

static const char *electricity(const void *annual)
{
    return categories_of(annual).electricity;
}

static const char *losses(const void *annual)
{
    return categories_of(annual).losses;
}

static const char *upstream(const void *annual)
{
    return categories_of(annual).upstream;
}

static const char *embodied(const void *annual)
{
    return categories_of(annual).embodied;
}

#define OF struct annual_restating
static const struct field restating_list[] = {
    FIELD_TEXT(zone, "as it was typed; null: each record's", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(set, "the official national set; null: none", .flags = FIELD_NULL_EMPTY),
    FIELD_WORD(enum factor_basis, basis, basis_word, FACTOR_LIFECYCLE, FACTOR_NO_BASIS, "null: each record's",
               FIELD_WHERE(has_basis)),
    FIELD_NUMBER(pue, "null: each record's", .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE),
};
#undef OF
static const struct fields restating_fields =
    FIELDS_KNOWN(NULL, NULL, struct annual_restating, restating_list, is_restating);

#define OF struct annual_gaps
static const struct fields gaps_fields = FIELDS({
    FIELD_U64(restated, "left out: of the same energy as others, of which one restates the other"),
    FIELD_U64(unknown, "left out: no energy is known"),
    FIELD_U64(without_mass, "in the energy alone"),
    FIELD_U64(recorded, "left out: of recorded machines"),
    FIELD_NUMBER(recorded_kwh, "their energy"),
    FIELD_U64(incomplete, "cut short and in with the runs that ended, or not known in a part of their time: where "
                          "there are any the sums are lower bounds"),
    FIELD_U64(cut, "an edge of the period runs through them"),
    FIELD_NUMBER(warmup_kwh, "left out: runs that do not count"),
    FIELD_NUMBER(overlap_s, "lower bound of the time in which runs overlapped"),
    FIELD_U64_AS("counted_once", once,
                 "records that are in the sums in part: the rest of their machine's time is in with others"),
    FIELD_NUMBER(counted_once_kwh, "gross energy of that rest, which is in the sums once"),
    FIELD_NUMBER(unknown_overlap_s,
                 "for at least this time several were measured at once and not all of them say on which machine; "
                 "their gross energy may be counted twice there"),
    FIELD_U64(pooled, "their factors are not listed"),
    FIELD_COUNT(empty_months, "months without a record that have begun"),
    FIELD_U64(small, "left out: of less energy than at_least_j"),
    FIELD_NUMBER(small_kwh, "their energy"),
    FIELD_U64(hours_lost, "accounted by the hour when they were made, and by a yearly factor here, since they are "
                          "restated"),
    FIELD_U64(direct_above_lifecycle, "not in scope3_kgco2eq: their direct factor is above the lifecycle one"),
});
#undef OF

#define OF struct annual_extrapolation
static const struct field extrapolation_list[] = {
    FIELD_WORD(enum annual_rule, rule, rule_word, RULE_DUTY, RULE_IDLE + 1,
               "mean power x hours; energy of a run x runs; the known part"),
    FIELD_TEXT(text, "the rule with its figures"),
    FIELD_NUMBER(hours, "declared"),
    FIELD_NUMBER(runs, "declared"),
    FIELD_BOOL(idle_between, "idle power for the other hours, too"),
    FIELD_U64(records, "measured ones that the means are of"),
    FIELD_NUMBER(mean_w, "energy by time of the measured runs"),
    FIELD_NUMBER(run_kwh, "energy by number of the measured runs"),
    FIELD_NUMBER(idle_w, "of the baselines"),
    FIELD_NUMBER(busy_kwh, "of the rule"),
    FIELD_NUMBER(idle_hours, "the period less the busy hours"),
    FIELD_NUMBER(idle_kwh, "idle_w for these"),
    FIELD_NUMBER(it_kwh, "both"),
    FIELD_NUMBER(kgco2eq, "at the mean of the period"),
    FIELD_INTERVAL(kwh_interval, "95 %, as if the records were drawn at random from the period"),
    FIELD_INTERVAL(kgco2eq_interval, "likewise"),
};
#undef OF
static const struct fields extrapolation_fields =
    FIELDS_KNOWN(NULL, NULL, struct annual_extrapolation, extrapolation_list, is_declared);

#define OF struct annual
static const struct fields period_fields = FIELDS({
    FIELD_INT(year, "null: a period of its own", .flags = FIELD_NULL_0),
    FIELD_TIME_AS("from", from_ns, "its begin, UTC"),
    FIELD_TIME_AS("to", to_ns, "its end, UTC, which is not in it"),
    FIELD_SAID("edges", edges_of, edges, "of which time the year and its months are"),
    FIELD_NUMBER_AS("hours", period_hours, "its length"),
    FIELD_NUMBER(covered_share, "time of runs, measured or modelled, that of several at once taken once, by hours",
                 .flags = FIELD_KNOWN | FIELD_FROM_0, .max = 1),
    FIELD_NUMBER(measured_share, "likewise of the runs that a meter or a counter measured",
                 .flags = FIELD_KNOWN | FIELD_FROM_0, .max = 1),
    FIELD_BOOL(scarce, "less than 1 % of it is covered by runs; the first notice says so"),
    FIELD_FACT("ended", has_ended, "it was over when this was made"),
});

static const struct fields boundary_fields = FIELDS({
    FIELD_LIST(struct annual_name, scopes, scope_count, &annual_scope_fields,
               "the parts of machines that were counted"),
    FIELD_WORD_AS("name", enum annual_boundary, boundary, boundary_word, BOUNDARY_OWN, BOUNDARY_COLOCATION + 1,
                  "whose machines"),
    FIELD_SAID("quality", boundary_quality, given_or_default, "who says so"),
    FIELD_SAID("electricity", electricity, NULL, "scope and category by the GHG Protocol"),
    FIELD_SAID("td_losses", losses, NULL, "likewise, of grid losses"),
    FIELD_SAID("upstream", upstream, NULL, "likewise, of the supply of the fuel"),
    FIELD_SAID("embodied", embodied, NULL, "likewise, of making the machines"),
    FIELD_FACT("idle_included", always, "every figure that is not called net has idle power in it"),
});

#define BY_QUALITY(key, quality) FIELD_FIGURES_AS(key, by_quality[quality], "records of this quality")
static const struct fields quality_fields = FIELDS({
    BY_QUALITY("unknown", QUALITY_UNKNOWN),
    BY_QUALITY("measured", QUALITY_MEASURED),
    BY_QUALITY("virtual", QUALITY_VIRTUAL),
    BY_QUALITY("attributed", QUALITY_ATTRIBUTED),
    BY_QUALITY("modelled", QUALITY_MODELLED),
    BY_QUALITY("given", QUALITY_GIVEN),
    BY_QUALITY("default", QUALITY_DEFAULT),
});

static const struct fields previous_fields = FIELDS({
    FIELD_INT_AS("year", previous_year, "its number", .flags = FIELD_NULL_0),
    FIELD_FIGURES_AS("figures", previous, "their sum"),
    FIELD_NUMBER_AS("change_kgco2eq", change.kgco2eq, "total less this one's"),
    FIELD_NUMBER_AS("energy_effect_kgco2eq", change.energy_kgco2eq,
                    "(E1 - E0) (F0 + F1) / 2, of facility_kwh and kgco2eq_per_kwh"),
    FIELD_NUMBER_AS("factor_effect_kgco2eq", change.factor_kgco2eq,
                    "(F1 - F0) (E0 + E1) / 2; both add up to the change"),
});

static const struct fields fleet_fields = FIELDS({
    FIELD_TEXT_AS("url", fleet.url, "of the server"),
    FIELD_TEXT_AS("exporters", fleet.exporters, "whose counters they are"),
    FIELD_NUMBER_AS("step_s", fleet.step_s, "interval between two values"),
    FIELD_TEXT_AS("projects_are", fleet.groups, "namespace, or the name of a label; null: nothing",
                  .flags = FIELD_NULL_EMPTY),
    FIELD_FIGURE("unattributed_kwh", unattributed_kwh,
                 "energy of the nodes that no group has; a separate project; negative where the groups have more",
                 .known = has_groups),
    FIELD_NUMBER_AS("previous_covered_share", fleet.previous_covered_share,
                    "of the year before, as covered_share is of the period; null: nothing is known of it",
                    .flags = FIELD_FROM_0, .max = 1, .known = has_previous),
    FIELD_U64_AS("gaps", fleet.gaps, "in the counters of nodes"),
    FIELD_U64_AS("resets", fleet.resets, "of these counters"),
    FIELD_U64_AS("wraps", fleet.wraps, "of these counters"),
    FIELD_LIST_AS("nodes", struct annual_node, fleet.nodes, fleet.node_count, &annual_node_fields,
                  "coverage of the period by the counters of each, the least covered first"),
});

#define GROUPS(member, count)                                                                                          \
    FIELD_LIST(struct annual_group, member, count, &annual_group_fields, "the largest emissions first")
#define FACTORS(member, count, meaning)                                                                                \
    FIELD_LIST(struct annual_factor, member, count, &annual_used_factor_fields, meaning)
const struct fields annual_fields = FIELDS({
    FIELD_CONSTANT("schema", ANNUAL_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_TIME_AS("made_at", made_realtime_ns, "when, UTC"),
    FIELD_TEXT(entity, "whose report it is", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(project, "only of this project", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(label, "only of this label", .flags = FIELD_NULL_EMPTY),
    FIELD_BOOL_AS("restated_count", restated,
                  "restated records count instead of their originals; false: the other way round"),
    FIELD_OBJECT_AS("restated_by", struct annual_restating, restating, &restating_fields,
                    "values that replace those of each record; null: none", .flags = FIELD_NULLABLE),
    FIELD_NUMBER(at_least_j, "records of less gross energy are left out; null: none is",
                 .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE),
    FIELD_GROUP("period", &period_fields, "the time"),
    FIELD_GROUP("boundary", &boundary_fields, "boundary of the emissions"),
    FIELD_FIGURES_AS("total", total, "all kinds together"),
    FIELD_FIGURES_AS("measured", measured, "by meters and counters: measured, virtual and attributed"),
    FIELD_FIGURES_AS("estimated", estimated, "estimates that were kept: nothing was run"),
    FIELD_GROUP("by_quality", &quality_fields, "each kind of energy separately"),
    FIELD_LIST(struct annual_group, months, month_count, &annual_month_fields, "every month of the period"),
    GROUPS(projects, project_count),
    GROUPS(labels, label_count),
    FIELD_LIST(struct annual_pue, pues, pue_count, &annual_pue_fields, "each PUE"),
    FACTORS(factors, factor_count, "each location-based factor"),
    FACTORS(market_factors, market_factor_count, "each market-based factor"),
    FACTORS(direct_factors, direct_factor_count, "each factor of scope2_kgco2eq"),
    FACTORS(lifecycle_factors, lifecycle_factor_count, "each factor that scope3_kgco2eq is the difference of"),
    FIELD_LIST(struct annual_embodied, embodied, embodied_count, &annual_embodied_fields,
               "each machine whose making was counted: its emissions x time / lifetime x share"),
    FIELD_LIST(struct annual_machine, machines_made, machine_made_count, &annual_made_fields,
               "machines whose making the configuration states, in no sum"),
    FIELD_LIST(struct annual_name, machines, machine_count, &annual_model_fields, "each model of processor"),
    FIELD_PART(struct equivalents, equivalents, &equivalents_fields, 0),
    FIELD_GROUP("previous", &previous_fields, "the year before; null: nothing is known of it", .known = has_previous),
    FIELD_OBJECT(struct annual_extrapolation, extrapolation, &extrapolation_fields,
                 "as it was declared, in no other figure; null: none was", .flags = FIELD_NULLABLE),
    FIELD_OBJECT(struct annual_gaps, gaps, &gaps_fields, "exclusions and warnings; numbers of records"),
    FIELD_GROUP("fleet", &fleet_fields,
                "where the figures are of counters that a Prometheus keeps (--from-prometheus), a record being a day "
                "of a node, or of a group on a node; labels are the nodes. null: the records of a ledger",
                .known = is_fleet),
    FIELD_LIST(struct annual_source, sources, source_count, &annual_source_fields, "who published the factors"),
    FIELD_NOTICES,
});
#undef OF

const struct schema annual_schema = { "annual", ANNUAL_SCHEMA,
                                      "What carbon report --json writes: the figures of a year, or of another period, "
                                      "summed over the records of a ledger.",
                                      &annual_fields, &annual_columns };

bool annual_json(const struct annual *annual, FILE *out, struct error *err)
{
    return document_json(&annual_schema, annual, out, "the report as JSON", err);
}
