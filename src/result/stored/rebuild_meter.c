/* SPDX-License-Identifier: MIT
 * The meter of a record, with its domains and which of them count. */
#include "result/stored/rebuild.h"

#include "base/text.h"
#include "io/json_read.h"
#include "result/energy_fields.h"

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

static bool take_domain(struct rebuilt *rebuilt, const struct cJSON *node)
{
    const size_t i = rebuilt->meter.domain_count;
    struct domain *domain = &rebuilt->domains[i];
    struct meter_domain *state = &rebuilt->meter.domains[i];

    state->domain = domain;
    state->source = rebuild_source(rebuilt, json_text_of(node, "source"));
    fields_take(node, &domain_name_fields, domain);
    fields_take(node, &domain_place_fields, domain);
    fields_take(node, &domain_range_fields, domain);
    fields_take(node, &domain_counter_fields, domain);
    fields_take(node, &domain_state_fields, state);
    fields_take(node, &domain_counts_fields, state);
    if (!state->source || strcmp(component_name(domain->component), json_text_of(node, "component")) != 0 ||
        json_kind(json_member(node, "moved")) != JSON_BOOL || json_kind(json_member(node, "low_ratio")) != JSON_NUMBER)
        return false;
    domain->quality = quality_of(json_text_of(node, "quality"));
    if (json_kind(json_member(node, "problem")) == JSON_OBJECT)
        domain->problem = rebuild_error(json_member(node, "problem"));
    domain->slope_w = json_number_of(node, "slope_w");
    domain->slope_known = !isnan(domain->slope_w);
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
