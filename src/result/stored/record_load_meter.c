/* SPDX-License-Identifier: MIT
 * The meter of a record, with its domains and which of them count. */
#include "result/stored/record_load.h"

#include "base/text.h"
#include "io/json_read.h"
#include "result/energy_fields.h"

#include <math.h>
#include <string.h>

/* One for each name; NULL: more than any meter has. */
static const struct energy_driver *driver_named(struct loaded_record *loaded, const char *name)
{
    struct energy_driver *driver = loaded->drivers;

    while (driver < loaded->drivers + loaded->driver_count && strcmp(driver->name, name) != 0)
        driver++;
    if (driver == loaded->drivers + RECORD_LOAD_MAX_DRIVERS)
        return NULL;
    if (driver == loaded->drivers + loaded->driver_count) {
        loaded->driver_count++;
        *driver = (struct energy_driver){ .name = name };
    }
    return driver;
}

const struct energy_source *record_load_source(struct loaded_record *loaded, const char *name)
{
    struct meter *meter = &loaded->meter;
    const struct energy_driver *driver = driver_named(loaded, name);
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

static bool take_domain(struct loaded_record *loaded, const struct cJSON *node)
{
    const size_t i = loaded->meter.domain_count;
    struct domain *domain = &loaded->domains[i];
    struct meter_domain *state = &loaded->meter.domains[i];

    state->domain = domain;
    state->source = record_load_source(loaded, json_text_of(node, "source"));
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
        domain->problem = record_load_error(json_member(node, "problem"));
    domain->slope_w = json_number_of(node, "slope_w");
    domain->slope_known = !isnan(domain->slope_w);
    loaded->counting.is_counted[i] = json_is_true(node, "counted");
    loaded->counting.counted += loaded->counting.is_counted[i];
    TAKE(loaded->counting.reason[i], node, "reason");
    loaded->meter.domain_count++;
    return true;
}

static void take_whole_machine(struct loaded_record *loaded)
{
    const struct cJSON *node = json_member(loaded->document, "whole_machine");
    struct counting *counting = &loaded->counting;

    counting->fallback_to_machine = json_is_true(loaded->document, "stands_in");
    counting->whole_machine = -1;
    TAKE(counting->whole_machine_name, node, "name");
    for (size_t i = 0; i < loaded->meter.domain_count && counting->whole_machine < 0; i++)
        if (strcmp(loaded->meter.domains[i].source->driver->name, json_text_of(node, "source")) == 0)
            counting->whole_machine = (int)i;
}

bool record_load_meter(struct loaded_record *loaded, const char *path, struct error *err)
{
    const struct cJSON *domains = json_member(loaded->document, "domains");
    const struct cJSON *refused = json_member(loaded->document, "refused");
    struct meter *meter = &loaded->meter;

    meter->machine = &loaded->machine;
    if (json_count(domains) > ENERGY_MAX_DOMAINS || json_count(refused) > METER_MAX_SOURCES)
        return record_load_fail(path, "domains", err);
    for (const struct cJSON *node = json_first(domains); node; node = json_next(node))
        if (!take_domain(loaded, node))
            return record_load_fail(path, "domains", err);
    for (const struct cJSON *node = json_first(refused); node; node = json_next(node)) {
        struct refusal *refusal = &meter->refusals[meter->refusal_count++];
        refusal->driver = driver_named(loaded, json_text_of(node, "source"));
        refusal->error = record_load_error(node);
        if (!refusal->driver)
            return record_load_fail(path, "refused", err);
    }
    take_whole_machine(loaded);
    return true;
}
