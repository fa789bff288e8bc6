/* SPDX-License-Identifier: MIT
 * Intensities over time for machines, JSON and CSV: every field of them, and what it means. */
#include "commands/factors/factors.h"

#include "base/clock.h"
#include "form/columns.h"
#include "form/part_fields.h"
#include "result/carbon_fields.h"

/* What the service says of itself, and what it told. */
struct live_object {
    const struct live_about *about;
    const struct intensities *found;
    const struct notices *notices;
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE];
    double asked_s, known_s, mean_kgco2eq_per_kwh;
};

static const char *const bases[] = { "lifecycle", "direct", NULL };
static const char *const scopes[] = { "consumption", "production", NULL };
static const char *const gases[] = { "co2eq", "co2", NULL };
static const char *const methods[] = { "average", "marginal", NULL };

#define OF struct live_about
static const struct fields service_fields = FIELDS({
    FIELD_NAME_AS("service", name, "the service as --live names it", .flags = FIELD_FULL),
    FIELD_NAME_AS("service_title", title, "its name and publisher", .flags = FIELD_FULL),
});

static const struct fields about_fields = FIELDS({
    FIELD_ONE_OF(basis, bases,
                 "basis: with plants and fuel supply, or combustion only; null: the service does not state it",
                 .flags = FIELD_NULL_EMPTY),
    FIELD_ONE_OF(scope, scopes, "consumption or generation of the zone; null: the service does not state it",
                 .flags = FIELD_NULL_EMPTY),
    FIELD_ONE_OF(gases, gases, "all greenhouse gases, or CO2 alone"),
    FIELD_ONE_OF(method, methods,
                 "of all that is generated, or of the plant that would answer for a kWh more: for advice alone; null: "
                 "the service does not say",
                 .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(source_id, "the service as a source", .flags = FIELD_FULL),
    FIELD_NAME(licence, "of its figures", .flags = FIELD_FULL),
    FIELD_NAME(url, "where people read about them", .flags = FIELD_FULL),
});
#undef OF

static void add_intensities(struct tree_node array, const void *found)
{
    carbon_intensities(array, found);
}

static void add_answers(struct tree_node array, const void *found)
{
    carbon_answers(array, found);
}

#define OF struct intensities
static const struct field zone_list[] = { FIELD_TEXT(zone, "the service's code of the zone", .flags = FIELD_FULL) };
static const struct fields zone_fields = FIELDS_OF(NULL, NULL, struct intensities, zone_list);

static const struct fields found_fields = FIELDS({
    FIELD_EACH("intensities", add_intensities, &intensity_fields,
               "in the order of time, without overlaps; gaps are unknown", .flags = FIELD_FULL),
    FIELD_EACH("answers", add_answers, &answer_fields, "answer of the service, new or cached", .flags = FIELD_FULL),
});
#undef OF

#define OF struct live_object
static const struct fields live_fields = FIELDS({
    FIELD_CONSTANT("schema", LIVE_SCHEMA, "name and version of this form"),
    FIELD_PART(const struct live_about *, about, &service_fields, FIELD_BEHIND),
    FIELD_PART(const struct intensities *, found, &zone_fields, FIELD_BEHIND),
    FIELD_PART(const struct live_about *, about, &about_fields, FIELD_BEHIND),
    FIELD_TEXT(from, "start of the requested period, UTC", .pattern = FIELD_LIKE_MINUTE),
    FIELD_TEXT(to, "end of the requested period, excluded", .pattern = FIELD_LIKE_MINUTE),
    FIELD_NUMBER(asked_s, "requested length, in seconds", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER(known_s, "how much of that is known, in seconds", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER(mean_kgco2eq_per_kwh, "mean over the time that is known, in kgCO2eq per kWh",
                 .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_PART(const struct intensities *, found, &found_fields, FIELD_BEHIND),
    FIELD_PART(const struct notices *, notices, &notices_fields, FIELD_BEHIND),
});
#undef OF

enum { INTENSITY, ANSWER, ZONE, ABOUT };
static const struct fields *const row_of[] = { &intensity_fields, &answer_fields, &zone_fields, &about_fields };

static const struct column columns[] = {
    COLUMNS(INTENSITY, start, end, kgco2eq_per_kwh, kind),
    COLUMN(retrieved, ANSWER),
    COLUMN(zone, ZONE),
    COLUMNS(ABOUT, basis, scope, gases, method, source_id),
};
static const struct table live_columns = TABLE_OF(columns, row_of);

const struct schema live_schema = {
    "live", LIVE_SCHEMA, "Output of carbon factors --live: hourly carbon intensity of a grid, from a service.",
    &live_fields, &live_columns
};

bool live_csv(const struct live_about *about, const struct intensities *found, FILE *out, struct error *err)
{
    (void)err;
    table_head(&live_columns, out);
    for (size_t i = 0; i < found->count; i++) {
        const struct intensity_view item = intensity_view_of(&found->items[i]);
        const struct answer_view answer = answer_view_of(&found->answers[item.answer]);
        table_row(&live_columns, (const void *const[]){ &item, &answer, found, about }, out);
    }
    return true;
}

bool live_json(const struct live_about *about, const struct intensities *found, const struct notices *notices,
               FILE *out, struct error *err)
{
    struct live_object object = {
        .about = about,
        .found = found,
        .notices = notices,
        .asked_s = (double)(found->to_realtime_s - found->from_realtime_s),
        .known_s = (double)found->known_s,
        .mean_kgco2eq_per_kwh = intensities_mean(found),
    };

    clock_minute_text(found->from_realtime_s, object.from);
    clock_minute_text(found->to_realtime_s, object.to);
    return document_json(&live_schema, &object, out, "the intensities as JSON", err);
}
