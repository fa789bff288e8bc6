/* SPDX-License-Identifier: MIT
 * How busy the machine is, by the power that its modelled domains tell. */
#include "lib/meter.h"

#include "base/units.h"
#include "power/power_curve.h"

/* So often halved, a load is exact to a millionth. */
enum { HALVINGS = 20 };

bool is_by_load(const struct domain *domain)
{
    return domain->quality == QUALITY_MODELLED && domain->curve;
}

const struct domain *counted_domain(const carbon_meter *meter, size_t i)
{
    return meter->meter.domains[meter->counted[i].domain].domain;
}

/* What the modelled domains that count draw at this load. */
static double modelled_w(const carbon_meter *meter, double load)
{
    double sum_w = 0;

    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct domain *domain = counted_domain(meter, i);
        if (is_by_load(domain))
            sum_w += domain->curve_factor * curve_w(domain->curve, load);
    }
    return sum_w;
}

double load_of(const carbon_meter *meter, double w)
{
    double low = 0, high = 1;

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (modelled_w(meter, middle) < w)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void load_take(carbon_meter *meter, const struct sample *sample)
{
    struct recent_load *recent = &meter->recent;
    uint64_t now_uj = 0;

    for (size_t i = 0; i < meter->counted_count; i++)
        if (is_by_load(counted_domain(meter, i)))
            now_uj += sample->energy_uj[meter->counted[i].domain];
    if (recent->since_ns && sample->time_ns - recent->since_ns < LOAD_LEAST_NS)
        return;
    if (recent->since_ns && now_uj > recent->since_uj)
        recent->load =
            load_of(meter, j_from_uj(now_uj - recent->since_uj) / s_from_ns(sample->time_ns - recent->since_ns));
    recent->since_ns = sample->time_ns;
    recent->since_uj = now_uj;
}
