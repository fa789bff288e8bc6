/* SPDX-License-Identifier: MIT
 * The load of the machine, from the ticks of its modelled domains. */
#include "lib/meter_parts.h"

#include "base/units.h"

#include <math.h>

bool is_by_load(const struct domain *domain)
{
    return domain->quality == QUALITY_MODELLED && domain->curve;
}

const struct domain *counted_domain(const carbon_meter *meter, size_t i)
{
    return meter->meter.domains[meter->counted[i].domain].domain;
}

/* NULL: none that counts is by load. */
static const struct ticks *ticks_now(const carbon_meter *meter)
{
    for (size_t i = 0; i < meter->counted_count; i++)
        if (is_by_load(counted_domain(meter, i)))
            return counted_domain(meter, i)->load;
    return NULL;
}

/* NAN: they did not change, or went back. */
static double load_since(const struct recent_load *recent, const struct ticks *now)
{
    if (now->all <= recent->since.all || now->busy < recent->since.busy)
        return NAN;
    return (double)(now->busy - recent->since.busy) / (double)(now->all - recent->since.all);
}

void load_take(carbon_meter *meter, const struct sample *sample)
{
    struct recent_load *recent = &meter->recent;
    const struct ticks *now = ticks_now(meter);
    const uint64_t lasts_ns = sample->time_ns - recent->since_ns;
    double load;

    if (!now || (recent->since_ns && lasts_ns < LOAD_MIN_NS))
        return;
    load = recent->since_ns ? load_since(recent, now) : NAN;
    if (!isnan(load))
        recent->load = load;
    if (recent->since_ns && !isnan(recent->load))
        recent->loaded_ns += recent->load * (double)lasts_ns;
    recent->since_ns = sample->time_ns;
    recent->since = *now;
}

double load_sum_s(const carbon_meter *meter, uint64_t time_ns)
{
    const struct recent_load *recent = &meter->recent;
    const struct ticks *now = ticks_now(meter);
    double load = now && recent->since_ns ? load_since(recent, now) : NAN;

    if (isnan(load))
        load = isnan(recent->load) ? 0 : recent->load;
    return (recent->loaded_ns + load * (double)(time_ns - recent->since_ns)) / NS_PER_S;
}
