/* SPDX-License-Identifier: MIT
 * Separate lines for figures that are never mixed into the location-based figure. */
#include "result/supplementary_text.h"

#include "form/paragraph.h"
#include "result/factor_text.h"
#include "result/formula.h"

#include <math.h>

static void print_by(const struct report *report, const struct factor *factor, FILE *out)
{
    const struct footprint *gross = &report->gross.footprint, *net = &report->net.footprint;
    const struct formula gross_sum = formula_of(gross->it_kwh, report->pue, factor->kgco2eq_per_kwh, 3);
    struct text text;

    fprintf(out, "  gross  %s%s = %s\n", lower_bound_text(report), gross_sum.result, gross_sum.terms);
    if (isfinite(net->kgco2eq)) {
        const struct formula net_sum = formula_of(net->it_kwh, report->pue, factor->kgco2eq_per_kwh, 3);
        fprintf(out, "  net    %s = %s\n", net_sum.result, net_sum.terms);
    }
    text_open(&text, 4096);
    factor_describe(factor, &text);
    paragraph_write(out, "  factor ", text.data ? text.data : "");
    text_close(&text);
}

/* With the figure above if both have the same basis; else with the location-based one of its basis. */
static void print_market(const struct report *report, FILE *out)
{
    const struct factor *market = &report->supplementary.market,
                        *location = supplementary_market(&report->supplementary);
    const char *basis = factor_basis_name(market->basis);

    if (isnan(report->gross_market.footprint.kgco2eq))
        return;
    if (market->basis == report->factor.basis) {
        fprintf(out, "  market-based (reported separately):\n");
        print_by(report, market, out);
        return;
    }
    fprintf(out, "  market-based, %s (the above is %s, and not to be compared with it):\n", basis,
            factor_basis_name(report->factor.basis));
    print_by(report, market, out);
    if (isnan(location->kgco2eq_per_kwh)) {
        fprintf(out, "  no comparable location-based figure (%s) is known\n", basis);
        return;
    }
    fprintf(out, "  location-based, %s (reported separately):\n", basis);
    print_by(report, location, out);
}

/* "  grid losses, beside the above: gross 1.2 mgCO2eq, net 0.6 mgCO2eq; 18.3 gCO2eq/kWh" */
static void print_added(const char *what, const char *bound, const struct added *added, FILE *out)
{
    char gross[UNITS_SIZE], net[UNITS_SIZE], factor[UNITS_SIZE];

    if (isnan(added->gross_kgco2eq))
        return;
    fprintf(out, "  %s, not included above: gross %s%s", what, bound, units_mass(added->gross_kgco2eq, gross));
    if (isfinite(added->net_kgco2eq))
        fprintf(out, ", net %s", units_mass(added->net_kgco2eq, net));
    fprintf(out, "; %s gCO2eq/kWh\n", units_digits(added->kgco2eq_per_kwh * G_PER_KG, 4, factor));
}

static void print_water(const struct report *report, FILE *out)
{
    const struct published *wue = &report->supplementary.wue;
    char gross[UNITS_SIZE], net[UNITS_SIZE], litres[TEXT_NUMBER_SIZE];
    struct text text;

    if (isnan(report->gross_water_l))
        return;
    text_open(&text, 4096);
    text_add(&text, "gross %s%s L", lower_bound_text(report), units_digits(report->gross_water_l, 3, gross));
    if (isfinite(report->net_water_l))
        text_add(&text, ", net %s L", units_digits(report->net_water_l, 3, net));
    text_add(&text, "; WUE %s L/kWh of IT energy (%s)%s%s", text_number(wue->value, litres), quality_name(wue->quality),
             *wue->source ? ": " : "", wue->source);
    paragraph_write(out, "  water  ", text.data ? text.data : "");
    text_close(&text);
}

void supplementary_text(const struct report *report, FILE *out)
{
    print_market(report, out);
    print_added("grid losses", lower_bound_text(report), &report->td_losses, out);
    print_added("fuel supply", lower_bound_text(report), &report->upstream, out);
    print_water(report, out);
}
