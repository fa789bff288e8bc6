/* SPDX-License-Identifier: MIT
 * What one window comes to, in joules. */
#include "measurement/idle.h"

#include "base/units.h"

#include <math.h>

struct energies domain_energies(const struct measurement *measurement, const struct neighbours *neighbours,
                                const struct window *window, size_t domain)
{
    struct energies energies = { NAN, NAN, NAN };

    if (!window_has_figure(measurement, window, domain))
        return energies;
    energies.gross_j = figure_j(measurement->meter->domains[domain].domain, window->energy_uj[domain]);
    energies.idle_j =
        idle_w_under(measurement, neighbours, window, domain) * s_from_ns(window_known_ns(window, domain));
    if (!window->unknown_ns[domain])
        energies.net_j = energies.gross_j - energies.idle_j;
    return energies;
}

struct energies total_bound(const struct measurement *measurement, const struct neighbours *neighbours,
                            const struct window *window)
{
    struct energies total = { NAN, NAN, NAN };

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        struct energies one;
        if (!measurement->counting->is_counted[i])
            continue;
        one = domain_energies(measurement, neighbours, window, i);
        if (isnan(one.gross_j))
            continue;
        if (isnan(total.gross_j))
            total = (struct energies){ 0, 0, 0 };
        total.gross_j += one.gross_j;
        total.idle_j += one.idle_j;
        total.net_j += one.net_j;
    }
    if (window_is_at_least(measurement, window))
        total.net_j = NAN;
    return total;
}

struct energies total_energies(const struct measurement *measurement, const struct neighbours *neighbours,
                               const struct window *window)
{
    struct energies total = total_bound(measurement, neighbours, window);

    if (window_is_at_least(measurement, window))
        total.gross_j = NAN;
    return total;
}
