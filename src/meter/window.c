/* SPDX-License-Identifier: MIT
 * Windows, and the values of each for a single domain. */
#include "meter/window.h"

#include "base/clock.h"
#include "base/units.h"
#include "power/power_curve.h"

#include <math.h>

/* Where a curve begins is its slope told from. */
#define MIN_LOAD 0.01

struct window window_between(const struct sample *start, const struct sample *end)
{
    struct window window = { .start_ns = start->time_ns, .duration_ns = end->time_ns - start->time_ns };

    window.suspended_ns = clock_slept_ns(end->boottime_ns - start->boottime_ns, window.duration_ns);
    window.span_ns = start->span_ns > end->span_ns ? start->span_ns : end->span_ns;
    for (size_t i = 0; i < ENERGY_MAX_DOMAINS; i++) {
        const struct stretch stretch = stretch_between(start, end, i);
        window.energy_uj[i] = stretch.energy_uj;
        window.known[i] = stretch.read;
        /* a counter that is found to be frozen has been so since before the window began */
        window.unknown_ns[i] = clock_earlier_ns(stretch.unknown_ns, window.duration_ns);
        window.hole[i] = (uint8_t)stretch.hole;
    }
    return window;
}

void window_join(struct window *whole, const struct window *next, size_t domain_count)
{
    for (size_t i = 0; i < domain_count; i++) {
        whole->energy_uj[i] += next->energy_uj[i];
        whole->known[i] &= next->known[i];
        whole->unknown_ns[i] += next->unknown_ns[i];
    }
    whole->duration_ns += next->duration_ns;
    whole->machine_busy_ns += next->machine_busy_ns;
    whole->machine_lost_ns += next->machine_lost_ns;
    whole->machine_busy_known &= next->machine_busy_known;
    whole->mask_busy_ns += next->mask_busy_ns;
    whole->mask_cpus = whole->mask_cpus == next->mask_cpus ? whole->mask_cpus : 0;
    whole->carbon_busy_ns += next->carbon_busy_ns;
    if (next->span_ns > whole->span_ns)
        whole->span_ns = next->span_ns;
}

uint64_t window_known_ns(const struct window *window, size_t domain)
{
    return known_ns_of(window->duration_ns, window->unknown_ns[domain]);
}

double figure_j(const struct domain *domain, uint64_t energy_uj)
{
    return domain_figure_ratio(domain) * j_from_uj(energy_uj);
}

double domain_slope_w(const struct domain *domain, double load, double cpus)
{
    const double at = fmin(fmax(load, MIN_LOAD), 1);

    if (!domain->curve)
        return domain->slope_known ? domain->slope_w : NAN;
    return domain_figure_ratio(domain) * domain->curve_factor *
           (curve_w(domain->curve, at) - curve_w(domain->curve, 0)) / (at * cpus);
}

struct interval domain_slope_ratios(const struct domain *domain)
{
    const bool is_its_own = domain->slope_high_ratio > 0;
    const double ratio = domain_figure_ratio(domain);

    return (struct interval){
        .low = (is_its_own ? domain->slope_low_ratio : domain->low_ratio) / ratio,
        .high = (is_its_own ? domain->slope_high_ratio : domain->high_ratio) / ratio,
    };
}

double window_w(const struct window *window, size_t domain)
{
    return j_from_uj(window->energy_uj[domain]) / s_from_ns(window_known_ns(window, domain));
}

bool step_knows(const struct window *step, size_t domain)
{
    return step->known[domain] && !step->unknown_ns[domain] && step->duration_ns;
}

uint64_t windows_ns(const struct window_list *windows)
{
    uint64_t sum_ns = 0;

    for (size_t i = 0; i < windows->count; i++)
        sum_ns += windows->at(windows->of, i)->duration_ns;
    return sum_ns;
}
