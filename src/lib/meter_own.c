/* SPDX-License-Identifier: MIT
 * What of a piece was the process's own: of what is modelled its CPU time by the watts of a busy CPU, of what is
 * metered net. docs/METHOD.md, "Pieces of a program". */
#include "lib/meter_parts.h"

#include "base/clock.h"
#include "base/units.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

/* A load in a mark; 0: it is not known. */
#define LOAD_PARTS 1e6

#define MS_PER_S 1e3
#define NS_PER_MS UINT64_C(1000000)

/* Children count when they are waited for, all at once. */
static uint64_t process_cpu_ns(void)
{
    struct rusage children;

    if (getrusage(RUSAGE_CHILDREN, &children) != 0)
        return clock_cpu_ns();
    return clock_cpu_ns() + clock_ns_of(&children.ru_utime) + clock_ns_of(&children.ru_stime);
}

void own_add_to_mark(const carbon_meter *meter, carbon_mark *mark)
{
    mark->process = meter->process;
    mark->cpu_ns = process_cpu_ns();
    mark->load = isnan(meter->recent.load) ? 0 : 1 + (uint32_t)(meter->recent.load * LOAD_PARTS);
    mark->load_ms = (uint32_t)(uint64_t)(load_sum_s(meter, mark->time_ns) * MS_PER_S);
}

/* Of the piece; where that is too short for ticks, or so long that the sum went round, of the last time before its end
 * that was neither. */
static double load_between(const carbon_mark *start, const carbon_mark *end)
{
    const uint64_t lasts_ns = end->time_ns - start->time_ns;

    if (!end->load)
        return NAN;
    if (lasts_ns < LOAD_MIN_NS || lasts_ns / NS_PER_MS > UINT32_MAX)
        return (end->load - 1) / LOAD_PARTS;
    return fmin(1, (uint32_t)(end->load_ms - start->load_ms) / MS_PER_S / s_from_ns(lasts_ns));
}

static carbon_own nothing(void)
{
    return (carbon_own){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, "unknown" };
}

/* Of a metered component: all beyond its idle, at most all. */
static void add_metered(const carbon_meter *meter, const carbon_energy *used, unsigned c, carbon_own *own)
{
    const double idle_w = isnan(meter->idle_w) ? NAN : meter->component_idle_w[c];
    const double net_j = used->component_j[c] - idle_w * used->seconds;

    own->joules += net_j;
    own->low_j += net_j;
    own->high_j += isnan(net_j) ? used->component_j[c] : net_j;
}

static void add_modelled(const carbon_meter *meter, const struct domain *domain, double load, carbon_own *own)
{
    const double slope_w = isnan(load) ? NAN : domain_slope_w(domain, load, machine_stat_cpus(&meter->machine));
    const double own_j = slope_w * own->cpu_s;
    const struct interval ratios = domain_slope_ratios(domain);

    own->joules += own_j;
    own->low_j += own_j * ratios.low;
    own->high_j += own_j * ratios.high;
}

static void work_out(const carbon_meter *meter, double load, const carbon_energy *used, carbon_own *own)
{
    bool has_metered[CARBON_COMPONENTS] = { false };

    own->joules = own->low_j = own->high_j = 0;
    own->method = "net";
    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct domain *domain = counted_domain(meter, i);
        const unsigned c = meter->counted[i].component;
        if (domain->quality == QUALITY_MODELLED) {
            add_modelled(meter, domain, load, own);
            own->method = "cpu-time";
        } else if (!has_metered[c]) {
            add_metered(meter, used, c, own);
            has_metered[c] = true;
        }
    }
    if (isnan(own->joules))
        own->method = "unknown";
    else if (own->low_j == own->high_j)
        own->low_j = own->high_j = NAN;
}

void carbon_own_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_own *own,
                              size_t size)
{
    const carbon_energy used = carbon_between(meter, *start, *end);
    const carbon_facts *facts = &meter->facts;
    carbon_own worked = nothing();
    struct footprint footprint;

    meter_lock(meter);
    if (marks_are_in_order(meter, start, end))
        worked.seconds = used.seconds;
    if (marks_are_in_order(meter, start, end) && start->process == end->process && start->process == meter->process &&
        meter->counted_count) {
        worked.cpu_s = s_from_ns(end->cpu_ns - start->cpu_ns);
        work_out(meter, load_between(start, end), &used, &worked);
    }
    meter_unlock(meter);
    footprint = footprint_of(worked.joules, facts->pue, facts->kgco2eq_per_kwh);
    worked.kwh = footprint.it_kwh;
    worked.kgco2eq = footprint.kgco2eq;
    memset(own, 0, size);
    memcpy(own, &worked, size < sizeof worked ? size : sizeof worked);
}
