/* SPDX-License-Identifier: MIT
 * What is in the lists of a report, every field of it and what it means: figures of some records, and what these
 * have in common. */
#include "commands/report/annual_fields.h"

#include "commands/report/annual.h"
#include "result/session_fields.h"

static const char *kind_word(int kind)
{
    static const char *const kinds[] = { [GROUP_NAMED] = "named", [GROUP_NONE] = "none", [GROUP_OTHERS] = "others" };

    return kinds[kind];
}

static bool has_units(const void *sci)
{
    return ((const struct annual_sci *)sci)->records > 0;
}

static const char *covers(const void *scope)
{
    return annual_scope_text(((const struct annual_name *)scope)->name);
}

#define OF struct annual_part
static const struct fields part_fields = FIELDS_NAMED("part", "a figure that only some of the records have")({
    FIELD_NUMBER(value, "of the records that have one; null: none has"),
    FIELD_NUMBER_AS("of_kwh", kwh, "energy of these records (it_kwh); the rest is not in the value"),
    FIELD_U64(records, "how many have one"),
    FIELD_U64(runs, "of these records"),
});
#undef OF

#define OF struct annual_sci
static const struct field sci_list[] = {
    FIELD_U64(records, "that declare units", .flags = FIELD_FROM_1),
    FIELD_BOOL_AS("several_units", mixed, "the units are of several kinds, and have no sum"),
    FIELD_NUMBER(kgco2eq_per_unit, "(operation + embodied) / units"),
    FIELD_TEXT(unit, "name of the units", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(units, "of all runs"),
    FIELD_NUMBER(operational_kgco2eq, "gross, location-based"),
    FIELD_NUMBER(embodied_kgco2eq, "null: not known of each"),
};
#undef OF
static const struct fields sci_sum_fields = FIELDS_KNOWN(NULL, NULL, struct annual_sci, sci_list, has_units);

#define OF struct annual_figures
#define PART(member, meaning) FIELD_OBJECT(struct annual_part, member, &part_fields, meaning)
#define BY_METHOD(key, method, meaning)                                                                                \
    FIELD_OBJECT_AS(key, struct annual_part, own_by_method[method], &part_fields, meaning)
static const struct fields method_fields = FIELDS({
    BY_METHOD("unknown", OWN_UNKNOWN, "of records without a method"),
    BY_METHOD("net", OWN_NET, "other processes did not change: gross less idle"),
    BY_METHOD("profile", OWN_PROFILE, "gross less idle less what others used, by watts learnt"),
    BY_METHOD("share", OWN_SHARE, "its part of net by CPU time"),
    BY_METHOD("cpu-time", OWN_CPU_TIME, "a model of its CPU time"),
});

const struct fields annual_figures_fields = FIELDS_NAMED("figures", "sum of some records")({
    FIELD_U64(records, "how many"),
    FIELD_U64(runs, "that count"),
    FIELD_NUMBER(duration_s, "of the runs, added up"),
    FIELD_NUMBER(it_kwh, "of the machines, idle included"),
    FIELD_NUMBER(facility_kwh, "with the PUE"),
    FIELD_NUMBER(kgco2eq, "location-based"),
    FIELD_NUMBER(kgco2eq_of_kwh, "energy (it_kwh) of the records whose emissions are known"),
    FIELD_NUMBER(kgco2eq_per_kwh, "kgco2eq by the facility_kwh of these"),
    PART(net_kwh, "it_kwh less idle"),
    PART(net_kgco2eq, "of net"),
    PART(market_kgco2eq, "market-based"),
    PART(market_location_kgco2eq, "location-based and direct, of the records that have a market-based figure"),
    PART(td_losses_kgco2eq, "losses of the grid, in no other figure"),
    PART(upstream_kgco2eq, "supply of the fuel, in no other figure"),
    PART(embodied_kgco2eq, "making the machines, in no other figure"),
    PART(hourly_kwh, "accounted by the hour; value: by intensities of its own time"),
    PART(own_kwh, "the jobs' own energy, of the records in which it is known"),
    PART(own_kgco2eq, "of own"),
    FIELD_GROUP("own_kwh_by_method", &method_fields, "own_kwh by the method that it is known by"),
    PART(scope2_kgco2eq, "direct, location-based"),
    PART(scope2_market_kgco2eq,
         "direct, market-based: contracts, else the residual mix, else the direct location-based factor"),
    PART(scope2_stand_in_kwh, "energy of scope2_market_kgco2eq for which the location-based factor stands"),
    PART(scope3_kgco2eq, "category 3: lifecycle less direct, location-based; grid losses are not in it"),
    FIELD_OBJECT(struct annual_sci, sci, &sci_sum_fields,
                 "Software Carbon Intensity of the records that declare units of work; null: none does",
                 .flags = FIELD_NULLABLE),
    FIELD_NUMBER(noise_kwh, "standard deviation of it_kwh by the spread of repeated runs, in quadrature"),
    FIELD_NUMBER(noise_kgco2eq, "likewise of kgco2eq"),
    FIELD_U64(noise_records, "that have several runs"),
    FIELD_NUMBER(model_low_kwh, "it_kwh with every model at its lower end"),
    FIELD_NUMBER(model_high_kwh, "at its upper end"),
    FIELD_INTERVAL(kwh_interval, "model ends, and 1.96 noise_kwh around them"),
    FIELD_INTERVAL(kgco2eq_interval, "likewise of kgco2eq"),
});
#undef OF
#define FIGURES FIELD_FIGURES_AS("figures", figures, "their sum")

#define OF struct annual_group
const struct fields annual_month_fields = FIELDS({
    FIELD_TEXT(name, "2026-03", .flags = FIELD_FULL),
    FIELD_TIME_AS("from", from_ns, "its begin, UTC"),
    FIELD_TIME_AS("to", to_ns, "its end, UTC"),
    FIGURES,
});

const struct fields annual_group_fields = FIELDS_NAMED("group", "the records of a project, or of a label")({
    FIELD_TEXT(name, "null where the names differ", .flags = FIELD_NULL_EMPTY),
    FIELD_WORD(enum annual_group_kind, kind, kind_word, GROUP_NAMED, GROUP_OTHERS + 1,
               "none: the records without a name; others: all further names together"),
    FIGURES,
});
#undef OF

#define OF struct annual_factor
const struct fields annual_used_factor_fields =
    FIELDS_NAMED("used_factor", "a factor and the sums calculated with it")({
        FIELD_OBJECT(struct factor, factor, &factor_fields, "the factor"),
        FIELD_NUMBER_AS("td_losses_kgco2eq_per_kwh", factor.td_losses_kgco2eq_per_kwh, "grid losses, not included"),
        FIELD_NUMBER_AS("upstream_kgco2eq_per_kwh", factor.upstream_kgco2eq_per_kwh, "fuel supply, not included"),
        FIELD_TEXT_AS("version", factor.version, "year of the publication", .flags = FIELD_NULL_EMPTY),
        FIELD_TEXT_AS("retrieved_at", factor.retrieved_at, "the day it was taken from its source",
                      .flags = FIELD_NULL_EMPTY),
        FIELD_TEXT_AS("hourly_service", service,
                      "source of the intensities, where records were accounted by the hour; gaps use the factor",
                      .flags = FIELD_NULL_EMPTY),
        FIELD_TEXT(hourly_source_id, "key into sources", .flags = FIELD_NULL_EMPTY),
        FIGURES,
    });
#undef OF

#define OF struct annual_pue
const struct fields annual_pue_fields = FIELDS({
    FIELD_NUMBER(value, "the PUE"),
    FIELD_QUALITY(quality, "given or default"),
    FIELD_TEXT(source, "who publishes it", .flags = FIELD_NULL_EMPTY),
    FIGURES,
});
#undef OF

#define OF struct annual_embodied
const struct fields annual_embodied_fields = FIELDS({
    FIELD_TEXT(machine, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(source_id, "key into sources", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(version, "year of the source", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(machine_kgco2eq, "of making it"),
    FIELD_QUALITY(machine_quality, "given"),
    FIELD_NUMBER(lifetime_years, "over which they are spread"),
    FIELD_QUALITY(lifetime_quality, "given or default"),
    FIELD_NUMBER(reserved_share, "of the machine"),
    FIGURES,
});
#undef OF

#define OF struct annual_machine
const struct fields annual_made_fields = FIELDS({
    FIELD_TEXT(name, "of its section; null: it has none", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(kgco2eq, "to make it"),
    FIELD_NUMBER(lifetime_years, "over which that is spread evenly"),
    FIELD_NUMBER(period_kgco2eq, "the period's part"),
});
#undef OF

#define OF struct annual_name
const struct fields annual_scope_fields = FIELDS({
    FIELD_TEXT(name, "as --scope"),
    FIELD_SAID("covers", covers, NULL, "in words"),
    FIGURES,
});

const struct fields annual_model_fields = FIELDS({
    FIELD_TEXT_AS("cpu_model", name, "its name"),
    FIGURES,
});
#undef OF

#define OF struct annual_node
const struct fields annual_node_fields = FIELDS({
    FIELD_TEXT(name, "as in labels"),
    FIELD_TIME_AS("from", first_ns, "its first energy in the period, UTC"),
    FIELD_TIME_AS("to", last_ns, "its last, UTC"),
    FIELD_NUMBER(covered_s, "time between neighbouring values"),
    FIELD_U64(gaps, "in its counters"),
    FIELD_U64(resets, "of its counters"),
    FIELD_U64(wraps, "of its counters"),
});
#undef OF

#define OF struct annual_source
const struct fields annual_source_fields = FIELDS({
    FIELD_TEXT(id, "as in source_id"),
    FIELD_TEXT(title, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(publisher, "who", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(year, "when", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(licence, "under which licence", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(url, "where", .flags = FIELD_NULL_EMPTY),
});
#undef OF
