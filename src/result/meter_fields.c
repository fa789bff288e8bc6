/* SPDX-License-Identifier: MIT
 * The meter's domains as a record has them, and the sources that are not used. */
#include "result/energy_fields.h"

#include "base/units.h"
#include "result/report.h"

static const char *component_word(int component)
{
    return component_name((enum component)component);
}

static const char *max_from_word(int from)
{
    return max_from_name((enum max_from)from);
}

static bool has_slope(const void *domain)
{
    return ((const struct domain *)domain)->slope_high_ratio > 0;
}

#define OF struct domain
const struct fields domain_name_fields = FIELDS({
    FIELD_TEXT(name, "name, unique within its source: package-0, dram-1", .flags = FIELD_FULL),
});

const struct fields domain_place_fields = FIELDS({
    FIELD_WORD(enum component, component, component_word, 0, COMPONENT_COUNT, "its coverage"),
    FIELD_TEXT(path, "the counter, relative to the root directory", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(package, "physical package it belongs to", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT(die, "die it belongs to", .flags = FIELD_NULL_NEGATIVE),
});

const struct fields domain_range_fields = FIELDS({
    FIELD_NUMBER_AS("most_w", max_w, "more power than this cannot be true, in watts",
                    .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE | FIELD_ELSE_0),
    FIELD_WORD_AS("most_from", enum max_from, max_from, max_from_word, MAX_UNKNOWN, MAX_BY_CLASS + 1,
                  "origin of the bound: a multiple of its own power limit, of the processor's TDP, or an impossible "
                  "power for its kind",
                  .flags = FIELD_LATER | FIELD_NULL_EMPTY),
    FIELD_NUMBER(low_ratio, "lower bound of a modelled energy, as a multiple of it"),
    FIELD_NUMBER(high_ratio, "and at most this one"),
    FIELD_NUMBER(slope_low_ratio,
                 "of a domain by the machine profile, lower bound of the power of each busy CPU, as a multiple of "
                 "slope_w; null or missing: low_ratio",
                 .flags = FIELD_LATER | FIELD_ELSE_0, .known = has_slope),
    FIELD_NUMBER(slope_high_ratio, "the same, at most; null or missing: high_ratio",
                 .flags = FIELD_LATER | FIELD_ELSE_0, .known = has_slope),
});

const struct fields domain_counter_fields = FIELDS({
    FIELD_U64(wraps_at_uj, "value at which the counter wraps, in microjoules; null: never, or (wrap_unknown) unknown",
              .flags = FIELD_NULL_0),
    FIELD_BOOL(wrap_unknown, "the counter wraps at an unknown value"),
    FIELD_U64(resolution_uj, "one hardware unit, in microjoules, rounded up", .flags = FIELD_NULL_0),
    FIELD_SECONDS_AS("update_s", update_ns, "how often the hardware refreshes it, in seconds", .flags = FIELD_NULL_0),
});
#undef OF

#define OF struct meter_domain
const struct fields domain_state_fields = FIELDS({
    FIELD_BOOL(moved, "its counter has moved since the meter was opened, or is known to be off"),
    FIELD_BOOL(doubted, "another domain contradicts it, as a notice says: it has no figure", .flags = FIELD_LATER),
});

const struct fields domain_counts_fields = FIELDS({
    FIELD_UNSIGNED(wraps, "times the counter reached its end"),
    FIELD_UNSIGNED(resets, "times it went back for another reason; that energy is not known"),
    FIELD_UNSIGNED(missed_reads, "readings that failed"),
    FIELD_UNSIGNED(ambiguous_gaps, "intervals long enough to hide a further wrap"),
    FIELD_UNSIGNED(lost, "times that it vanished and was found again, or that the machine slept"),
    FIELD_SECONDS_AS("lost_s", lost_ns,
                     "total length without suspend, in seconds; the energy of that time is excluded"),
    FIELD_SECONDS_AS("unwatched_s", unwatched_ns,
                     "time in which a sensor of power was read far too seldom, in seconds"),
});
#undef OF

#define OF struct domain_view
const struct fields domain_fields = FIELDS_NAMED("domain", "one thing that a counter covers")({
    FIELD_PART(const struct domain *, domain, &domain_name_fields, FIELD_BEHIND),
    FIELD_NAME(source, "where it is read: powercap, perf, hwmon, model and so on", .flags = FIELD_FULL),
    FIELD_PART(const struct domain *, domain, &domain_place_fields, FIELD_BEHIND),
    FIELD_BOOL(counted, "it is part of the total"),
    FIELD_NAME(reason, "why it counts or does not", .flags = FIELD_NULL_EMPTY),
    FIELD_PART(const struct meter_domain *, state, &domain_state_fields, FIELD_BEHIND),
    FIELD_PART(const struct domain *, domain, &domain_range_fields, FIELD_BEHIND),
    FIELD_QUALITY(quality, "how its figures come about"),
    FIELD_OBJECT(struct error, problem, &refusal_fields, "why it cannot be read; null where it can",
                 .flags = FIELD_NULLABLE),
    FIELD_PART(const struct domain *, domain, &domain_counter_fields, FIELD_BEHIND),
    FIELD_PART(const struct meter_domain *, state, &domain_counts_fields, FIELD_BEHIND),
    FIELD_BOOL(at_least, "a part of its time is not known: gross_j is a lower bound, and net_j null",
               .flags = FIELD_LATER),
    FIELD_PART(const struct domain_energy *, energy, &energy_fields, FIELD_BEHIND),
    FIELD_PART(const struct domain_energy *, energy, &gpu_own_fields, FIELD_BEHIND),
    FIELD_NUMBER(slope_w, "of a modelled domain, the watts that each busy CPU adds to it at the load that the runs "
                          "met; null of all else"),
});
#undef OF

#define OF struct refusal_view
const struct fields refused_fields = FIELDS_NAMED("unused", "a source that is not used, and why")({
    FIELD_NAME(source, "the source that is not used", .flags = FIELD_FULL),
    FIELD_PART(struct error, error, &refusal_fields, 0),
});
#undef OF

static struct error as_refusal(const struct error *error)
{
    struct error refusal = *error;

    refusal.notice = notice_kind_of_refusal(error);
    return refusal;
}

void record_domains(struct tree_node array, const void *of)
{
    const struct report *report = of;
    const struct measurement *measurement = report->measurement;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct meter_domain *state = &measurement->meter->domains[i];
        const struct domain_view view = {
            .domain = state->domain,
            .state = state,
            .energy = &report->summary.domains[i],
            .source = state->source->driver->name,
            .reason = measurement->counting->reason[i],
            .counted = measurement->counting->is_counted[i],
            .at_least = domain_is_at_least(measurement, i),
            .quality = state->doubted ? QUALITY_UNKNOWN : state->domain->quality,
            .problem = as_refusal(&state->domain->problem),
            .slope_w = report->summary.own_basis.slope_w[i],
        };
        fields_json(tree_object(array, NULL), &domain_fields, &view);
    }
}

void record_refused(struct tree_node array, const void *of)
{
    const struct meter *meter = ((const struct report *)of)->measurement->meter;

    for (size_t i = 0; i < meter->refusal_count; i++) {
        const struct refusal_view view = { meter->refusals[i].driver->name, as_refusal(&meter->refusals[i].error) };
        fields_json(tree_object(array, NULL), &refused_fields, &view);
    }
}
