/* SPDX-License-Identifier: MIT
 * Emissions in a page: location-based, and separately reported figures. */
#include "result/page/html_sections.h"

#include "base/text.h"
#include "result/factor_text.h"
#include "result/formula.h"
#include "result/own_text.h"
#include "result/verdict_text.h"

#include <math.h>
#include <string.h>

static const char *grams(double value_kg, char out[UNITS_SIZE])
{
    return units_digits(value_kg * G_PER_KG, 4, out);
}

static const char *four_digits(double value, char out[UNITS_SIZE])
{
    return units_digits(value, 4, out);
}

/* Where it is known, with the bound that it is. */
static void cell_bound(FILE *out, const char *bound, double value, html_units *units, const char *key, const char *name)
{
    html_cell_open(out);
    html_text(out, isfinite(value) ? bound : "");
    html_figure(out, units, value, "emissions.%s.%s", key, name);
    html_cell_end(out);
}

/* A yearly figure needs stated hours of use. */
static bool has_year(const struct report *report)
{
    return report->hours_quality == QUALITY_GIVEN;
}

static void write_emission(FILE *out, const struct report *report, const char *name, const char *key,
                           const struct emission *emission, const char *bound)
{
    html_row(out, name);
    cell_bound(out, bound, emission->footprint.it_kwh, four_digits, key, "it_kwh");
    cell_bound(out, bound, emission->footprint.facility_kwh, four_digits, key, "facility_kwh");
    html_cell_figure(out, grams, emission->kgco2eq_per_kwh, "emissions.%s.kgco2eq_per_kwh", key);
    cell_bound(out, bound, emission->footprint.kgco2eq, units_mass, key, "kgco2eq");
    html_cell_figure(out, units_mass, emission->kgco2eq_per_h, "emissions.%s.kgco2eq_per_h", key);
    if (has_year(report))
        html_cell_figure(out, units_mass, emission->kgco2eq_per_year, "emissions.%s.kgco2eq_per_year", key);
    html_row_end(out);
}

/* "gross", "gross, location-based"; with two bases in one table: "gross, location-based, lifecycle". */
static void write_by(FILE *out, const struct report *report, const char *what, const char *method,
                     const struct factor *factor, const char *key, const struct emission *emission, const char *bound)
{
    const struct factor *market = &report->supplementary.market;
    const bool bases = isfinite(market->kgco2eq_per_kwh) && market->basis != report->factor.basis;
    char name[128];

    if (isnan(market->kgco2eq_per_kwh))
        snprintf(name, sizeof name, "%s", what);
    else
        snprintf(name, sizeof name, "%s, %s-based%s%s", what, method, bases ? ", " : "",
                 bases ? factor_basis_name(factor->basis) : "");
    write_emission(out, report, name, key, emission, bound);
}

/* Market-based emissions, with the location-based figure of the same basis, unless it is the first one. */
static void write_market(FILE *out, const struct report *report)
{
    const struct factor *market = &report->supplementary.market,
                        *location = supplementary_market(&report->supplementary);

    if (isnan(market->kgco2eq_per_kwh))
        return;
    write_by(out, report, "gross", "market", market, "gross_market", &report->gross_market, lower_bound_text(report));
    write_by(out, report, "net", "market", market, "net_market", &report->net_market, "");
    if (market->basis == report->factor.basis || isnan(location->kgco2eq_per_kwh))
        return;
    write_by(out, report, "gross", "location", location, "gross_market_location", &report->gross_market_location,
             lower_bound_text(report));
    write_by(out, report, "net", "location", location, "net_market_location", &report->net_market_location, "");
}

static void write_table(FILE *out, const struct report *report)
{
    const char *const columns[] = {
        "emission", "kWh", "kWh with PUE", "gCO2eq/kWh", "emissions", "per hour", has_year(report) ? "per year" : NULL,
        NULL
    };

    html_table(out, report->summary.runs > 1 ? "emissions of the mean run" : "emissions of the run", columns,
               has_year(report) ? 6 : 5);
    write_by(out, report, "gross", "location", &report->factor, "gross", &report->gross, lower_bound_text(report));
    if (net_is_void(&report->summary))
        write_emission(out, report, "net: " NET_IS_VOID, "net", &report->net, "");
    else
        write_by(out, report, "net", "location", &report->factor, "net", &report->net, "");
    if (isfinite(report->share.footprint.kgco2eq))
        write_emission(out, report, "share of net", "share", &report->share, "");
    if (own_is_apart(report))
        write_emission(out, report, "own", "own", &report->own, "");
    write_market(out, report);
    html_table_end(out);
}

static void write_added(FILE *out, const char *name, const char *key, const struct added *added, const char *bound)
{
    if (isnan(added->gross_kgco2eq))
        return;
    html_term_open(out, name);
    html_words(out, "gross %s", bound);
    html_figure(out, units_mass, added->gross_kgco2eq, "emissions.%s.gross_kgco2eq", key);
    if (isfinite(added->net_kgco2eq)) {
        fputs(", net ", out);
        html_figure(out, units_mass, added->net_kgco2eq, "emissions.%s.net_kgco2eq", key);
    }
    html_term_end(out);
}

static void write_factor(FILE *out, const char *name, const struct factor *factor)
{
    struct text text;

    text_open(&text, 4096);
    factor_describe(factor, &text);
    html_term(out, name, text.data);
    text_close(&text);
}

static void write_water(FILE *out, const struct report *report)
{
    if (isnan(report->gross_water_l))
        return;
    html_term_open(out, "water, gross (litres)");
    html_text(out, lower_bound_text(report));
    html_figure(out, NULL, report->gross_water_l, "emissions.gross_water_l");
    if (*report->supplementary.wue.source) {
        fputs("; WUE: ", out);
        html_word(out, report->supplementary.wue.source);
    }
    html_term_end(out);
}

void html_emissions(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);
    const struct published *pue = &report->supplementary.pue;
    const bool market = isfinite(report->supplementary.market.kgco2eq_per_kwh);

    write_table(out, report);
    html_terms(out);
    write_factor(out, report->by_hour.enabled ? "factor of the year" : "factor", &report->factor);
    html_term_open(out, "PUE");
    html_figure(out, NULL, report->pue, "pue.value");
    fputs(" (", out);
    html_text(out, quality_name(report->pue_quality));
    if (*pue->source) {
        fputs(": ", out);
        html_word(out, pue->source);
    }
    fputs(")", out);
    html_term_end(out);
    if (has_year(report)) {
        html_term_open(out, "hours a year");
        html_figure(out, NULL, report->hours_per_year, "hours_per_year.value");
        html_words(out, " (%s)", quality_name(report->hours_quality));
        html_term_end(out);
    }
    if (market)
        write_factor(out, "market-based factor", &report->supplementary.market);
    if (market && report->supplementary.market.basis != report->factor.basis &&
        isfinite(report->supplementary.market_location.kgco2eq_per_kwh))
        write_factor(out, "location-based factor for comparison", &report->supplementary.market_location);
    write_added(out, "grid losses, not included above", "td_losses", &report->td_losses, lower_bound_text(report));
    write_added(out, "fuel supply, not included above", "upstream", &report->upstream, lower_bound_text(report));
    write_water(out, report);
    html_terms_end(out);
}

bool html_has_sci(const void *subject)
{
    return page_report(subject)->sci.enabled || page_report(subject)->equivalents.count;
}

static void write_sci(FILE *out, const struct sci *sci, const char *bound)
{
    char units[TEXT_NUMBER_SIZE];
    struct text text;

    text_open(&text, 512);
    text_add(&text, "Software Carbon Intensity, per %s", *sci->unit ? sci->unit : "unit");
    html_terms(out);
    html_term_open(out, text.data ? text.data : "Software Carbon Intensity");
    html_text(out, isfinite(sci->kgco2eq_per_unit) ? bound : "");
    html_figure(out, units_mass, sci->kgco2eq_per_unit, "sci.kgco2eq_per_unit");
    html_term_end(out);
    html_term(out, "units of one run", text_number(sci->units, units));
    html_term_open(out, "operation (gross)");
    html_text(out, isfinite(sci->operational_kgco2eq) ? bound : "");
    html_figure(out, units_mass, sci->operational_kgco2eq, "sci.operational_kgco2eq");
    html_term_end(out);
    html_term_open(out, "making the machine, the run's part");
    html_figure(out, units_mass, sci->embodied_kgco2eq, "sci.embodied_kgco2eq");
    html_term_end(out);
    html_term(out, "machine", sci->machine);
    html_terms_end(out);
    text_close(&text);
}

static void with_blanks(char *field, size_t size, const char *name)
{
    text_copy(field, size, name);
    for (char *c = field; *c; c++)
        if (*c == '_')
            *c = ' ';
}

static void write_equivalents(FILE *out, const struct equivalents *equivalents)
{
    static const char *const columns[] = { "what", "as much as", "kgCO2eq of one", "unit", "whose figure", NULL };
    char name[sizeof equivalents->items[0].name], unit[sizeof equivalents->items[0].unit], amount[UNITS_SIZE];

    html_table(out, "gross is roughly equivalent to:", columns, 2);
    for (size_t i = 0; i < equivalents->count; i++) {
        const struct equivalent *item = &equivalents->items[i];
        with_blanks(name, sizeof name, item->name);
        with_blanks(unit, sizeof unit, item->unit);
        html_row(out, name);
        html_cell_number(out, units_digits(item->amount, 3, amount));
        html_cell_figure(out, NULL, item->kgco2eq_per_unit, "equivalents.%zu.kgco2eq_per_unit", i);
        html_cell(out, unit);
        html_cell(out, item->source);
        html_row_end(out);
    }
    html_table_end(out);
}

void html_sci(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);

    if (report->sci.enabled)
        write_sci(out, &report->sci, lower_bound_text(report));
    if (report->equivalents.count)
        write_equivalents(out, &report->equivalents);
}
