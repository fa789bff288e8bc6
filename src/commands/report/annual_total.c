/* SPDX-License-Identifier: MIT
 * Sums of accounts, and the doubt that grows with them. */
#include "commands/report/annual_total.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Of a normal distribution: 95 % lie within so many standard deviations. */
#define NORMAL_95 1.959963984540054

enum { DIGITS_MIN = 1, DIGITS_MAX = 6, DIGITS_WITHOUT_DOUBT = 4 };

static void part_add(struct part_total *part, double value, const struct contribution *contribution)
{
    if (!isfinite(value))
        return;
    part->records++;
    part->runs += contribution->runs > 0 ? (uint64_t)contribution->runs : 0;
    total_add(&part->value, value);
    total_add(&part->of_j, contribution->gross_j);
}

static void add_unit(struct contribution_totals *totals, const char *unit)
{
    if (totals->sci_units.records == 0)
        text_copy(totals->sci_unit, sizeof totals->sci_unit, unit);
    else if (strcmp(totals->sci_unit, unit) != 0)
        totals->sci_mixed = true;
}

static void add_sci(struct contribution_totals *totals, const struct contribution *contribution)
{
    if (!(contribution->sci_units > 0))
        return;
    add_unit(totals, contribution->sci_unit ? contribution->sci_unit : "");
    part_add(&totals->sci_units, contribution->sci_units, contribution);
    part_add(&totals->sci_operational, contribution->gross_kgco2eq, contribution);
    part_add(&totals->sci_embodied, contribution->embodied_kgco2eq, contribution);
}

static void add_scopes(struct contribution_totals *totals, const struct annual_contribution *of)
{
    part_add(&totals->scope2_kgco2eq, of->direct_kgco2eq, &of->contribution);
    part_add(&totals->scope2_market_kgco2eq, of->scope2_market_kgco2eq, &of->contribution);
    if (of->stand_in_j > 0)
        part_add(&totals->scope2_stand_in_j, of->stand_in_j, &of->contribution);
    if (of->lifecycle_kgco2eq >= of->direct_kgco2eq)
        part_add(&totals->scope3_kgco2eq, of->lifecycle_kgco2eq - of->direct_kgco2eq, &of->contribution);
}

static void add_own(struct contribution_totals *totals, const struct contribution *contribution)
{
    const enum own_method method = contribution->own_method ? own_method_of(contribution->own_method) : OWN_UNKNOWN;

    part_add(&totals->own_j, contribution->own_j, contribution);
    part_add(&totals->own_kgco2eq, contribution->own_kgco2eq, contribution);
    part_add(&totals->own_by_method[method], contribution->own_j, contribution);
}

static double known_or(double value, double otherwise)
{
    return isfinite(value) ? value : otherwise;
}

void contribution_totals_add(struct contribution_totals *totals, const struct annual_contribution *of)
{
    const struct contribution *contribution = &of->contribution;
    const double gross_j = contribution->gross_j, mass = known_or(contribution->gross_kgco2eq, 0);

    totals->records++;
    totals->runs += contribution->runs > 0 ? (uint64_t)contribution->runs : 0;
    totals->timed += isfinite(contribution->duration_s);
    total_add(&totals->duration_s, known_or(contribution->duration_s, 0));
    total_add(&totals->gross_j, gross_j);
    total_add(&totals->facility_kwh, known_or(contribution->facility_kwh, 0));
    total_add(&totals->kgco2eq, mass);
    if (isfinite(contribution->gross_kgco2eq))
        part_add(&totals->known_kwh, known_or(contribution->facility_kwh, 0), contribution);
    part_add(&totals->net_j, contribution->net_j, contribution);
    part_add(&totals->net_kgco2eq, contribution->net_kgco2eq, contribution);
    part_add(&totals->market_kgco2eq, contribution->market_kgco2eq, contribution);
    if (isfinite(contribution->market_kgco2eq))
        part_add(&totals->market_location_kgco2eq, of->direct_kgco2eq, contribution);
    part_add(&totals->td_losses_kgco2eq, contribution->td_losses_kgco2eq, contribution);
    part_add(&totals->upstream_kgco2eq, contribution->upstream_kgco2eq, contribution);
    part_add(&totals->embodied_kgco2eq, contribution->embodied_kgco2eq, contribution);
    part_add(&totals->hourly_j, contribution->covered * gross_j, contribution);
    add_own(totals, contribution);
    add_scopes(totals, of);
    add_sci(totals, contribution);
    if (isfinite(contribution->variance_j2)) {
        const double mass_of_j = gross_j > 0 ? mass / gross_j : 0;
        totals->noise_records++;
        total_add(&totals->variance_j2, contribution->variance_j2);
        total_add(&totals->variance_kgco2eq2, contribution->variance_j2 * mass_of_j * mass_of_j);
    }
    totals->modelled_records += isfinite(contribution->gross_low_j);
    total_add(&totals->low_j, known_or(contribution->gross_low_j, gross_j));
    total_add(&totals->high_j, known_or(contribution->gross_high_j, gross_j));
    /* the mass of a modelled energy goes with it */
    total_add(&totals->low_kgco2eq, known_or(mass * contribution->gross_low_j / gross_j, mass));
    total_add(&totals->high_kgco2eq, known_or(mass * contribution->gross_high_j / gross_j, mass));
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
    into->runs += from->runs;
}

static void merge_sci(struct contribution_totals *into, const struct contribution_totals *from)
{
    if (from->sci_units.records)
        add_unit(into, from->sci_unit);
    into->sci_mixed |= from->sci_mixed;
    part_merge(&into->sci_units, &from->sci_units);
    part_merge(&into->sci_operational, &from->sci_operational);
    part_merge(&into->sci_embodied, &from->sci_embodied);
}

void contribution_totals_merge(struct contribution_totals *into, const struct contribution_totals *from)
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
    part_merge(&into->known_kwh, &from->known_kwh);
    part_merge(&into->net_j, &from->net_j);
    part_merge(&into->net_kgco2eq, &from->net_kgco2eq);
    part_merge(&into->market_kgco2eq, &from->market_kgco2eq);
    part_merge(&into->market_location_kgco2eq, &from->market_location_kgco2eq);
    part_merge(&into->td_losses_kgco2eq, &from->td_losses_kgco2eq);
    part_merge(&into->upstream_kgco2eq, &from->upstream_kgco2eq);
    part_merge(&into->embodied_kgco2eq, &from->embodied_kgco2eq);
    part_merge(&into->hourly_j, &from->hourly_j);
    part_merge(&into->own_j, &from->own_j);
    part_merge(&into->own_kgco2eq, &from->own_kgco2eq);
    part_merge(&into->scope2_kgco2eq, &from->scope2_kgco2eq);
    part_merge(&into->scope2_market_kgco2eq, &from->scope2_market_kgco2eq);
    part_merge(&into->scope3_kgco2eq, &from->scope3_kgco2eq);
    part_merge(&into->scope2_stand_in_j, &from->scope2_stand_in_j);
    for (size_t i = 0; i < OWN_METHODS; i++)
        part_merge(&into->own_by_method[i], &from->own_by_method[i]);
    merge_sci(into, from);
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
        .runs = part->runs,
    };
}

/* Without the making of each machine there is no score. */
static struct annual_sci sci_of(const struct contribution_totals *totals)
{
    const uint64_t records = totals->sci_units.records;
    const bool all = records && totals->sci_embodied.records == records && totals->sci_operational.records == records;
    struct annual_sci sci = {
        .records = records,
        .mixed = totals->sci_mixed,
        .units = records && !totals->sci_mixed ? total_of(&totals->sci_units.value) : NAN,
        .operational_kgco2eq = totals->sci_operational.records ? total_of(&totals->sci_operational.value) : NAN,
        .embodied_kgco2eq = all ? total_of(&totals->sci_embodied.value) : NAN,
    };

    if (!sci.mixed)
        text_copy(sci.unit, sizeof sci.unit, totals->sci_unit);
    sci.kgco2eq_per_unit = (sci.operational_kgco2eq + sci.embodied_kgco2eq) / sci.units;
    return sci;
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
    return digits < DIGITS_MIN ? DIGITS_MIN : digits > DIGITS_MAX ? DIGITS_MAX : digits;
}

struct annual_figures annual_figures_none(void)
{
    const struct annual_part part = { .value = NAN };
    const struct interval unknown = { NAN, NAN };
    struct annual_figures figures = {
        .duration_s = NAN,
        .it_kwh = NAN,
        .facility_kwh = NAN,
        .kgco2eq = NAN,
        .kgco2eq_of_kwh = NAN,
        .kgco2eq_per_kwh = NAN,
        .net_kwh = part,
        .net_kgco2eq = part,
        .market_kgco2eq = part,
        .market_location_kgco2eq = part,
        .td_losses_kgco2eq = part,
        .upstream_kgco2eq = part,
        .embodied_kgco2eq = part,
        .hourly_kwh = part,
        .own_kwh = part,
        .own_kgco2eq = part,
        .scope2_kgco2eq = part,
        .scope2_market_kgco2eq = part,
        .scope3_kgco2eq = part,
        .scope2_stand_in_kwh = part,
        .sci = { .units = NAN, .operational_kgco2eq = NAN, .embodied_kgco2eq = NAN, .kgco2eq_per_unit = NAN },
        .noise_kwh = NAN,
        .noise_kgco2eq = NAN,
        .model_low_kwh = NAN,
        .model_high_kwh = NAN,
        .kwh_interval = unknown,
        .kgco2eq_interval = unknown,
        .kwh_digits = DIGITS_WITHOUT_DOUBT,
        .kgco2eq_digits = DIGITS_WITHOUT_DOUBT,
    };

    for (size_t i = 0; i < OWN_METHODS; i++)
        figures.own_by_method[i] = part;
    return figures;
}

static void set_doubt(struct annual_figures *figures, const struct contribution_totals *totals)
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

struct annual_figures contribution_totals_figures(const struct contribution_totals *totals)
{
    struct annual_figures figures = annual_figures_none();

    if (!totals->records)
        return figures;
    figures.records = totals->records;
    figures.runs = totals->runs;
    if (totals->timed)
        figures.duration_s = total_of(&totals->duration_s);
    figures.it_kwh = total_of(&totals->gross_j) / J_PER_KWH;
    figures.facility_kwh = total_of(&totals->facility_kwh);
    if (totals->known_kwh.records)
        figures.kgco2eq = total_of(&totals->kgco2eq);
    figures.kgco2eq_of_kwh = total_of(&totals->known_kwh.of_j) / J_PER_KWH;
    if (total_of(&totals->known_kwh.value) > 0)
        figures.kgco2eq_per_kwh = figures.kgco2eq / total_of(&totals->known_kwh.value);
    figures.net_kwh = part_of(&totals->net_j, 1 / J_PER_KWH);
    figures.net_kgco2eq = part_of(&totals->net_kgco2eq, 1);
    figures.market_kgco2eq = part_of(&totals->market_kgco2eq, 1);
    figures.market_location_kgco2eq = part_of(&totals->market_location_kgco2eq, 1);
    figures.td_losses_kgco2eq = part_of(&totals->td_losses_kgco2eq, 1);
    figures.upstream_kgco2eq = part_of(&totals->upstream_kgco2eq, 1);
    figures.embodied_kgco2eq = part_of(&totals->embodied_kgco2eq, 1);
    figures.hourly_kwh = part_of(&totals->hourly_j, 1 / J_PER_KWH);
    figures.own_kwh = part_of(&totals->own_j, 1 / J_PER_KWH);
    figures.own_kgco2eq = part_of(&totals->own_kgco2eq, 1);
    for (size_t i = 0; i < OWN_METHODS; i++)
        figures.own_by_method[i] = part_of(&totals->own_by_method[i], 1 / J_PER_KWH);
    figures.scope2_kgco2eq = part_of(&totals->scope2_kgco2eq, 1);
    figures.scope2_market_kgco2eq = part_of(&totals->scope2_market_kgco2eq, 1);
    figures.scope3_kgco2eq = part_of(&totals->scope3_kgco2eq, 1);
    figures.scope2_stand_in_kwh = part_of(&totals->scope2_stand_in_j, 1 / J_PER_KWH);
    figures.sci = sci_of(totals);
    set_doubt(&figures, totals);
    return figures;
}
