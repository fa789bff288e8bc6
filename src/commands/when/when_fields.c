/* SPDX-License-Identifier: MIT
 * Advice as JSON ("carbon.when/1"): every field of it, and what it means. */
#include "commands/when/when.h"

#include "base/units.h"
#include "form/part_fields.h"

/* What is worked out for the document: times in nanoseconds, what comes of the job's energy. */
struct start_view {
    uint64_t start_ns, delay_s;
    double kgco2eq_per_kwh, kgco2eq;
};

struct saving_view {
    struct start_time_saving of;
    double kgco2eq, doubt_kgco2eq;
};

struct zone_view {
    const struct when_zone *zone;
    uint64_t known_until_ns;
    struct start_view now, best, worst;
    struct saving_view saving;
};

struct advice_view {
    const char *zone;
    uint64_t start_ns, delay_s;
    struct saving_view saving;
};

struct when_view {
    const struct when *when;
    uint64_t asked_ns, deadline_ns;
    struct advice_view advice;
};

static const char *const bases[] = { "lifecycle", "direct", NULL };

static const char *verdict_word(int verdict)
{
    return start_time_verdict_name((enum start_time_verdict)verdict);
}

static struct start_view start_of(const struct when *when, const struct start_time_choice *start)
{
    const uint64_t start_s = start->start_ns / NS_PER_S_INT;

    return (struct start_view){ start_s * NS_PER_S_INT, start_s - when->now_s, start->kgco2eq_per_kwh,
                                when_kgco2eq(&when->job, start->kgco2eq_per_kwh) };
}

static struct saving_view saving_of(const struct when *when, const struct start_time_saving *saving)
{
    return (struct saving_view){ *saving, when_kgco2eq(&when->job, saving->kgco2eq_per_kwh),
                                 when_kgco2eq(&when->job, saving->doubt_kgco2eq_per_kwh) };
}

#define OF struct start_view
static const struct fields start_fields = FIELDS_NAMED("start", "a start of the job")({
    FIELD_TIME_AS("start", start_ns, "when", .flags = FIELD_KNOWN),
    FIELD_U64(delay_s, "in how long that is"),
    FIELD_NUMBER(kgco2eq_per_kwh, "mean over the job, weighted by its energy; null: some of that time is not known",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(kgco2eq, "of the job; null: its energy is not known", .flags = FIELD_FROM_0),
});
#undef OF

#define OF struct start_time_saving
static const struct fields shift_fields = FIELDS({
    FIELD_WORD(enum start_time_verdict, verdict, verdict_word, START_TIME_UNKNOWN, START_TIME_GAIN + 1,
               "gain: 5 % or more, and above the error; unknown: emissions of a start now are unknown"),
    FIELD_NUMBER(percent, "of a start now"),
    FIELD_NUMBER(kgco2eq_per_kwh, "for each kilowatt-hour of the job"),
    FIELD_NUMBER(doubt_kgco2eq_per_kwh, "by the error of the forecast; null: the service does not publish it",
                 .flags = FIELD_FROM_0),
});
#undef OF

#define OF struct saving_view
static const struct fields saving_fields = FIELDS_NAMED("saving", "saving compared with a start now")({
    FIELD_PART(struct start_time_saving, of, &shift_fields, 0),
    FIELD_NUMBER(kgco2eq, "of the job"),
    FIELD_NUMBER(doubt_kgco2eq, "likewise", .flags = FIELD_FROM_0),
});
#undef OF
#define SAVING(meaning) FIELD_OBJECT(struct saving_view, saving, &saving_fields, meaning)

#define OF struct when_zone
static const struct fields about_fields = FIELDS({
    FIELD_TEXT_AS("zone", found.zone, "as the service or the file calls it", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("service", about.name, "who forecasts, or the name of the file", .flags = FIELD_FULL),
    FIELD_ONE_OF_AS("basis", about.basis, bases, "lifecycle or direct", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("scope", about.scope, "consumption or production", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("gases", about.gases, "co2eq or co2", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("method", about.method, "average or marginal", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("source_id", about.source_id, "whose figures they are", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("licence", about.licence, "of the figures", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("url", about.url, "of the service", .flags = FIELD_NULL_EMPTY),
});

static const struct fields error_fields = FIELDS({
    FIELD_NUMBER_AS("forecast_error_kgco2eq_per_kwh", found.forecast_error_kgco2eq_per_kwh,
                    "root mean square of forecast less what came, over the last day", .flags = FIELD_FROM_0),
    FIELD_COUNT_AS("forecasts_judged", found.forecasts_judged, "intervals of which that is"),
});
#undef OF

#define OF struct zone_view
static const struct fields zone_fields = FIELDS({
    FIELD_PART(const struct when_zone *, zone, &about_fields, FIELD_BEHIND),
    FIELD_TIME_AS("known_until", known_until_ns, "end of the last intensity", .flags = FIELD_KNOWN),
    FIELD_PART(const struct when_zone *, zone, &error_fields, FIELD_BEHIND),
    FIELD_OBJECT(struct start_view, now, &start_fields, "a start at once"),
    FIELD_OBJECT(struct start_view, best, &start_fields, "the start that emits least"),
    FIELD_OBJECT(struct start_view, worst, &start_fields, "the start that emits most"),
    SAVING("of the best start against one now"),
});
#undef OF

#define OF struct advice_view
static const struct fields advice_fields = FIELDS({
    FIELD_NAME(zone, "where to run it", .flags = FIELD_NULL_EMPTY),
    FIELD_TIME_AS("start", start_ns, "when to start it", .flags = FIELD_KNOWN),
    FIELD_U64(delay_s, "in how long that is"),
    SAVING("of the least of all zones against a start now in the first"),
});
#undef OF

#define OF struct when_job
static const struct fields when_job_fields = FIELDS({
    FIELD_NUMBER(duration_s, "how long it runs", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER(energy_j, "its energy", .flags = FIELD_ABOVE_0),
    FIELD_NUMBER(pue, "energy of the facility for each unit its computers use", .flags = FIELD_KNOWN | FIELD_FROM_1),
    FIELD_COUNT_AS("pieces", profile.count, "of its profile, in each of which it draws evenly", .flags = FIELD_FROM_1),
    FIELD_NAME(like, "the record that it is like", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct when
static const struct fields job_part = FIELDS({
    FIELD_OBJECT(struct when_job, job, &when_job_fields, "the command"),
});

static void add_zones(struct tree_node array, const void *of)
{
    const struct when *when = of;

    for (size_t i = 0; i < when->count; i++) {
        const struct when_zone *zone = &when->zones[i];
        const struct zone_view view = {
            .zone = zone,
            .known_until_ns = when_known_until_s(zone) * NS_PER_S_INT,
            .now = start_of(when, &zone->shift.now),
            .best = start_of(when, &zone->shift.best),
            .worst = start_of(when, &zone->shift.worst),
            .saving = saving_of(when, &zone->saving),
        };
        fields_json(tree_object(array, NULL), &zone_fields, &view);
    }
}

static const struct fields zones_fields = FIELDS({
    FIELD_EACH("zones", add_zones, &zone_fields, "the grids that were asked for, in that order", .flags = FIELD_FULL),
    FIELD_NOTICES,
});
#undef OF

#define OF struct when_view
static const struct fields workloads_fields = FIELDS({
    FIELD_CONSTANT("schema", WHEN_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_TIME_AS("asked_at", asked_ns, "the present, which is the earliest start", .flags = FIELD_KNOWN),
    FIELD_TIME_AS("deadline", deadline_ns, "when the job must have ended", .flags = FIELD_KNOWN),
    FIELD_PART(const struct when *, when, &job_part, FIELD_BEHIND),
    FIELD_OBJECT(struct advice_view, advice, &advice_fields,
                 "recommended start; without a gain a start now in the first zone"),
    FIELD_PART(const struct when *, when, &zones_fields, FIELD_BEHIND),
});
#undef OF

const struct schema when_schema = { "when", WHEN_SCHEMA, "When, and where, a job would emit least.", &workloads_fields,
                                    NULL };

bool when_json(const struct when *when, FILE *out, struct error *err)
{
    const struct when_view reported = {
        .when = when,
        .asked_ns = when->now_s * NS_PER_S_INT,
        .deadline_ns = when->deadline_s * NS_PER_S_INT,
        .advice = { when->zones[when->best].found.zone, when->start_s * NS_PER_S_INT, when->start_s - when->now_s,
                    saving_of(when, &when->saving) },
    };

    return document_json(&when_schema, &reported, out, "the advice as JSON", err);
}
