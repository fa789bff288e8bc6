/* SPDX-License-Identifier: MIT
 * The parts of the text of a report that tell whose the emissions are: scopes, the jobs' own energy, units of work; and
 * what else emits as much. */
#include "commands/report/annual_appendix.h"

#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ANNUAL_EQUIVALENTS = 3 };

const char *annex_percent(double share, char out[UNITS_SIZE])
{
    const double percent = 100 * share;

    if (percent > 0 && percent < 0.01) /* 0.00 % would mean no coverage */
        snprintf(out, UNITS_SIZE, "<0.01");
    else
        units_digits(percent, 2, out);
    return out;
}

const char *annex_digits(double value, int count, char out[UNITS_SIZE])
{
    return isfinite(value) ? units_digits(value, count, out) : strcpy(out, "-");
}

static void add_scope(struct document *document, const char *name, const struct annual_part *part,
                      const struct annual_figures *total)
{
    char value[UNITS_SIZE], kwh[UNITS_SIZE], records[24];
    const char *const cells[] = { name, annex_digits(part->value, total->kgco2eq_digits, value),
                                  annex_digits(part->kwh, total->kwh_digits, kwh), records };

    snprintf(records, sizeof records, "%" PRIu64, part->records);
    document_row(document, BLOCK_ROW, cells, sizeof cells / sizeof cells[0]);
}

/* Scope 2 is direct, by location and by market; what lifecycle has beyond it is category 3. */
void annex_scopes(struct document *document, const struct annual *annual)
{
    static const char *const heads[] = { "what", "kgCO2eq", "of kWh", "of records" };
    const struct annual_categories categories = annual_categories_of(annual->boundary);
    const struct annual_figures *total = &annual->total;
    char kwh[UNITS_SIZE];

    document_add(document, BLOCK_HEADING, "Scopes (GHG Protocol)");
    document_row(document, BLOCK_HEAD, heads, sizeof heads / sizeof heads[0]);
    add_scope(document, "electricity, location-based", &total->scope2_kgco2eq, total);
    add_scope(document, "electricity, market-based", &total->scope2_market_kgco2eq, total);
    add_scope(document, "its supply", &total->scope3_kgco2eq, total);
    document_add(document, BLOCK_ITEM, "electricity, %s: emissions of power plants (direct)", categories.electricity);
    document_add(document, BLOCK_ITEM,
                 "its supply, %s: lifecycle - direct, so the fuel's supply and the plants; not the grid's losses",
                 categories.upstream);
    if (total->scope2_stand_in_kwh.records)
        document_add(document, BLOCK_ITEM,
                     "market-based: %s kWh (%" PRIu64
                     " records) are at the direct location-based factor, without a contract or residual mix",
                     units_digits(total->scope2_stand_in_kwh.value, total->kwh_digits, kwh),
                     total->scope2_stand_in_kwh.records);
}

void annex_own(struct document *document, const struct annual_figures *total)
{
    static const char *const heads[] = { "by", "records", "runs", "kWh own", "of kWh gross" };
    char value[UNITS_SIZE], kwh[UNITS_SIZE], mass[UNITS_SIZE], records[24], runs[24];

    if (!total->own_kwh.records)
        return;
    document_add(document, BLOCK_HEADING, "Own energy of the jobs");
    document_add(document, BLOCK_PARAGRAPH,
                 "own: %s kWh, of %s kWh gross, %s kgCO2eq; known of %" PRIu64 " of %" PRIu64 " runs (%" PRIu64
                 " of %" PRIu64 " records)",
                 annex_digits(total->own_kwh.value, total->kwh_digits, value),
                 annex_digits(total->own_kwh.kwh, total->kwh_digits, kwh),
                 annex_digits(total->own_kgco2eq.value, total->kgco2eq_digits, mass), total->own_kwh.runs, total->runs,
                 total->own_kwh.records, total->records);
    document_row(document, BLOCK_HEAD, heads, sizeof heads / sizeof heads[0]);
    for (enum own_method method = 0; method < OWN_METHODS; method++) {
        const struct annual_part *part = &total->own_by_method[method];
        const char *const cells[] = { own_method_name(method), records, runs,
                                      annex_digits(part->value, total->kwh_digits, value),
                                      annex_digits(part->kwh, total->kwh_digits, kwh) };
        snprintf(records, sizeof records, "%" PRIu64, part->records);
        snprintf(runs, sizeof runs, "%" PRIu64, part->runs);
        if (part->records)
            document_row(document, BLOCK_ROW, cells, sizeof cells / sizeof cells[0]);
    }
}

void annex_sci(struct document *document, const struct annual *annual)
{
    static const char *const heads[] = { "project",         "unit", "units", "operation, kgCO2eq", "making, kgCO2eq",
                                         "kgCO2eq per unit" };
    char units[UNITS_SIZE], operation[UNITS_SIZE], making[UNITS_SIZE], score[UNITS_SIZE];

    if (!annual->total.sci.records)
        return;
    document_add(document, BLOCK_HEADING, "Software Carbon Intensity of projects");
    document_row(document, BLOCK_HEAD, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < annual->project_count; i++) {
        const struct annual_sci *sci = &annual->projects[i].figures.sci;
        const char *const cells[] = { annual_group_name(&annual->projects[i]),
                                      sci->mixed   ? "several kinds: no sum"
                                      : *sci->unit ? sci->unit
                                                   : "unit",
                                      annex_digits(sci->units, 6, units),
                                      annex_digits(sci->operational_kgco2eq, 4, operation),
                                      annex_digits(sci->embodied_kgco2eq, 4, making),
                                      annex_digits(sci->kgco2eq_per_unit, 4, score) };
        if (sci->records)
            document_row(document, BLOCK_ROW, cells, sizeof cells / sizeof cells[0]);
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "(operational + embodied) / units, of the records that declare units (ISO/IEC 21031); without "
                 "embodied emissions the score is unknown");
}

static void with_blanks(char *out, size_t size, const char *name)
{
    text_copy(out, size, name);
    for (char *c = out; *c; c++)
        if (*c == '_')
            *c = ' ';
}

void annex_equivalents(struct document *document, const struct annual *annual)
{
    const struct equivalent *nearest[ANNUAL_EQUIVALENTS];
    const size_t count = equivalents_nearest(&annual->equivalents, nearest, ANNUAL_EQUIVALENTS);
    char amount[UNITS_SIZE], each[UNITS_SIZE], name[sizeof nearest[0]->name], unit[sizeof nearest[0]->unit];

    if (!count)
        return;
    document_add(document, BLOCK_HEADING, "Equivalents");
    document_add(document, BLOCK_PARAGRAPH, "kgCO2eq, gross, roughly equivalent to:");
    for (size_t i = 0; i < count; i++) {
        with_blanks(name, sizeof name, nearest[i]->name);
        with_blanks(unit, sizeof unit, nearest[i]->unit);
        document_add(document, BLOCK_ITEM, "%s %s, %s: %s kgCO2eq each (%s%s%d, %s)",
                     units_digits(nearest[i]->amount, 3, amount), unit, name,
                     units_digits(nearest[i]->kgco2eq_per_unit, 4, each), nearest[i]->region,
                     nearest[i]->region[0] ? " " : "", nearest[i]->year, nearest[i]->source);
    }
}
