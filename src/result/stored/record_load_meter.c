/* SPDX-License-Identifier: MIT
 * The meter of a record, with its domains and which of them count. */
#include "result/stored/record_load.h"

#include "base/text.h"
#include "io/json_read.h"
#include "result/energy_fields.h"
#include "result/record_fields.h"

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
    const struct cJSON *problem = DOMAIN_ITEM(node, problem);
    const size_t i = loaded->meter.domain_count;
    struct domain *domain = &loaded->domains[i];
    struct meter_domain *state = &loaded->meter.domains[i];

    state->domain = domain;
    state->source = record_load_source(loaded, json_text(DOMAIN_ITEM(node, source)));
    fields_take(node, &domain_name_fields, domain);
    fields_take(node, &domain_place_fields, domain);
    fields_take(node, &domain_range_fields, domain);
    fields_take(node, &domain_counter_fields, domain);
    fields_take(node, &domain_state_fields, state);
    fields_take(node, &domain_counts_fields, state);
    if (!state->source ||
        strcmp(component_name(domain->component),
               json_text(FIELD_ITEM(node, domain_place_fields, struct domain, component))) != 0 ||
        json_kind(FIELD_ITEM(node, domain_state_fields, struct meter_domain, moved)) != JSON_BOOL ||
        json_kind(FIELD_ITEM(node, domain_range_fields, struct domain, low_ratio)) != JSON_NUMBER)
        return false;
    domain->quality = quality_of(json_text(DOMAIN_ITEM(node, quality)));
    if (json_kind(problem) == JSON_OBJECT)
        domain->problem = record_load_error(problem);
    domain->slope_w = json_number(DOMAIN_ITEM(node, slope_w));
    domain->slope_known = !isnan(domain->slope_w);
    loaded->counting.is_counted[i] = json_truth(DOMAIN_ITEM(node, counted));
    loaded->counting.counted += loaded->counting.is_counted[i];
    TAKE(loaded->counting.reason[i], DOMAIN_ITEM(node, reason));
    loaded->meter.domain_count++;
    return true;
}

static void take_whole_machine(struct loaded_record *loaded)
{
    const char *source = json_text(RECORD_MADE(loaded->document, record_whole_machine_source));
    struct counting *counting = &loaded->counting;

    counting->fallback_to_machine = json_truth(RECORD_MADE(loaded->document, record_falls_back));
    counting->whole_machine = -1;
    TAKE(counting->whole_machine_name, RECORD_MADE(loaded->document, record_whole_machine));
    for (size_t i = 0; i < loaded->meter.domain_count && counting->whole_machine < 0; i++)
        if (strcmp(loaded->meter.domains[i].source->driver->name, source) == 0)
            counting->whole_machine = (int)i;
}

bool record_load_meter(struct loaded_record *loaded, const char *path, struct error *err)
{
    const struct cJSON *domains = RECORD_MADE(loaded->document, record_domains);
    const struct cJSON *refused = RECORD_MADE(loaded->document, record_refused);
    struct meter *meter = &loaded->meter;

    meter->machine = &loaded->machine;
    if (json_count(domains) > ENERGY_MAX_DOMAINS || json_count(refused) > METER_MAX_SOURCES)
        return record_load_fail(path, "domains", err);
    for (const struct cJSON *node = json_first(domains); node; node = json_next(node))
        if (!take_domain(loaded, node))
            return record_load_fail(path, "domains", err);
    for (const struct cJSON *node = json_first(refused); node; node = json_next(node)) {
        struct refusal *refusal = &meter->refusals[meter->refusal_count++];
        refusal->driver =
            driver_named(loaded, json_text(FIELD_ITEM(node, refused_fields, struct refusal_view, source)));
        refusal->error = record_load_error(node);
        if (!refusal->driver)
            return record_load_fail(path, "refused", err);
    }
    take_whole_machine(loaded);
    return true;
}
