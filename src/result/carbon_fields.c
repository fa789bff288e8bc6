/* SPDX-License-Identifier: MIT
 * What a record says of the figures that its emissions stand on: intensities by the hour, the Software Carbon
 * Intensity, equivalents, and the list of where figures come from. */
#include "result/carbon_fields.h"

#include "base/units.h"
#include "result/session_fields.h"

/* The parts of the energy, by how their time is covered. */
struct carbon_fields_parts {
    double of[COVER_COUNT];
};

static const char *kind_word(int kind)
{
    return intensity_kind_name((enum intensity_kind)kind);
}

#define OF struct hourly_source
const struct fields hourly_source_fields = FIELDS({
    FIELD_TEXT(service, "the service as --live names it, or file", .flags = FIELD_FULL),
    FIELD_TEXT(title, "its name and publisher, or the file's name", .flags = FIELD_FULL),
    FIELD_TEXT(zone, "the zone as the service calls it", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(basis, "lifecycle or direct; null: not said", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(scope, "consumption or generation of the zone; null: not stated", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(gases, "co2eq or co2; null: not said", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(td_losses, "included: losses of the grid are in the figures; null: not, or not said",
               .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(method, "average; null: not said", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(source_id, "publisher, as a source", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(licence, "of its figures", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(url, "where people read about them", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct carbon_fields_parts
static const struct fields parts_fields = FIELDS({
    FIELD_NUMBER_AS("forecast", of[COVER_FORECAST], "published beforehand"),
    FIELD_NUMBER_AS("estimated", of[COVER_ESTIMATED], "estimated by the publisher, or to be revised"),
    FIELD_NUMBER_AS("actual", of[COVER_ACTUAL], "as the publisher leaves it"),
    FIELD_NUMBER_AS("held", of[COVER_NEAREST], "of the nearest interval, in a gap no longer than one"),
    FIELD_NUMBER_AS("mean", of[COVER_PERIOD_MEAN], "mean of the known intensities, where these cover 90 % or more"),
    FIELD_NUMBER_AS("yearly", of[COVER_YEARLY], "at the yearly factor: no intensity is known"),
});
#undef OF

#define OF struct answer_view
const struct fields answer_fields = FIELDS_NAMED("answer", "an answer of the service")({
    FIELD_TIME_AS("retrieved", retrieved_ns, "when it answered, UTC; null: a file does not say"),
    FIELD_BOOL_AS("kept", stored, "it came from the cache"),
    FIELD_NAME(url, "the query, without any key; empty for a file"),
});
#undef OF

#define OF struct intensity_view
const struct fields intensity_fields = FIELDS_NAMED("intensity", "carbon intensity of an interval")({
    FIELD_TEXT(start, "since when it holds, UTC", .pattern = FIELD_LIKE_MINUTE),
    FIELD_TEXT(end, "until when, without it", .pattern = FIELD_LIKE_MINUTE),
    FIELD_NUMBER(kgco2eq_per_kwh, "carbon intensity of that time", .flags = FIELD_KNOWN | FIELD_FROM_0, .max = 5),
    FIELD_WORD(enum intensity_kind, kind, kind_word, INTENSITY_FORECAST, INTENSITY_ACTUAL + 1,
               "forecast: published beforehand; estimated: by the publisher, or to be revised; actual: final"),
    FIELD_UNSIGNED(answer, "index of its answer, from 0"),
});
#undef OF

struct intensity_view intensity_view_of(const struct intensity *item)
{
    struct intensity_view view = { .kgco2eq_per_kwh = item->kgco2eq_per_kwh,
                                   .kind = item->kind,
                                   .answer = item->answer };

    clock_minute_text(item->start_realtime_s, view.start);
    clock_minute_text(item->end_realtime_s, view.end);
    return view;
}

struct answer_view answer_view_of(const struct live_answer *item)
{
    return (struct answer_view){ item->retrieved_realtime_s * NS_PER_S_INT, item->stored, item->url };
}

void carbon_intensities(struct tree_node array, const struct intensities *known)
{
    for (size_t i = 0; i < known->count; i++) {
        const struct intensity_view view = intensity_view_of(&known->items[i]);
        fields_json(tree_object(array, NULL), &intensity_fields, &view);
    }
}

void carbon_answers(struct tree_node array, const struct intensities *known)
{
    for (unsigned i = 0; i < known->answer_count; i++) {
        const struct answer_view view = answer_view_of(&known->answers[i]);
        fields_json(tree_object(array, NULL), &answer_fields, &view);
    }
}

void hourly_answers(struct tree_node array, const void *report)
{
    carbon_answers(array, ((const struct report *)report)->by_hour.known);
}

void hourly_intensities(struct tree_node array, const void *report)
{
    carbon_intensities(array, ((const struct report *)report)->by_hour.known);
}

void hourly_notices(struct tree_node array, const void *of)
{
    const struct report *report = of;

    for (size_t i = 0; i < report->by_hour.notice_count; i++)
        tree_text(array, NULL, report->own_notices.item[report->by_hour.first_notice + i].what);
}

static double gross_difference(const void *of)
{
    const struct report *report = of;

    return report->gross.footprint.kgco2eq - report->by_hour.yearly_gross_kgco2eq;
}

static double net_difference(const void *of)
{
    const struct report *report = of;

    return report->net.footprint.kgco2eq - report->by_hour.yearly_net_kgco2eq;
}

#define OF struct report
static const struct fields yearly_fields = FIELDS({
    FIELD_NUMBER_AS("kgco2eq_per_kwh", factor.kgco2eq_per_kwh, "the yearly factor"),
    FIELD_NUMBER_AS("td_losses_kgco2eq_per_kwh", factor.td_losses_kgco2eq_per_kwh, "grid losses, not included"),
    FIELD_NUMBER_AS("gross_kgco2eq", by_hour.yearly_gross_kgco2eq, "of the mean run, in kgCO2eq"),
    FIELD_NUMBER_AS("net_kgco2eq", by_hour.yearly_net_kgco2eq, "likewise of net"),
    FIELD_FIGURE("gross_difference_kgco2eq", gross_difference, "by the hour less by the year"),
    FIELD_FIGURE("net_difference_kgco2eq", net_difference, "likewise of net"),
});

const struct fields hourly_fields = FIELDS({
    FIELD_PART(struct hourly_source, by_hour.source, &hourly_source_fields, 0),
    FIELD_OBJECT_AS(
        "parts", double[COVER_COUNT], by_hour.part, &parts_fields,
        "of the gross energy, by where its intensity comes from; they add up to 1; null: the energy is not known"),
    FIELD_NUMBER_AS("covered", by_hour.covered, "part of the gross energy whose own time has an intensity"),
    FIELD_NUMBER_AS(
        "prorated", by_hour.prorated,
        "part of the gross energy in slices that an edge of two intervals cuts, and that is taken to be even"),
    FIELD_GROUP("yearly", &yearly_fields, "emissions by the yearly factor"),
    FIELD_EACH("answers", hourly_answers, &answer_fields, "answer of the service, new or cached"),
    FIELD_EACH("intensities", hourly_intensities, &intensity_fields,
               "intensities of the runs' time, and the nearest before and after, in order; null is never one"),
    FIELD_VALUES("notices", hourly_notices, FIELD_IS_NAME, "the what of those notices that are about it"),
});
#undef OF

#define OF struct sci_figure
static const struct fields sci_figure_fields = FIELDS_NAMED("value", "a figure and how it came about")({
    FIELD_NUMBER(value, "the figure"),
    FIELD_QUALITY(quality, "given, attributed or default"),
});
#undef OF

#define OF struct sci
const struct fields sci_machine_fields = FIELDS({
    FIELD_NUMBER_AS("kgco2eq", machine_kgco2eq.value, "TE; null: not declared", .flags = FIELD_FROM_0),
    FIELD_QUALITY_AS("quality", machine_kgco2eq.quality, "given or unknown"),
    FIELD_TEXT_AS("name", machine, "its name in embodied.csv", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(source_id, "key of the source in sources.csv", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(version, "year of the source", .flags = FIELD_NULL_EMPTY),
});

const struct fields sci_fields = FIELDS({
    FIELD_NUMBER(kgco2eq_per_unit, "the score in kgCO2eq; null where either part is not known"),
    FIELD_TEXT(unit, "name of the functional unit", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(units, "R: of these in one run", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER(operational_kgco2eq,
                 "E x I: kgCO2eq of the gross energy of the mean run, idle included, with the PUE"),
    FIELD_NUMBER(embodied_kgco2eq, "M = machine x hours / (lifetime x 8760 h) x share; null: not declared",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(hours, "for which one run took up the machine", .flags = FIELD_FROM_0),
    FIELD_GROUP("machine", &sci_machine_fields, "embodied emissions of the whole machine"),
    FIELD_OBJECT(struct sci_figure, lifetime_years, &sci_figure_fields, "EL: for how long the machine is used"),
    FIELD_OBJECT(struct sci_figure, reserved_share, &sci_figure_fields,
                 "RR / ToR: the job's part of the machine; attributed: its CPUs of those online"),
});
#undef OF

static bool has_equivalents(const void *equivalents)
{
    return ((const struct equivalents *)equivalents)->count > 0;
}

#define OF struct equivalent
const struct fields equivalent_fields = FIELDS_NAMED("equivalent", "an equivalent of the emissions")({
    FIELD_TEXT(name, "what"),
    FIELD_NUMBER(amount, "how much of it"),
    FIELD_TEXT(unit, "the unit of amount"),
    FIELD_NUMBER(kgco2eq_per_unit, "emissions of one, or uptake of a tree", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_TEXT(region, "where that holds", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(year, "year of the figure"),
    FIELD_TEXT(source_id, "key of the source in sources.csv"),
    FIELD_TEXT(source, "title and publisher"),
});
#undef OF

#define OF struct equivalents
const struct fields equivalents_fields = FIELDS({
    FIELD_ARRAY_AS("equivalents", struct equivalent, items, count, &equivalent_fields,
                   "equivalents of the gross emissions, each by its own rough figure; null: not requested",
                   .known = has_equivalents),
});
#undef OF

#define OF struct provenance
static const struct field range_list[] = { FIELD_NUMBER(low, "lower end"), FIELD_NUMBER(high, "upper end") };
static const struct fields range_fields = FIELDS_OF(NULL, NULL, struct provenance, range_list);

const struct fields provenance_fields = FIELDS_NAMED("provenance", "where a figure comes from")({
    FIELD_NAME(figure, "its place in the record"),
    FIELD_NUMBER(value, "the figure"),
    FIELD_NAME(unit, "of value and interval; 1: a ratio or a count, a: years"),
    FIELD_QUALITY(quality, "of the figure"),
    FIELD_NAME(method, "how it was got, or the sum it comes from"),
    FIELD_NAME(source_id, "key of the source in sources.csv; of an energy the drivers of the counted domains",
               .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(version,
               "year of the source's publication (sources.csv); of an energy the version of carbon; null: a source of "
               "the user's own",
               .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(
        retrieved_at,
        "the day it was taken from its source, from the column retrieved of a table of the user's own; null: not "
        "recorded, as for all that carbon ships, whose version and retrieved_from are in sources.csv",
        .flags = FIELD_NULL_EMPTY),
    FIELD_GROUP("interval", &range_fields,
                "where the figure may truly lie: 95 % of a measured net, the range of a model"),
});
#undef OF

static void add_provenance(const struct provenance *row, void *array)
{
    fields_json(tree_object(*(const struct tree_node *)array, NULL), &provenance_fields, row);
}

void record_provenance(struct tree_node array, const void *report)
{
    provenance_each(report, add_provenance, &array);
}
