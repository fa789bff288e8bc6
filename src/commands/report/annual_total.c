/* SPDX-License-Identifier: MIT
 * Sums of accounts, and the doubt that grows with them. */
#include "commands/report/annual_total.h"

#include "base/units.h"

#include <math.h>

/* Of a normal distribution: 95 % lie within so many standard deviations. */
#define NORMAL_95 1.959963984540054

enum { DIGITS_LEAST = 1, DIGITS_MOST = 6, DIGITS_WITHOUT_DOUBT = 4 };

static void part_add(struct part_total *part, double value, double of_j)
{
    if (!isfinite(value))
        return;
    part->records++;
    total_add(&part->value, value);
    total_add(&part->of_j, of_j);
}

static double known_or(double value, double otherwise)
{
    return isfinite(value) ? value : otherwise;
}

void account_totals_add(struct account_totals *totals, const struct account *account)
{
    const double gross_j = account->gross_j, mass = known_or(account->gross_kgco2eq, 0);

    totals->records++;
    totals->runs += account->runs > 0 ? (uint64_t)account->runs : 0;
    totals->timed += isfinite(account->duration_s);
    total_add(&totals->duration_s, known_or(account->duration_s, 0));
    total_add(&totals->gross_j, gross_j);
    total_add(&totals->facility_kwh, known_or(account->facility_kwh, 0));
    total_add(&totals->kgco2eq, mass);
    part_add(&totals->net_j, account->net_j, gross_j);
    part_add(&totals->net_kgco2eq, account->net_kgco2eq, gross_j);
    part_add(&totals->market_kgco2eq, account->market_kgco2eq, gross_j);
    if (isfinite(account->market_kgco2eq))
        part_add(&totals->market_location_kgco2eq, account->gross_kgco2eq, gross_j);
    part_add(&totals->td_losses_kgco2eq, account->td_losses_kgco2eq, gross_j);
    part_add(&totals->upstream_kgco2eq, account->upstream_kgco2eq, gross_j);
    part_add(&totals->embodied_kgco2eq, account->embodied_kgco2eq, gross_j);
    part_add(&totals->hourly_j, account->covered * gross_j, gross_j);
    if (isfinite(account->variance_j2)) {
        const double mass_of_j = gross_j > 0 ? mass / gross_j : 0;
        totals->noise_records++;
        total_add(&totals->variance_j2, account->variance_j2);
        total_add(&totals->variance_kgco2eq2, account->variance_j2 * mass_of_j * mass_of_j);
    }
    totals->modelled_records += isfinite(account->gross_low_j);
    total_add(&totals->low_j, known_or(account->gross_low_j, gross_j));
    total_add(&totals->high_j, known_or(account->gross_high_j, gross_j));
    /* the mass of a modelled energy goes with it */
    total_add(&totals->low_kgco2eq, known_or(mass * account->gross_low_j / gross_j, mass));
    total_add(&totals->high_kgco2eq, known_or(mass * account->gross_high_j / gross_j, mass));
}

static void total_merge(struct total *into, const struct total *from)
{
    total_add(into, from->sum);
    into->dropped += from->dropped;
}

static void part_merge(struct part_total *into, const struct part_total *from)
{
    total_merge(&into->value, &from->value);
    total_merge(&into->of_j, &from->of_j);
    into->records += from->records;
}

void account_totals_merge(struct account_totals *into, const struct account_totals *from)
{
    into->records += from->records;
    into->runs += from->runs;
    into->timed += from->timed;
    into->noise_records += from->noise_records;
    into->modelled_records += from->modelled_records;
    total_merge(&into->duration_s, &from->duration_s);
    total_merge(&into->gross_j, &from->gross_j);
    total_merge(&into->facility_kwh, &from->facility_kwh);
    total_merge(&into->kgco2eq, &from->kgco2eq);
    part_merge(&into->net_j, &from->net_j);
    part_merge(&into->net_kgco2eq, &from->net_kgco2eq);
    part_merge(&into->market_kgco2eq, &from->market_kgco2eq);
    part_merge(&into->market_location_kgco2eq, &from->market_location_kgco2eq);
    part_merge(&into->td_losses_kgco2eq, &from->td_losses_kgco2eq);
    part_merge(&into->upstream_kgco2eq, &from->upstream_kgco2eq);
    part_merge(&into->embodied_kgco2eq, &from->embodied_kgco2eq);
    part_merge(&into->hourly_j, &from->hourly_j);
    total_merge(&into->variance_j2, &from->variance_j2);
    total_merge(&into->variance_kgco2eq2, &from->variance_kgco2eq2);
    total_merge(&into->low_j, &from->low_j);
    total_merge(&into->high_j, &from->high_j);
    total_merge(&into->low_kgco2eq, &from->low_kgco2eq);
    total_merge(&into->high_kgco2eq, &from->high_kgco2eq);
}

static struct annual_part part_of(const struct part_total *part, double scale)
{
    return (struct annual_part){
        .value = part->records ? total_of(&part->value) * scale : NAN,
        .kwh = total_of(&part->of_j) / J_PER_KWH,
        .records = part->records,
    };
}

/* The noise of independent runs in quadrature, around the ends that the models have, which go together. */
static struct interval interval_of(double low, double high, double noise, bool modelled)
{
    const double around = isnan(noise) ? 0 : NORMAL_95 * noise;

    if (isnan(noise) && !modelled)
        return (struct interval){ NAN, NAN };
    return (struct interval){ low - around, high + around };
}

/* Two digits of half the interval (GUM 7.2.6). */
static int digits_of(double value, const struct interval *interval)
{
    const double half = (interval->high - interval->low) / 2;
    int digits;

    if (!(half > 0) || !(fabs(value) > 0))
        return DIGITS_WITHOUT_DOUBT;
    digits = (int)floor(log10(fabs(value))) - (int)floor(log10(half)) + 2;
    return digits < DIGITS_LEAST ? DIGITS_LEAST : digits > DIGITS_MOST ? DIGITS_MOST : digits;
}

static struct annual_figures none(void)
{
    const struct annual_part part = { .value = NAN };
    const struct interval unknown = { NAN, NAN };

    return (struct annual_figures){
        .duration_s = NAN,
        .it_kwh = NAN,
        .facility_kwh = NAN,
        .kgco2eq = NAN,
        .kgco2eq_per_kwh = NAN,
        .net_kwh = part,
        .net_kgco2eq = part,
        .market_kgco2eq = part,
        .market_location_kgco2eq = part,
        .td_losses_kgco2eq = part,
        .upstream_kgco2eq = part,
        .embodied_kgco2eq = part,
        .hourly_kwh = part,
        .noise_kwh = NAN,
        .noise_kgco2eq = NAN,
        .model_low_kwh = NAN,
        .model_high_kwh = NAN,
        .kwh_interval = unknown,
        .kgco2eq_interval = unknown,
        .kwh_digits = DIGITS_WITHOUT_DOUBT,
        .kgco2eq_digits = DIGITS_WITHOUT_DOUBT,
    };
}

static void set_doubt(struct annual_figures *figures, const struct account_totals *totals)
{
    const bool modelled = totals->modelled_records > 0;

    figures->noise_records = totals->noise_records;
    if (totals->noise_records) {
        figures->noise_kwh = sqrt(total_of(&totals->variance_j2)) / J_PER_KWH;
        figures->noise_kgco2eq = sqrt(total_of(&totals->variance_kgco2eq2));
    }
    if (modelled) {
        figures->model_low_kwh = total_of(&totals->low_j) / J_PER_KWH;
        figures->model_high_kwh = total_of(&totals->high_j) / J_PER_KWH;
    }
    figures->kwh_interval = interval_of(total_of(&totals->low_j) / J_PER_KWH, total_of(&totals->high_j) / J_PER_KWH,
                                        figures->noise_kwh, modelled);
    figures->kgco2eq_interval =
        interval_of(total_of(&totals->low_kgco2eq), total_of(&totals->high_kgco2eq), figures->noise_kgco2eq, modelled);
    figures->kwh_digits = digits_of(figures->it_kwh, &figures->kwh_interval);
    figures->kgco2eq_digits = digits_of(figures->kgco2eq, &figures->kgco2eq_interval);
}

struct annual_figures account_totals_figures(const struct account_totals *totals)
{
    struct annual_figures figures = none();

    if (!totals->records)
        return figures;
    figures.records = totals->records;
    figures.runs = totals->runs;
    if (totals->timed)
        figures.duration_s = total_of(&totals->duration_s);
    figures.it_kwh = total_of(&totals->gross_j) / J_PER_KWH;
    figures.facility_kwh = total_of(&totals->facility_kwh);
    figures.kgco2eq = total_of(&totals->kgco2eq);
    if (figures.facility_kwh > 0)
        figures.kgco2eq_per_kwh = figures.kgco2eq / figures.facility_kwh;
    figures.net_kwh = part_of(&totals->net_j, 1 / J_PER_KWH);
    figures.net_kgco2eq = part_of(&totals->net_kgco2eq, 1);
    figures.market_kgco2eq = part_of(&totals->market_kgco2eq, 1);
    figures.market_location_kgco2eq = part_of(&totals->market_location_kgco2eq, 1);
    figures.td_losses_kgco2eq = part_of(&totals->td_losses_kgco2eq, 1);
    figures.upstream_kgco2eq = part_of(&totals->upstream_kgco2eq, 1);
    figures.embodied_kgco2eq = part_of(&totals->embodied_kgco2eq, 1);
    figures.hourly_kwh = part_of(&totals->hourly_j, 1 / J_PER_KWH);
    set_doubt(&figures, totals);
    return figures;
}
