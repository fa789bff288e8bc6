/* SPDX-License-Identifier: MIT
 * The domains of a split are those that the scopes would count, so that nothing is in it twice. */
#include "measurement/part_watts.h"

#include "base/units.h"
#include "measurement/idle.h"

#include <math.h>
#include <stdio.h>

static void add_domain(const struct meter *meter, size_t domain, enum breakdown_domain as,
                       struct breakdown_meter *split)
{
    const struct domain *about = meter->domains[domain].domain;

    split->in[as][domain] = true;
    if (about->quality > split->quality[as])
        split->quality[as] = about->quality;
    if (about->update_ns > split->update_ns[as])
        split->update_ns[as] = about->update_ns;
}

static void take_components(const struct meter *meter, struct breakdown_meter *split)
{
    AUTO_NOTICES struct notices ignored = { .count = 0 };
    struct counting counting;

    if (!scope_count(meter, SCOPE_COMPUTE, &counting, &ignored, NULL))
        return;
    for (size_t i = 0; i < meter->domain_count; i++) {
        const enum component component = meter->domains[i].domain->component;
        if (!counting.is_counted[i])
            continue;
        if (component == COMPONENT_PACKAGE)
            add_domain(meter, i, BREAKDOWN_PACKAGE, split);
        else if (component == COMPONENT_MEMORY)
            add_domain(meter, i, BREAKDOWN_MEMORY, split);
        else if (component == COMPONENT_GPU)
            add_domain(meter, i, BREAKDOWN_GPU, split);
    }
}

/* False: there is none. */
static bool take_whole(const struct meter *meter, enum scope scope, struct breakdown_meter *split)
{
    AUTO_NOTICES struct notices ignored = { .count = 0 };
    struct counting counting;

    if (!scope_count(meter, scope, &counting, &ignored, NULL))
        return false;
    for (size_t i = 0; i < meter->domain_count; i++)
        if (counting.is_counted[i])
            add_domain(meter, i, BREAKDOWN_MACHINE, split);
    return true;
}

void breakdown_meter_of(const struct meter *meter, struct breakdown_meter *split)
{
    *split = (struct breakdown_meter){ .platform = false };
    take_components(meter, split);
    if (!take_whole(meter, SCOPE_MACHINE, split))
        split->platform = take_whole(meter, SCOPE_PLATFORM, split);
}

void breakdown_meter_name(const struct breakdown_meter *split, const struct meter *meter, enum breakdown_domain as,
                          char *names, size_t size)
{
    enum { SHOWN = 4 };
    const char *driver = NULL;
    size_t count = 0, length = 0;

    names[0] = '\0';
    for (size_t i = 0; i < meter->domain_count; i++) {
        if (!split->in[as][i])
            continue;
        driver = driver ? driver : meter->domains[i].source->driver->name;
        if (count++ < SHOWN && length < size)
            length += (size_t)snprintf(names + length, size - length, "%s%.48s", length ? " + " : "",
                                       meter->domains[i].domain->name);
    }
    if (count > SHOWN && length < size)
        length += (size_t)snprintf(names + length, size - length, " + %zu more", count - SHOWN);
    if (driver && length < size)
        snprintf(names + length, size - length, " (%s)", driver);
}

void split_watts(const struct breakdown_meter *split, const struct measurement *measurement, const struct run *run,
                 double gross_w[BREAKDOWN_DOMAINS], double net_w[BREAKDOWN_DOMAINS])
{
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);
    const double duration_s = s_from_ns(run->window.duration_ns);

    for (size_t as = 0; as < BREAKDOWN_DOMAINS; as++) {
        const bool tells =
            split->quality[as] != QUALITY_UNKNOWN && run->window.duration_ns >= RATE_UPDATES * split->update_ns[as];
        double gross_j = tells ? 0 : NAN, net_j = gross_j;
        for (size_t i = 0; i < measurement->meter->domain_count; i++) {
            struct energies energies;
            if (!split->in[as][i])
                continue;
            energies = domain_energies(measurement, &neighbours, &run->window, i);
            gross_j += run->window.unknown_ns[i] ? NAN : energies.gross_j;
            net_j += energies.net_j;
        }
        gross_w[as] = gross_j / duration_s;
        net_w[as] = net_j / duration_s;
    }
}
