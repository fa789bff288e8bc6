/* SPDX-License-Identifier: MIT
 * The basis of a meter, its warnings, and texts for numbers. */
#include "lib/meter_parts.h"

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void publish_texts(const struct notice *notice, carbon_error *error)
{
    snprintf(error->what, sizeof error->what, "%s", notice->what);
    snprintf(error->why, sizeof error->why, "%s", notice->why);
    snprintf(error->fix, sizeof error->fix, "%s", notice->fix);
}

void error_publish(const struct error *err, carbon_error *error)
{
    const struct notice texts = notice_of_error(err);

    if (!error)
        return;
    error->kind = (carbon_error_kind)err->kind;
    publish_texts(&texts, error);
}

static uint64_t slowest_update_ns(const carbon_meter *meter)
{
    uint64_t update_ns = 0;

    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct domain *domain = meter->meter.domains[meter->counted[i].domain].domain;
        update_ns = domain->update_ns > update_ns ? domain->update_ns : update_ns;
    }
    return update_ns;
}

/* "powercap, nvml": those that have a domain that counts. */
static void name_sources(carbon_meter *meter)
{
    const struct energy_driver *last = NULL;

    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct energy_driver *driver = meter->meter.domains[meter->counted[i].domain].source->driver;
        const size_t length = strlen(meter->sources);
        if (driver != last)
            snprintf(meter->sources + length, sizeof meter->sources - length, "%s%s", length ? ", " : "", driver->name);
        last = driver;
    }
}

static void fill_counted(carbon_meter *meter)
{
    carbon_facts *facts = &meter->facts;

    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct domain *domain = meter->meter.domains[meter->counted[i].domain].domain;
        facts->components |= 1U << meter->counted[i].component;
        if ((int)domain->quality > (int)facts->quality)
            facts->quality = (carbon_quality)domain->quality;
    }
}

/* Behind the last one, unless one with the same `what` is there. False: no memory. */
static bool publish(carbon_meter *meter, const struct notice *notice)
{
    struct published_notice *own = calloc(1, sizeof *own), *there;
    _Atomic(struct published_notice *) *end = &meter->notices;

    if (!own)
        return false;
    publish_texts(notice, &own->texts);
    own->kind = notice->kind;
    while ((there = *end) && strcmp(there->texts.what, own->texts.what) != 0)
        end = &there->next;
    if (there)
        free(own);
    else
        *end = own; /* now others may read it */
    return true;
}

bool facts_add_notices(carbon_meter *meter, const struct notices *notices)
{
    bool added = true;

    for (size_t i = 0; i < notices->count && added; i++)
        added = publish(meter, &notices->item[i]);
    return added;
}

void facts_close(carbon_meter *meter)
{
    for (struct published_notice *notice = meter->notices, *next; notice; notice = next) {
        next = notice->next;
        free(notice);
    }
    meter->notices = NULL;
}

bool facts_fill(carbon_meter *meter, const struct notices *notices, double pue, struct error *err)
{
    const struct factor *factor = &meter->factor;

    name_sources(meter);
    meter->facts = (carbon_facts){
        .kgco2eq_per_kwh = factor->kgco2eq_per_kwh,
        .pue = pue,
        .factor_quality = (carbon_quality)factor->quality,
        .factor_year = factor->year,
        .zone = factor->zone,
        .zone_name = factor->zone_name,
        .basis = factor_basis_name(factor->basis),
        .factor_source = factor->source,
        .sources = meter->sources,
        .incomplete = meter->counting.incomplete,
        .keep_alive_ns = meter_keep_alive_ns(&meter->meter),
        .update_ns = slowest_update_ns(meter),
        .sample_ns = meter->taken.interval_ns,
    };
    fill_counted(meter);
    meter->facts.scope = scope_name(meter->facts.components == 1U << CARBON_MACHINE     ? SCOPE_MACHINE
                                    : meter->facts.components & (1U << CARBON_PLATFORM) ? SCOPE_PLATFORM
                                                                                        : SCOPE_COMPUTE);
    return facts_add_notices(meter, notices) || error_errno(err, "cannot open a meter");
}

const carbon_facts *carbon_about(const carbon_meter *meter)
{
    return &meter->facts;
}

/* NULL: there are not so many. */
static const struct published_notice *published(const carbon_meter *meter, size_t index)
{
    const struct published_notice *notice = meter->notices;

    while (notice && index--)
        notice = notice->next;
    return notice;
}

const carbon_error *carbon_notice(const carbon_meter *meter, size_t index)
{
    const struct published_notice *notice = published(meter, index);

    return notice ? &notice->texts : NULL;
}

const char *carbon_notice_kind(const carbon_meter *meter, size_t index)
{
    const struct published_notice *notice = published(meter, index);

    return notice ? notice_kind_name(notice->kind) : NULL;
}

const char *carbon_version(void)
{
    return PACKAGE_VERSION;
}

const char *carbon_quality_name(carbon_quality quality)
{
    return (int)quality >= 0 && quality <= CARBON_DEFAULT ? quality_name((enum quality)quality) : "";
}

const char *carbon_component_name(carbon_component component)
{
    switch (component) {
    case CARBON_MACHINE: return component_name(COMPONENT_MACHINE);
    case CARBON_PLATFORM: return component_name(COMPONENT_PLATFORM);
    case CARBON_PACKAGE: return component_name(COMPONENT_PACKAGE);
    case CARBON_MEMORY: return component_name(COMPONENT_MEMORY);
    case CARBON_GPU: return component_name(COMPONENT_GPU);
    }
    return "";
}

const char *carbon_doubt_text(unsigned doubt)
{
    switch (doubt) {
    case CARBON_DOUBT_MARKS: return "the marks are another meter's, or in the wrong order";
    case CARBON_DOUBT_UNREAD: return "a counter could not be read at the start or the end";
    case CARBON_DOUBT_RESET: return "a counter was reset in between";
    case CARBON_DOUBT_LOST:
        return "a source was lost, was stuck or reported impossible values, or the machine was suspended";
    case CARBON_DOUBT_GAP: return "the gap between readings was longer than the wrap time";
    case CARBON_DOUBT_STILL: return "a counter has never moved";
    case CARBON_DOUBT_IMPOSSIBLE: return "more power than there can be";
    case CARBON_DOUBT_FORKED: return "a source serves the process alone that opened it, and this is a child of it";
    case CARBON_DOUBT_CONTRADICTED: return "a counted meter repeats or contradicts another one";
    case CARBON_DOUBT_RESOLUTION: return "below the resolution of the meter";
    case CARBON_DOUBT_INCOMPLETE: return "something that belongs to the total is not in it";
    case CARBON_DOUBT_SELDOM: return "a sensor of power was read far too seldom";
    case CARBON_DOUBT_INTERPOLATED: return "interpolated between two readings";
    default: return "";
    }
}
