/* SPDX-License-Identifier: MIT
 * The sources as JSON, for scripts and for people who ask for help: every field of it, and what it means. */
#include "commands/sources/sources_list.h"

#include "form/part_fields.h"
#include "result/session_fields.h"

#include <math.h>

/* One driver, and one domain, over the arrays that they stand in. */
struct source_object {
    const struct sources *sources;
    const struct source_view *view;
    const char *name, *about;
    enum quality quality;
    struct error state; /* with the kind of notice that it is */
};

struct sources_fields_domain_object {
    const struct domain *domain;
    struct error state;
    bool counted, eligible;
    const char *reason;
    double low_ratio, high_ratio; /* NAN but for a modelled one */
};

static const char *state_word(int kind)
{
    return error_kind_name((enum error_kind)kind);
}

static const char *notice_word(int kind)
{
    return notice_kind_name((enum notice_kind)kind);
}

static const char *component_word(int component)
{
    return component_name((enum component)component);
}

static const char *access_word(int access)
{
    return access_name((enum access)access);
}

#define OF struct error
static const struct fields state_fields = FIELDS({
    FIELD_WORD_AS("state", enum error_kind, kind, state_word, ERROR_NONE, ERROR_SYSTEM + 1,
                  "whether it can be read, or why not"),
    FIELD_WORD(enum notice_kind, notice, notice_word, NOTICE_NONE, NOTICE_KIND_COUNT,
               "kind of notice: carbon-output(5), Kinds of notices; null: none",
               .flags = FIELD_OPEN | FIELD_NULL_EMPTY),
    FIELD_TEXT(what, "the finding; null: none", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(why, "why it is so", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(fix, "a remedy", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct domain
static const struct fields named_fields = FIELDS({
    FIELD_TEXT(name, "unique within its source"),
    FIELD_TEXT(path, "where it is read, relative to the root", .flags = FIELD_NULL_EMPTY),
    FIELD_WORD(enum component, component, component_word, 0, COMPONENT_COUNT, "its coverage"),
    FIELD_INT(package, "physical package that it belongs to; null: of none", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT(die, "die of that", .flags = FIELD_NULL_NEGATIVE),
    FIELD_WORD(enum access, access, access_word, ACCESS_MSR, ACCESS_MODEL + 1, "kind of its register"),
    FIELD_QUALITY(quality, "how its figures come about"),
});

static const struct fields counter_fields = FIELDS({
    FIELD_U64(wraps_at_uj, "where its counter returns to 0, in microjoules; null: it never does, or see wrap_unknown",
              .flags = FIELD_NULL_0),
    FIELD_BOOL(wrap_unknown, "it does, and nothing says where"),
    FIELD_U64(resolution_uj, "one unit of the hardware, rounded up, in microjoules"),
    FIELD_U64(update_ns, "how often the hardware refreshes it, in nanoseconds"),
    FIELD_U64(poll_ns, "how often a sensor of power is to be read, in nanoseconds; null: it is a counter",
              .flags = FIELD_NULL_0),
    FIELD_BOOL(part, "one of several of this component that add up"),
});
#undef OF

#define OF struct sources_fields_domain_object
static const struct fields domain_fields = FIELDS_NAMED("domain", "one thing that a source can measure")({
    FIELD_PART(const struct domain *, domain, &named_fields, FIELD_BEHIND),
    FIELD_PART(struct error, state, &state_fields, 0),
    FIELD_BOOL(counted, "it is in the total"),
    FIELD_BOOL_AS("would_count", eligible, "it is, or would be if it could be read"),
    FIELD_NAME(reason, "why it counts or does not"),
    FIELD_PART(const struct domain *, domain, &counter_fields, FIELD_BEHIND),
    FIELD_NUMBER(low_ratio, "lower bound of a modelled figure, as a multiple of it; null: not modelled"),
    FIELD_NUMBER(high_ratio, "upper bound, likewise"),
});
#undef OF

static struct error state_of(const struct error *error, enum notice_kind notice)
{
    struct error state = *error;

    state.notice = notice;
    return state;
}

static void add_domain(struct tree_node array, const struct sources *sources, size_t i)
{
    const struct domain *domain = sources->meter.domains[i].domain;
    const bool modelled = domain->quality == QUALITY_MODELLED;
    const struct sources_fields_domain_object object = {
        .domain = domain,
        .state = state_of(&domain->problem, domain->not_counted_kind ? domain->not_counted_kind
                                                                     : notice_kind_of_refusal(&domain->problem)),
        .counted = sources->counting.is_counted[i],
        .eligible = sources->counting.eligible[i],
        .reason = sources->counting.reason[i],
        .low_ratio = modelled ? domain->low_ratio : NAN,
        .high_ratio = modelled ? domain->high_ratio : NAN,
    };

    fields_json(tree_object(array, NULL), &domain_fields, &object);
}

static void add_domains(struct tree_node array, const void *of)
{
    const struct source_object *object = of;
    const struct sources *sources = object->sources;

    for (size_t i = 0; i < sources->meter.domain_count; i++)
        if (sources->meter.domains[i].source == object->view->source)
            add_domain(array, sources, i);
}

#define OF struct source_view
static const struct field in_use_list[] = { FIELD_BOOL(in_use, "the total is made of it") };
static const struct fields in_use_fields = FIELDS_OF(NULL, NULL, struct source_view, in_use_list);
#undef OF

#define OF struct source_object
static const struct fields source_fields = FIELDS_NAMED("source", "an interface that energy is read from")({
    FIELD_NAME(name, "as --source has it"),
    FIELD_NAME(about, "its kind"),
    FIELD_QUALITY(quality, "how its figures come about"),
    FIELD_PART(const struct source_view *, view, &in_use_fields, FIELD_BEHIND),
    FIELD_PART(struct error, state, &state_fields, 0),
    FIELD_EACH("domains", add_domains, &domain_fields, "its domains"),
});
#undef OF

static void add_sources(struct tree_node array, const void *of)
{
    const struct sources *sources = of;

    for (size_t i = 0; i < sources->view_count; i++) {
        const struct source_view *view = &sources->views[i];
        const struct source_object object = {
            .sources = sources,
            .view = view,
            .name = view->driver->name,
            .about = view->driver->about,
            .quality = view->driver->quality,
            .state = state_of(&view->error, notice_kind_of_refusal(&view->error)),
        };
        fields_json(tree_object(array, NULL), &source_fields, &object);
    }
}

static bool fits(const void *profile)
{
    return ((const struct machine_profile *)profile)->refused.kind == ERROR_NONE;
}

static const char *why_not(const void *profile)
{
    return fits(profile) ? NULL : ((const struct machine_profile *)profile)->refused.why;
}

#define OF struct machine_profile
static const struct fields profile_fields = FIELDS({
    FIELD_TEXT(path, "its file"),
    FIELD_TEXT(id, "of its figure", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(made_at, "when it was made", .flags = FIELD_NULL_EMPTY),
    FIELD_FACT("fits", fits, "it is of this machine, and used where that is modelled"),
    FIELD_SAID("why_not", why_not, NULL, "why it is not; null: it is", .flags = FIELD_NULL_EMPTY),
});
#undef OF

static bool is_recorded(const void *sources)
{
    return !((const struct sources *)sources)->meter.root->live;
}

static const char *root_path(const void *sources)
{
    return ((const struct sources *)sources)->meter.root->path;
}

static const char *whole_machine(const void *of)
{
    const struct sources *sources = of;
    const int whole = sources->counting.whole_machine;

    return whole < 0 ? NULL : sources->meter.domains[whole].domain->path;
}

static const char *const statuses[] = { "ok", "incomplete", "permission", "untrusted", "none", NULL };

#define OF struct sources
static const struct field sources_list[] = {
    FIELD_CONSTANT("schema", SOURCES_SCHEMA, "name and version of this form"),
    FIELD_SAID("root", root_path, NULL, "/, or the recorded machine that was named"),
    FIELD_FACT("recorded_tree", is_recorded, "it is a recorded machine"),
    FIELD_OBJECT(struct machine, machine, &machine_fields, "the machine; no host or user name"),
    FIELD_ONE_OF(status, statuses,
                 "state of the measurement, without a model: incomplete: a domain that should count cannot be read; "
                 "permission: nothing can be read, but another user could; untrusted: the readings may be the host's"),
    FIELD_BOOL(measurable, "a measurement could start now"),
    FIELD_SCOPE(scope, "domains that make up the total"),
    FIELD_SAID("whole_machine", whole_machine, NULL,
               "the readable domain that covers the whole machine, next to a total of components; null: none",
               .flags = FIELD_NULL_EMPTY),
    FIELD_BOOL_AS("stands_in", counting.fallback_to_machine,
                  "no package can be counted: the whole machine's meter counts instead"),
    FIELD_OBJECT_AS("machine_profile", const struct machine_profile *, machine.reported.profile, &profile_fields,
                    "measured power of this machine; null: not measured", .flags = FIELD_BEHIND),
    FIELD_EACH("sources", add_sources, &source_fields, "all that carbon knows of"),
    FIELD_NOTICES,
};
#undef OF
static const struct fields sources_fields = FIELDS_OF(NULL, NULL, struct sources, sources_list);
const struct schema sources_schema = { "sources", SOURCES_SCHEMA,
                                       "Output of carbon sources --json: the energy sources of this machine.",
                                       &sources_fields, NULL };

bool sources_write_json(const struct sources *sources, FILE *out, bool one_line, struct error *err)
{
    return one_line ? fields_line(&sources_fields, sources, out, "the list of sources", err)
                    : document_json(&sources_schema, sources, out, "the list of sources", err);
}
