/* SPDX-License-Identifier: MIT
 * The counted runs with their own energies. */
#include "measurement/owns.h"

#include "base/units.h"
#include "measurement/own_runs.h"

#include <math.h>
#include <stdlib.h>

/* Runs that go into the summary. */
static size_t counted_runs(const struct measurement *measurement, size_t *indices)
{
    size_t count = 0;

    for (size_t i = 0; i < measurement->run_count; i++)
        if (run_is_counted(&measurement->runs[i]))
            indices[count++] = i;
    return count;
}

bool owns_open(struct owns *owns, const struct measurement *measurement, const struct own_basis *basis)
{
    const size_t max = measurement->run_count + 1, domains = measurement->meter->domain_count;

    *owns = (struct owns){ .runs = calloc(max, sizeof *owns->runs),
                           .domains = domains,
                           .own = calloc(max * (domains + 1), sizeof *owns->own) };
    if (!owns->runs || !owns->own)
        return false;
    owns->count = counted_runs(measurement, owns->runs);
    own_of_runs(measurement, basis, owns->runs, owns->count, owns->own);
    return true;
}

void owns_close(struct owns *owns)
{
    free(owns->runs);
    free(owns->own);
}

bool owns_series(const struct owns *owns, const struct measurement *measurement, const struct own_basis *basis,
                 struct run_series *series)
{
    double below_j = 0, above_j = 0; /* own in the sum, by what was learnt */

    *series = (struct run_series){ .name = "",
                                   .constant = measurement_is_constant(measurement),
                                   .no_idle = baseline_idleness(measurement) == IDLENESS_FULL,
                                   .net_noise_j = NAN,
                                   .own_method = OWN_NET };
    series->runs = calloc(owns->count + 1, sizeof *series->runs);
    if (!series->runs)
        return false;
    series->slope_w = own_slope_w(measurement, basis);
    for (size_t r = 0; r < owns->count; r++) {
        const struct run *run = &measurement->runs[owns->runs[r]];
        const struct own *own = owns_at(owns, r, owns->domains);
        const struct neighbours neighbours = neighbours_of(measurement, &run->window);
        const struct energies energies = total_energies(measurement, &neighbours, &run->window);
        series->own_method = own_method_worst(series->own_method, own->method);
        below_j += own->method == OWN_PROFILE ? own->own_j - own->low_j : 0;
        above_j += own->method == OWN_PROFILE ? own->high_j - own->own_j : 0;
        series->runs[series->count++] = (struct run_figures){
            .duration_s = s_from_ns(run->window.duration_ns),
            .gross_j = energies.gross_j,
            .idle_j = energies.idle_j,
            .net_j = energies.net_j,
            .items = NAN,
            .own_j = own->own_j,
        };
    }
    series->own_doubt_j = series->count ? fmax(below_j, above_j) / (double)series->count : 0;
    return true;
}

bool measurement_series(const struct measurement *measurement, const struct own_basis *basis, const char *name,
                        struct run_series *series)
{
    struct owns owns;
    const bool made = owns_open(&owns, measurement, basis) && owns_series(&owns, measurement, basis, series);

    series->name = name;
    owns_close(&owns);
    return made;
}

void series_free(struct run_series *series)
{
    free(series->runs);
    series->runs = NULL;
    series->count = 0;
}
