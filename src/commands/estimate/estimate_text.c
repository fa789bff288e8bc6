/* SPDX-License-Identifier: MIT
 * An estimate for people, with the sum that anyone can redo. */
#include "app/estimate_steps.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "form/paragraph.h"
#include "result/factor_text.h"
#include "result/formula.h"
#include "result/sci_text.h"

#include <math.h>
#include <stdlib.h>

enum { MASS_DIGITS = 4 };

/* As few digits as say all that is in it. */
static const char *exact(double value, char out[UNITS_SIZE])
{
    for (int digits = 4; digits <= 17; digits++) {
        c_snprintf(out, UNITS_SIZE, "%.*g", digits, value);
        if (fabs(c_strtod(out, NULL) - value) <= 1e-15 * fabs(value))
            break;
    }
    return out;
}

static void print_power(FILE *out, const char *label, const char *what, const struct estimate_power *power,
                        const char *how)
{
    char w[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];
    char line[512];

    snprintf(line, sizeof line, "%s: %s (modelled, %s to %s); %s", what, units_power(power->w, w),
             units_power(power->low_w, low), units_power(power->high_w, high), how);
    paragraph_write(out, label, line);
}

static void print_gpu(const struct estimate *estimate, FILE *out)
{
    char count[32] = "", what[192];

    if (estimate->gpus > 1)
        c_snprintf(count, sizeof count, "%.6g × ", estimate->gpus);
    c_snprintf(what, sizeof what, "%s%s at load %.6g", count, estimate->gpu.model, estimate->gpu_load);
    print_power(out, "  gpu       ", what, &estimate->gpu_power, estimate->gpu.how);
}

static void print_cpu(const struct estimate *estimate, FILE *out)
{
    const struct cpu_power *cpu = &estimate->cpu;
    char share[96] = "", what[256];

    if (!isnan(estimate->threads) && cpu->threads > 0)
        c_snprintf(share, sizeof share, ", %.6g of its %d threads", estimate->threads, cpu->threads);
    else if (!isnan(estimate->threads))
        c_snprintf(share, sizeof share, ", %.6g threads", estimate->threads);
    c_snprintf(what, sizeof what, "%s%s at load %.6g", cpu->model[0] ? cpu->model : estimate->typed, share,
               estimate->load);
    print_power(out, "  package   ", what, &estimate->package, cpu->how);
    if (!isnan(estimate->memory_gb)) {
        c_snprintf(what, sizeof what, "%.6g GB", estimate->memory_gb);
        print_power(out, "  memory    ", what, &estimate->memory_power, estimate->memory.how);
    }
    if (!isnan(estimate->wall.w))
        print_power(out, "  wall      ", "the whole machine, with these in it and not in the figures below",
                    &estimate->wall, estimate->wall_how);
}

static void print_energy(const struct estimate *estimate, FILE *out)
{
    char energy[UNITS_SIZE], power[UNITS_SIZE], hours[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];
    const char *quality = quality_name(estimate->energy_quality);

    fprintf(out, "  energy    %s", units_energy(estimate->energy_j, energy));
    if (isnan(estimate->hours))
        fprintf(out, " (%s)\n", quality);
    else if (isnan(estimate->low_j))
        fprintf(out, " = %s W × %s h (%s)\n", exact(estimate->power.w, power), exact(estimate->hours, hours), quality);
    else
        fprintf(out, " = %s W × %s h (%s, %s to %s)\n", exact(estimate->power.w, power), exact(estimate->hours, hours),
                quality, units_energy(estimate->low_j, low), units_energy(estimate->high_j, high));
}

static void print_by(const struct estimate *estimate, const char *label, const char *what, const char *basis,
                     const struct factor *factor, FILE *out)
{
    const struct formula formula =
        formula_of(estimate->footprint.it_kwh, estimate->pue, factor->kgco2eq_per_kwh, MASS_DIGITS);
    struct text text;

    fprintf(out, "  %-9s %s, %s-based, %s\n            %s\n", label, formula.result, what, basis, formula.terms);
    text_open(&text, 4096);
    factor_describe(factor, &text);
    paragraph_write(out, "            ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* Beside the figure above only where that is of one basis with it; else with the location-based one that is. */
static void print_market(const struct estimate *estimate, FILE *out)
{
    const struct factor *market = &estimate->supplementary.market,
                        *location = supplementary_market(&estimate->supplementary);
    const char *basis = factor_basis_name(market->basis);

    if (isnan(market->kgco2eq_per_kwh))
        return;
    if (market->basis == estimate->factor.basis) {
        print_by(estimate, "market", "market", "reported separately", market, out);
        return;
    }
    print_by(estimate, "market", "market", basis, market, out);
    if (isfinite(location->kgco2eq_per_kwh))
        print_by(estimate, "location", "location", "for comparison with the market-based one", location, out);
    else
        fprintf(out, "  location  no comparable figure (%s) is known\n", basis);
}

/* What is never mixed into the figure above. */
static void print_supplementary(const struct estimate *estimate, FILE *out)
{
    const struct published *wue = &estimate->supplementary.wue;
    char mass[UNITS_SIZE], litres[UNITS_SIZE], each[UNITS_SIZE], water[512];

    print_market(estimate, out);
    if (isfinite(estimate->td_losses_kgco2eq))
        fprintf(out, "  losses    %s in the grid, not included\n", units_mass(estimate->td_losses_kgco2eq, mass));
    if (isfinite(estimate->upstream_kgco2eq))
        fprintf(out, "  upstream  %s for the supply of fuel, not included\n",
                units_mass(estimate->upstream_kgco2eq, mass));
    if (isnan(estimate->water_l))
        return;
    snprintf(water, sizeof water, "%s L; WUE %s L/kWh of IT energy (%s)%s%s",
             units_digits(estimate->water_l, 4, litres), exact(wue->value, each), quality_name(wue->quality),
             *wue->source ? ": " : "", wue->source);
    paragraph_write(out, "  water     ", water);
}

/* A year stands where somebody has said how much of it runs. */
static void print_rates(const struct estimate *estimate, FILE *out)
{
    char hour[UNITS_SIZE], year[UNITS_SIZE], duty[UNITS_SIZE];

    if (isnan(estimate->kgco2eq_per_h))
        return;
    fprintf(out, "  rates     %s per hour", units_mass(estimate->kgco2eq_per_h, hour));
    if (estimate->hours_per_year_quality == QUALITY_GIVEN)
        fprintf(out, "; %s per year of %s h (%s)", units_mass(estimate->kgco2eq_per_year, year),
                exact(estimate->hours_per_year, duty), quality_name(estimate->hours_per_year_quality));
    fputc('\n', out);
}

bool estimate_text(const struct estimate *estimate, FILE *out, struct error *err)
{
    const struct formula formula =
        formula_of(estimate->footprint.it_kwh, estimate->pue, estimate->factor.kgco2eq_per_kwh, MASS_DIGITS);
    char low[UNITS_SIZE], high[UNITS_SIZE], pue[UNITS_SIZE];
    struct text factor;

    text_open(&factor, 4096);
    text_add(&factor, "PUE %s (%s%s%s); ", exact(estimate->pue, pue), quality_name(estimate->pue_quality),
             *estimate->supplementary.pue.source ? ": " : "", estimate->supplementary.pue.source);
    factor_describe(&estimate->factor, &factor);
    if (!text_ok(&factor)) {
        text_close(&factor);
        return error_set(err, ERROR_SYSTEM, "no memory to print the estimate");
    }
    fputs("estimate, nothing was measured\n\n", out);
    if (estimate->cpu.how[0])
        print_cpu(estimate, out);
    if (estimate->gpu_typed)
        print_gpu(estimate, out);
    print_energy(estimate, out);
    fprintf(out, "  emits     %s", formula.result);
    if (!isnan(estimate->kgco2eq_low))
        fprintf(out, " (modelled, %s to %s)", units_mass(estimate->kgco2eq_low, low),
                units_mass(estimate->kgco2eq_high, high));
    fprintf(out, "\n            %s\n", formula.terms);
    paragraph_write(out, "  factors   ", factor.data);
    print_rates(estimate, out);
    print_supplementary(estimate, out);
    sci_text(&estimate->sci, false, out);
    equivalents_text(&estimate->equivalents, units_mass(estimate->footprint.kgco2eq, low), out);
    text_close(&factor);
    return true;
}
