/* SPDX-License-Identifier: MIT
 * Sums over accounts: a million small figures lose no digits to the large sum. Used by annual_csv.c and annual_names.h.
 * Begin with contribution_totals_add(). */
#ifndef COMMANDS_REPORT_ANNUAL_TOTAL_H
#define COMMANDS_REPORT_ANNUAL_TOTAL_H

#include "commands/report/annual_price.h"

#include <math.h>

/* Neumaier 1974: the rounding error of each addition is summed separately. */
struct total {
    double sum, dropped;
};

static inline void total_add(struct total *total, double value)
{
    const double sum = total->sum + value;

    total->dropped += fabs(total->sum) >= fabs(value) ? (total->sum - sum) + value : (value - sum) + total->sum;
    total->sum = sum;
}

static inline double total_of(const struct total *total)
{
    return total->sum + total->dropped;
}

/* A figure of some of the records, and the energy of these. */
struct part_total {
    struct total value, of_j;
    uint64_t records, runs;
};

struct contribution_totals {
    uint64_t records, runs, timed; /* timed: with a known duration */
    struct total duration_s, gross_j, facility_kwh, kgco2eq;
    struct part_total known_kwh; /* with the PUE, of records with a mass */
    struct part_total net_j, net_kgco2eq, market_kgco2eq, market_location_kgco2eq, td_losses_kgco2eq, upstream_kgco2eq,
        embodied_kgco2eq, hourly_j, own_j, own_kgco2eq, scope2_kgco2eq, scope2_market_kgco2eq, scope3_kgco2eq,
        scope2_stand_in_j;
    struct part_total own_by_method[OWN_METHODS];
    struct part_total sci_units, sci_operational, sci_embodied;
    char sci_unit[64];
    bool sci_mixed;
    struct total variance_j2, variance_kgco2eq2;
    uint64_t noise_records, modelled_records;
    struct total low_j, high_j, low_kgco2eq, high_kgco2eq;
};

/* Of an account with a known gross_j. */
void contribution_totals_add(struct contribution_totals *totals, const struct annual_contribution *of);
void contribution_totals_merge(struct contribution_totals *into, const struct contribution_totals *from);
struct annual_figures annual_figures_none(void); /* all unknown */
struct annual_figures contribution_totals_figures(const struct contribution_totals *totals);

#endif
