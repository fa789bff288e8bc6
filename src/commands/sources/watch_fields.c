/* SPDX-License-Identifier: MIT
 * One update of `carbon sources --watch` as a line of JSON: every field and its meaning. */
#include "commands/sources/watch.h"

#include "form/part_fields.h"
#include "result/session_fields.h"

/* What is in several arrays of an update, together. */
struct watch_fields_domain_object {
    const char *name, *source;
    const struct power_figures *figures;
    bool counted;
};

struct total_object {
    enum scope scope;
    const struct power_figures *figures;
};

struct update_object {
    const struct watch_view *view;
    struct total_object total;
};

static const char *hole_word(int hole)
{
    return hole_name((enum hole)hole);
}

static bool is_lower_bound(const void *figures)
{
    return ((const struct power_figures *)figures)->unknown_s > 0;
}

#define OF struct power_figures
static const struct fields figures_fields = FIELDS({
    FIELD_NUMBER(w, "power now, in watts; null: not known in this update"),
    FIELD_NUMBER(mean_w, "energy_j over the time that it covers, in watts"),
    FIELD_NUMBER(energy_j, "since the start, up to the last reading, in joules"),
    FIELD_FACT("at_least", is_lower_bound, "energy_j is a lower bound"),
    FIELD_NUMBER(unknown_s, "time since the start whose energy is not in energy_j, in seconds; of a total the most",
                 .flags = FIELD_FROM_0),
    FIELD_WORD_AS("reason", enum hole, hole, hole_word, HOLE_NONE, HOLE_COUNT,
                  "why, the last time; empty: all is known"),
    FIELD_QUALITY(quality, "how the figures come about; of a total the worst"),
});

static const struct fields unknown_fields = FIELDS({
    FIELD_COUNT_AS("counted_unknown", unknown, "counted domains that have no power now and are left out of w"),
});
#undef OF

#define OF struct watch_fields_domain_object
static const struct fields domain_fields = FIELDS({
    FIELD_NAME(name, "of the domain, unique within its source"),
    FIELD_NAME(source, "that it is read from, as --source has it"),
    FIELD_PART(const struct power_figures *, figures, &figures_fields, FIELD_BEHIND),
    FIELD_BOOL(counted, "it is in the total"),
});
#undef OF

#define OF struct total_object
static const struct fields total_fields = FIELDS_NAMED("total", "power of a scope")({
    FIELD_SCOPE(scope, "domains that make it up"),
    FIELD_PART(const struct power_figures *, figures, &figures_fields, FIELD_BEHIND),
    FIELD_PART(const struct power_figures *, figures, &unknown_fields, FIELD_BEHIND),
});
#undef OF

static void add_domains(struct tree_node array, const void *of)
{
    const struct watch_view *view = ((const struct update_object *)of)->view;
    const struct sources *sources = view->sources;

    for (size_t i = 0; i < sources->meter.domain_count; i++) {
        const struct meter_domain *state = &sources->meter.domains[i];
        const struct watch_fields_domain_object object = { state->domain->name, state->source->driver->name,
                                                           &view->update.domains[i], sources->counting.is_counted[i] };
        fields_json(tree_object(array, NULL), &domain_fields, &object);
    }
}

static void add_alternatives(struct tree_node array, const void *of)
{
    const struct update_object *update = of;
    const struct watch_view *view = update->view;

    for (enum scope scope = 0; scope < SCOPE_COUNT; scope++) {
        const struct total_object object = { scope, &view->totals[scope] };
        if (scope != update->total.scope && view->countings[scope].counted)
            fields_json(tree_object(array, NULL), &total_fields, &object);
    }
}

#define OF struct watch_view
static const struct fields times_fields = FIELDS({
    FIELD_TIME_AS("time", realtime_ns, "when it was"),
    FIELD_NUMBER_AS("elapsed_s", update.elapsed_s,
                    "since the start, in seconds, without the time that the machine slept",
                    .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER_AS("interval_s", update.interval_s, "since the update before, likewise",
                    .flags = FIELD_KNOWN | FIELD_FROM_0),
});

static const struct field notices_list[] = { FIELD_NOTICES };
static const struct fields watch_notices_fields = FIELDS_OF(NULL, NULL, struct watch_view, notices_list);
#undef OF

#define OF struct update_object
static const struct fields update_fields = FIELDS({
    FIELD_CONSTANT("schema", WATCH_SCHEMA, "name and version of this form"),
    FIELD_PART(const struct watch_view *, view, &times_fields, FIELD_BEHIND),
    FIELD_EACH("domains", add_domains, &domain_fields, "every domain that was seen"),
    FIELD_OBJECT(struct total_object, total, &total_fields, "the counted domains together"),
    FIELD_EACH("alternatives", add_alternatives, &total_fields,
               "the same of the other scopes that can be read; never added to it"),
    FIELD_PART(const struct watch_view *, view, &watch_notices_fields, FIELD_BEHIND),
});
#undef OF
const struct schema watch_schema = {
    "watch", WATCH_SCHEMA, "Each line but the first of the output of carbon sources --watch --json: live power.",
    &update_fields, NULL
};

bool watch_write_json(const struct watch_view *view, FILE *out, struct error *err)
{
    const enum scope scope = view->sources->scope;
    const struct update_object update = { view, { scope, &view->totals[scope] } };

    return fields_line(&update_fields, &update, out, "the update", err);
}
