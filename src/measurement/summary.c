/* SPDX-License-Identifier: MIT
 * From the windows of a series to joules with their spread. */
#include "measurement/cpu_share.h"
#include "measurement/idle.h"
#include "measurement/own_runs.h"
#include "measurement/owns.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The spread of a series that may hold unknown values: known only if each is. */
static struct sample_stats spread_of_known(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return sample_stats_of(NULL, 0);
    return sample_stats_of(values, count);
}

static void fill_energy(struct domain_energy *energy, double *gross_j, double *idle_j, double *net_j, size_t count,
                        const struct sample_stats *duration_s, bool rates)
{
    energy->gross_j = spread_of_known(gross_j, count);
    energy->idle_j = spread_of_known(idle_j, count);
    energy->net_j = spread_of_known(net_j, count);
    energy->net_interval_j = mean_interval(&energy->net_j);
    energy->gross_w = rates ? energy->gross_j.mean / duration_s->mean : NAN;
    energy->idle_w = energy->net_j.count == energy->idle_j.count ? energy->idle_j.mean / duration_s->mean : NAN;
    energy->net_w = rates ? energy->net_j.mean / duration_s->mean : NAN;
    energy->gross_low_j = energy->gross_high_j = energy->net_low_j = energy->net_high_j = NAN;
}

static void fill_range(struct domain_energy *energy, const struct domain *domain)
{
    const double ratio = domain_figure_ratio(domain);
    const double gross_j = energy->gross_j.mean / ratio, net_j = energy->net_j.mean / ratio;

    energy->gross_low_j = gross_j * domain->low_ratio;
    energy->gross_high_j = gross_j * domain->high_ratio;
    energy->net_low_j = fmin(net_j * domain->low_ratio, net_j * domain->high_ratio);
    energy->net_high_j = fmax(net_j * domain->low_ratio, net_j * domain->high_ratio);
}

/* A total of modelled figures ranges from the sum of the lows to the sum of the highs: the doubt of
 * one model is shared by all its domains. */
static void fill_total_range(const struct measurement *measurement, struct summary *summary)
{
    struct domain_energy *total = &summary->total;
    double sums[4] = { 0, 0, 0, 0 };
    bool modelled = false;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain_energy *energy = &summary->domains[i];
        const bool has_range = !isnan(energy->gross_low_j);
        if (!measurement->counting->is_counted[i] || isnan(energy->gross_j.mean))
            continue;
        modelled |= has_range;
        sums[0] += has_range ? energy->gross_low_j : energy->gross_j.mean;
        sums[1] += has_range ? energy->gross_high_j : energy->gross_j.mean;
        sums[2] += has_range ? energy->net_low_j : energy->net_j.mean;
        sums[3] += has_range ? energy->net_high_j : energy->net_j.mean;
    }
    if (!modelled)
        return;
    total->gross_low_j = sums[0];
    total->gross_high_j = sums[1];
    total->net_low_j = sums[2];
    total->net_high_j = sums[3];
}

/* A counter that is refreshed often may still go in large steps: whole joules, hundredths of a kWh, or what one tick of
 * CPU time adds to a model. */
static double steps_j(const struct measurement *measurement)
{
    double sum_j = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain *domain = measurement->meter->domains[i].domain;
        if (measurement->counting->is_counted[i] && !domain->poll_ns)
            sum_j += j_from_uj(domain->resolution_uj);
    }
    return sum_j;
}

/* How far both ends of a run may lie beside its energy, together: an update of the counters each, or in a machine that
 * reads slowly half of what the reading took. */
static double edges_s(const struct measurement *measurement, uint64_t update_ns)
{
    double both_s = 2 * s_from_ns(update_ns);

    for (size_t i = 0; i < measurement->run_count; i++)
        if (run_is_counted(&measurement->runs[i]))
            both_s = fmax(both_s, s_from_ns(measurement->runs[i].window.span_ns));
    return both_s;
}

static void fill_noise(const struct measurement *measurement, struct summary *summary, uint64_t update_ns)
{
    const double duration_s = summary->duration_s.mean;
    double squares = 0, power_w = summary->total.gross_j.mean / duration_s;
    size_t parts = 0, windows = 0;

    summary->resolution_j = power_w * edges_s(measurement, update_ns);
    if (isfinite(summary->resolution_j))
        summary->resolution_j = fmax(summary->resolution_j, steps_j(measurement));
    for (size_t i = 0; i < measurement->baseline_count; i++) {
        const struct window *window = &measurement->baselines[i];
        const struct sample_stats spread = spread_of_known(window->parts_w, window->part_count);
        if (spread.count < 2)
            continue;
        squares += spread.deviation * spread.deviation * (double)(spread.count - 1);
        parts += spread.count;
        windows++;
    }
    summary->idle_deviation_w = parts > windows ? sqrt(squares / (double)(parts - windows)) : NAN;
    summary->net_noise_j =
        summary->at_least
            ? NAN
            : hypot(summary->resolution_j, duration_s * summary->idle_deviation_w / sqrt(parts ? (double)parts : 1));
}

/* What one domain, or the total of the counted, comes to in each run: several series one after the other. */
enum { TOTAL = ENERGY_MAX_DOMAINS, MAX_SERIES = 5 };

static void fill_series(const struct measurement *measurement, const size_t *runs, size_t count, size_t domain,
                        double *series)
{
    for (size_t r = 0; r < count; r++) {
        const struct window *window = &measurement->runs[runs[r]].window;
        const struct neighbours neighbours = neighbours_of(measurement, window);
        const struct energies energies = domain == TOTAL ? total_bound(measurement, &neighbours, window)
                                                         : domain_energies(measurement, &neighbours, window, domain);
        series[r] = energies.gross_j;
        series[count + r] = energies.idle_j;
        series[2 * count + r] = energies.net_j;
    }
}

static void fill_gpu_own(const struct measurement *measurement, struct summary *summary, const size_t *runs,
                         double *series)
{
    const size_t count = summary->runs;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        for (size_t r = 0; r < count; r++)
            series[r] = gpu_own_j(measurement, &measurement->runs[runs[r]], i);
        summary->domains[i].gpu_own_j = spread_of_known(series, count);
    }
    for (size_t r = 0; r < count; r++)
        series[r] = gpus_own_j(measurement, &measurement->runs[runs[r]]);
    summary->total.gpu_own_j = spread_of_known(series, count);
}

static double gross_j_of(const struct measurement *measurement, const struct run *run, size_t domain)
{
    const struct neighbours neighbours = neighbours_of(measurement, &run->window);

    return domain == TOTAL ? total_energies(measurement, &neighbours, &run->window).gross_j
                           : domain_energies(measurement, &neighbours, &run->window, domain).gross_j;
}

/* Fills own of one domain or the total. */
static void fill_own(const struct measurement *measurement, struct summary *summary, const struct owns *owns,
                     double *series, size_t domain)
{
    struct domain_energy *energy = domain == TOTAL ? &summary->total : &summary->domains[domain];
    const size_t count = owns->count;

    energy->own_method = count ? OWN_NET : OWN_UNKNOWN;
    for (size_t r = 0; r < count; r++) {
        const struct own *own = owns_at(owns, r, domain == TOTAL ? owns->domains : domain);
        series[r] = own->own_j;
        series[count + r] = own->low_j;
        series[2 * count + r] = own->high_j;
        series[3 * count + r] = own->idle_j;
        series[4 * count + r] =
            gross_j_of(measurement, &measurement->runs[owns->runs[r]], domain) - own->own_j - own->idle_j;
        energy->own_method = own_method_worst(energy->own_method, own->method);
    }
    energy->own_j = spread_of_known(series, count);
    energy->own_interval_j = mean_interval(&energy->own_j);
    energy->own_idle_j = spread_of_known(series + 3 * count, count);
    energy->own_others_j = spread_of_known(series + 4 * count, count);
    energy->own_w = isnan(energy->gross_w) ? NAN : energy->own_j.mean / summary->duration_s.mean;
    energy->own_low_j = spread_of_known(series + count, count).mean;
    energy->own_high_j = spread_of_known(series + 2 * count, count).mean;
    if (energy->own_low_j == energy->own_high_j)
        energy->own_low_j = energy->own_high_j = NAN;
}

static void fill_owns(const struct measurement *measurement, struct summary *summary, const struct owns *owns,
                      double *series)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        fill_own(measurement, summary, owns, series, i);
    fill_own(measurement, summary, owns, series, TOTAL);
}

static void fill_domain(const struct measurement *measurement, struct summary *summary, const size_t *runs,
                        double *series, size_t domain, bool rates)
{
    const size_t count = summary->runs;

    fill_series(measurement, runs, count, domain, series);
    fill_energy(&summary->domains[domain], series, series + count, series + 2 * count, count, &summary->duration_s,
                rates && !domain_is_at_least(measurement, domain));
    if (measurement->meter->domains[domain].domain->quality == QUALITY_MODELLED)
        fill_range(&summary->domains[domain], measurement->meter->domains[domain].domain);
}

static void fill_holes(const struct measurement *measurement, struct summary *summary, const size_t *runs)
{
    for (size_t r = 0; r < summary->runs; r++) {
        const struct window *window = &measurement->runs[runs[r]].window;
        summary->at_least |= window_is_at_least(measurement, window);
        for (size_t i = 0; i < measurement->meter->domain_count; i++)
            if (window_has_hole(measurement, window, i))
                summary->unknown_s = fmax(summary->unknown_s, s_from_ns(window->unknown_ns[i]));
    }
}

static void fill_counted(const struct measurement *measurement, struct summary *summary)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct domain *domain = measurement->meter->domains[i].domain;
        bool too_short = false;
        if (!measurement->counting->is_counted[i])
            continue;
        domain_is_still(measurement, i, &too_short);
        if (isnan(summary->domains[i].gross_j.mean))
            summary->counted_unknown++;
        summary->below_resolution |= too_short;
        if (domain->quality > summary->quality)
            summary->quality = domain->quality;
    }
}

static void fill_share(const struct measurement *measurement, struct summary *summary, const size_t *runs,
                       double *series)
{
    const size_t count = summary->runs;
    const double *net_j = series + 2 * count; /* of the total, which was worked out last */

    for (size_t r = 0; r < count; r++) {
        const struct run *run = &measurement->runs[runs[r]];
        const struct neighbours neighbours = neighbours_of(measurement, &run->window);
        const struct cpu_share share = cpu_share_of(&neighbours, run);
        series[r] = share.fraction * net_j[r] + gpu_share_more_j(measurement, &neighbours, run, share.fraction);
        series[count + r] = share.background_cores;
    }
    summary->share_j = spread_of_known(series, count);
    summary->background_cores = spread_of_known(series + count, count);
}

static void fill_attributed(const struct measurement *measurement, struct summary *summary, const size_t *runs,
                            double *series)
{
    const size_t count = summary->runs;

    fill_series(measurement, runs, count, TOTAL, series);
    for (size_t r = 0; r < count; r++) {
        const struct run *run = &measurement->runs[runs[r]];
        const double share = machine_share_of(run);
        series[r] = share * series[r] + gpu_attributed_more_j(measurement, run, share);
        series[count + r] = share;
    }
    summary->attributed_j = spread_of_known(series, count);
    summary->machine_share = spread_of_known(series + count, count);
}

static void fill_verdict(const struct measurement *measurement, struct summary *summary, const struct owns *owns)
{
    struct run_series series;

    if (!owns_series(owns, measurement, &summary->own_basis, &series))
        return;
    series.quality = summary->quality;
    series.net_noise_j = 2 * summary->net_noise_j;
    summary->verdict = net_verdict_of(&series);
    summary->net_is_reported = isfinite(series_per_cent(&series, FIGURE_NET_J));
    series_free(&series);
}

static void summarize_runs(const struct measurement *measurement, struct summary *summary, const struct owns *owns,
                           double *series)
{
    const size_t *runs = owns->runs;
    const uint64_t update_ns = measurement_update_ns(measurement);
    bool rates;

    for (size_t r = 0; r < summary->runs; r++)
        series[r] = s_from_ns(measurement->runs[runs[r]].window.duration_ns);
    summary->duration_s = sample_stats_of(series, summary->runs);
    fill_holes(measurement, summary, runs);
    rates = !summary->at_least && summary->duration_s.mean >= RATE_UPDATES * s_from_ns(update_ns);
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        fill_domain(measurement, summary, runs, series, i, rates);
    fill_series(measurement, runs, summary->runs, TOTAL, series);
    fill_energy(&summary->total, series, series + summary->runs, series + 2 * summary->runs, summary->runs,
                &summary->duration_s, rates);
    fill_counted(measurement, summary);
    fill_total_range(measurement, summary);
    fill_noise(measurement, summary, update_ns);
    fill_share(measurement, summary, runs, series);
    fill_attributed(measurement, summary, runs, series);
    fill_gpu_own(measurement, summary, runs, series);
    fill_owns(measurement, summary, owns, series);
}

void summarize(const struct measurement *measurement, struct summary *summary)
{
    const size_t max = measurement->run_count ? measurement->run_count : 1;
    double *series = calloc(MAX_SERIES * max, sizeof *series);
    struct owns owns;
    bool has_owns;

    memset(summary, 0,
           offsetof(struct summary, domains) + measurement->meter->domain_count * sizeof summary->domains[0]);
    for (size_t i = 0; i < measurement->baseline_count; i++)
        summary->baseline_s += s_from_ns(measurement->baselines[i].duration_ns);
    own_basis_fill(measurement, &summary->own_basis);
    has_owns = owns_open(&owns, measurement, &summary->own_basis);
    summary->runs = has_owns && series ? owns.count : 0;
    if (has_owns && series)
        summarize_runs(measurement, summary, &owns, series);
    summary->baseline_busy_cpus = baseline_busy_cpus(measurement);
    summary->baseline_busy_mask_cpus = baseline_busy_mask_cpus(measurement);
    summary->mask_cpus = baseline_mask_cpus(measurement);
    if (isnan(summary->total.gross_j.mean))
        summary->quality = QUALITY_UNKNOWN;
    if (has_owns)
        fill_verdict(measurement, summary, &owns);
    owns_close(&owns);
    free(series);
}
