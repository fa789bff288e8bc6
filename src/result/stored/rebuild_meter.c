/* SPDX-License-Identifier: MIT
 * The meter of a record, with its domains and which of them count. */
#include "result/stored/rebuild.h"

#include "base/text.h"
#include "io/json_read.h"

#include <math.h>
#include <string.h>

/* One for each name; NULL: more than any meter has. */
static const struct energy_driver *driver_named(struct rebuilt *rebuilt, const char *name)
{
    struct energy_driver *driver = rebuilt->drivers;

    while (driver < rebuilt->drivers + rebuilt->driver_count && strcmp(driver->name, name) != 0)
        driver++;
    if (driver == rebuilt->drivers + REBUILD_MAX_DRIVERS)
        return NULL;
    if (driver == rebuilt->drivers + rebuilt->driver_count) {
        rebuilt->driver_count++;
        *driver = (struct energy_driver){ .name = name };
    }
    return driver;
}

const struct energy_source *rebuild_source(struct rebuilt *rebuilt, const char *name)
{
    struct meter *meter = &rebuilt->meter;
    const struct energy_driver *driver = driver_named(rebuilt, name);
    size_t i = 0;

    while (i < meter->source_count && meter->sources[i].driver != driver)
        i++;
    if (!driver || i == METER_MAX_SOURCES)
        return NULL;
    if (i == meter->source_count) {
        meter->source_count++;
        meter->sources[i].driver = driver;
    }
    return &meter->sources[i];
}

static bool component_of(const char *name, enum component *component)
{
    for (*component = 0; *component < COMPONENT_COUNT; ++*component)
        if (strcmp(component_name(*component), name) == 0)
            return true;
    return false;
}

static bool take_domain(struct rebuilt *rebuilt, const struct cJSON *node)
{
    const size_t i = rebuilt->meter.domain_count;
    struct domain *domain = &rebuilt->domains[i];
    struct meter_domain *state = &rebuilt->meter.domains[i];
    const double most_w = json_number_of(node, "most_w");

    state->domain = domain;
    state->source = rebuild_source(rebuilt, json_text_of(node, "source"));
    if (!state->source || !component_of(json_text_of(node, "component"), &domain->component) ||
        json_kind(json_member(node, "moved")) != JSON_BOOL || json_kind(json_member(node, "low_ratio")) != JSON_NUMBER)
        return false;
    TAKE(domain->name, node, "name");
    TAKE(domain->path, node, "path");
    domain->package = rebuild_natural(node, "package");
    domain->die = rebuild_natural(node, "die");
    domain->quality = quality_of(json_text_of(node, "quality"));
    if (json_kind(json_member(node, "problem")) == JSON_OBJECT)
        domain->problem = rebuild_error(json_member(node, "problem"));
    domain->wraps_at_uj = rebuild_positive(node, "wraps_at_uj");
    domain->wrap_unknown = json_is_true(node, "wrap_unknown");
    domain->resolution_uj = rebuild_positive(node, "resolution_uj");
    domain->update_ns = rebuild_ns(json_number_of(node, "update_s"));
    domain->most_w = isnan(most_w) ? 0 : most_w;
    domain->most_from = most_from_of(json_text_of(node, "most_from"));
    domain->low_ratio = json_number_of(node, "low_ratio");
    domain->high_ratio = json_number_of(node, "high_ratio");
    domain->slope_w = json_number_of(node, "slope_w");
    domain->slope_known = !isnan(domain->slope_w);
    domain->slope_high_ratio = fmax(0, json_number_of(node, "slope_high_ratio"));
    domain->slope_low_ratio = domain->slope_high_ratio > 0 ? json_number_of(node, "slope_low_ratio") : 0;
    state->moved = json_is_true(node, "moved");
    state->doubted = json_is_true(node, "doubted");
    state->wraps = (unsigned)rebuild_positive(node, "wraps");
    state->resets = (unsigned)rebuild_positive(node, "resets");
    state->missed_reads = (unsigned)rebuild_positive(node, "missed_reads");
    state->ambiguous_gaps = (unsigned)rebuild_positive(node, "ambiguous_gaps");
    state->lost = (unsigned)rebuild_positive(node, "lost");
    state->lost_ns = rebuild_ns(json_number_of(node, "lost_s"));
    state->unwatched_ns = rebuild_ns(json_number_of(node, "unwatched_s"));
    rebuilt->counting.counts[i] = json_is_true(node, "counted");
    rebuilt->counting.counted += rebuilt->counting.counts[i];
    TAKE(rebuilt->counting.reason[i], node, "reason");
    rebuilt->meter.domain_count++;
    return true;
}

static void take_whole_machine(struct rebuilt *rebuilt)
{
    const struct cJSON *node = json_member(rebuilt->document, "whole_machine");
    struct counting *counting = &rebuilt->counting;

    counting->stands_in = json_is_true(rebuilt->document, "stands_in");
    counting->whole_machine = -1;
    TAKE(counting->whole_machine_name, node, "name");
    for (size_t i = 0; i < rebuilt->meter.domain_count && counting->whole_machine < 0; i++)
        if (strcmp(rebuilt->meter.domains[i].source->driver->name, json_text_of(node, "source")) == 0)
            counting->whole_machine = (int)i;
}

bool rebuild_meter(struct rebuilt *rebuilt, const char *path, struct error *err)
{
    const struct cJSON *domains = json_member(rebuilt->document, "domains");
    const struct cJSON *refused = json_member(rebuilt->document, "refused");
    struct meter *meter = &rebuilt->meter;

    meter->machine = &rebuilt->machine;
    if (json_count(domains) > ENERGY_MAX_DOMAINS || json_count(refused) > METER_MAX_SOURCES)
        return rebuild_refuse(path, "domains", err);
    for (const struct cJSON *node = json_first(domains); node; node = json_next(node))
        if (!take_domain(rebuilt, node))
            return rebuild_refuse(path, "domains", err);
    for (const struct cJSON *node = json_first(refused); node; node = json_next(node)) {
        struct refusal *refusal = &meter->refusals[meter->refusal_count++];
        refusal->driver = driver_named(rebuilt, json_text_of(node, "source"));
        refusal->error = rebuild_error(node);
        if (!refusal->driver)
            return rebuild_refuse(path, "refused", err);
    }
    take_whole_machine(rebuilt);
    return true;
}
