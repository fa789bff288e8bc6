/* SPDX-License-Identifier: MIT
 * The answer of a period: a sentence, a row for each quality, what it is based on. The whole is in annual_text.c. */
#include "commands/report/annual.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/report/annual_appendix.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "result/report.h"

#include <inttypes.h>
#include <math.h>

enum {
    NAME_WIDTH = 10,
    RECORDS_WIDTH = 9,
    KWH_WIDTH = 10,
    PUE_WIDTH = 14,
    MASS_WIDTH = 11,
    RANGE_WIDTH = 22,
    WIDE = 80
};

struct annual_lines {
    const struct annual *annual;
    const struct table_style *style;
    FILE *out;
};

static void print_line(const struct annual_lines *page, const char *label, struct text *text)
{
    paragraph_write_within(page->out, page->style->width, label, text_ok(text) ? text->data : "");
    text_close(text);
}

/* "2026", "2026-01-01 to 2026-04-01". */
static void add_period(const struct annual *annual, struct text *text)
{
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE];

    if (annual->year)
        text_add(text, "%d", annual->year);
    else
        text_add(text, "%s to %s", clock_minute_text(annual->from_ns / NS_PER_S_INT, from),
                 clock_minute_text(annual->to_ns / NS_PER_S_INT, to));
}

/* Joules of what is less than a watt-hour. */
static const char *electricity_text(double kwh, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];

    if (kwh < 0.001)
        return units_energy(kwh * J_PER_KWH, out);
    snprintf(out, UNITS_SIZE, "%.20s kWh", units_digits(kwh, 3, digits));
    return out;
}

void annual_add_sentence(const struct annual *annual, struct text *text)
{
    const struct annual_figures *total = &annual->total;
    char kwh[UNITS_SIZE], mass[UNITS_SIZE], percent[UNITS_SIZE];

    if (annual->entity[0])
        text_add(text, "%s, ", annual->entity);
    add_period(annual, text);
    if (annual_is_fleet(annual))
        text_add(text, ": the nodes");
    else
        text_add(text, ": %" PRIu64 " record%s", total->records, total->records == 1 ? "" : "s");
    text_add(text, " used %s with PUE and emitted %s", electricity_text(total->facility_kwh, kwh),
             units_mass(total->kgco2eq, mass));
    if (annual->has_previous && annual->previous.kgco2eq > 0)
        text_add(text, ", %s %% %s than %d",
                 units_digits(100 * fabs(annual->change.kgco2eq) / annual->previous.kgco2eq, 2, percent),
                 annual->change.kgco2eq < 0 ? "less" : "more", annual->previous_year);
}

static void print_sentence(const struct annual_lines *page)
{
    struct text text;

    text_open(&text, 4096);
    annual_add_sentence(page->annual, &text);
    fputs(page->style->colour ? "\033[1m" : "", page->out);
    print_line(page, "", &text);
    fputs(page->style->colour ? "\033[0m" : "", page->out);
}

static void print_row(const struct annual_lines *page, const char *name, const struct annual_figures *figures)
{
    char cell[2 * UNITS_SIZE + 8], low[UNITS_SIZE], high[UNITS_SIZE];

    cell_name(page->out, NAME_WIDTH, name);
    snprintf(cell, sizeof cell, "%" PRIu64, figures->records);
    cell_write(page->out, RECORDS_WIDTH, cell);
    cell_write(page->out, KWH_WIDTH, annex_digits(figures->it_kwh, figures->kwh_digits, cell));
    cell_write(page->out, PUE_WIDTH, annex_digits(figures->facility_kwh, figures->kwh_digits, cell));
    cell_write(page->out, MASS_WIDTH, annex_digits(figures->kgco2eq, figures->kgco2eq_digits, cell));
    if (page->style->width >= WIDE) {
        if (isfinite(figures->kgco2eq_interval.low))
            snprintf(cell, sizeof cell, "%s to %s", units_digits(figures->kgco2eq_interval.low, 3, low),
                     units_digits(figures->kgco2eq_interval.high, 3, high));
        else
            snprintf(cell, sizeof cell, "unknown");
        cell_write(page->out, RANGE_WIDTH, cell);
    }
    fputc('\n', page->out);
}

static void print_table(const struct annual_lines *page)
{
    size_t kinds = 0;

    cell_name(page->out, NAME_WIDTH, "");
    cell_write(page->out, RECORDS_WIDTH, "records");
    cell_write(page->out, KWH_WIDTH, "kWh");
    cell_write(page->out, PUE_WIDTH, "kWh with PUE");
    cell_write(page->out, MASS_WIDTH, "kgCO2eq");
    if (page->style->width >= WIDE)
        cell_write(page->out, RANGE_WIDTH, "95 % CI or range");
    fputc('\n', page->out);
    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        if (page->annual->by_quality[quality].records) {
            print_row(page, quality_name(quality), &page->annual->by_quality[quality]);
            kinds++;
        }
    if (kinds > 1)
        print_row(page, "total", &page->annual->total);
}

static void print_carbon(const struct annual_lines *page)
{
    const struct annual_figures *total = &page->annual->total;
    const struct annual_part *market = &total->market_kgco2eq;
    char mass[UNITS_SIZE], kwh[UNITS_SIZE], all[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "location-based, %s", annual_basis_text(page->annual));
    if (market->records)
        text_add(&text, "; market-based %s kgCO2eq", annex_digits(market->value, total->kgco2eq_digits, mass));
    if (market->records && market->kwh < 0.9995 * total->it_kwh)
        text_add(&text, " for %s of %s kWh", units_digits(market->kwh, 3, kwh), units_digits(total->it_kwh, 3, all));
    print_line(page, "  carbon  ", &text);
}

static void print_coverage(const struct annual_lines *page)
{
    const struct annual *annual = page->annual;
    char percent[UNITS_SIZE], kwh[UNITS_SIZE], mass[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%s cover %s %% of the period; consumption outside is unknown, not 0",
             annual_is_fleet(annual) ? "the nodes' counters" : "recorded runs",
             annex_percent(annual->covered_share, percent));
    print_line(page, "  period  ", &text);
    if (annual->extrapolation.rule == RULE_NONE)
        return;
    text_open(&text, 4096);
    text_add(&text, "%s kWh, %s kgCO2eq by %s, not included above", units_digits(annual->extrapolation.it_kwh, 3, kwh),
             units_digits(annual->extrapolation.kgco2eq, 3, mass), annual_rule_name(annual->extrapolation.rule));
    print_line(page, "  whole   ", &text);
}

/* The period line has the coverage, and the carbon line the basis. */
static bool is_said(const void *context, const struct notice *notice, size_t index)
{
    const struct annual_lines *page = context;

    return (index == 0 && page->annual->scarce) || notice->kind == NOTICE_BASIS;
}

bool annual_answer(const struct annual *annual, const struct table_style *style, FILE *out, struct error *err)
{
    const struct annual_lines page = { annual, style, out };

    print_sentence(&page);
    print_table(&page);
    print_carbon(&page);
    print_coverage(&page);
    notices_text_short(out, &annual->notices, NOTES_SHOWN, style->width, style->colour, style->more, is_said, &page);
    return !ferror(out) || error_errno(err, "cannot write the report");
}

bool annual_line(const struct annual *annual, FILE *out, struct error *err)
{
    enum quality worst = QUALITY_UNKNOWN;

    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        if (annual->by_quality[quality].records)
            worst = quality;
    c_fprintf(out, "%.6g kWh %s gross", annual->total.it_kwh, quality_name(worst));
    if (isfinite(annual->total.kgco2eq))
        c_fprintf(out, " %.6g kgCO2eq", annual->total.kgco2eq);
    else
        fprintf(out, " unknown kgCO2eq");
    fprintf(out, "%s\n", annual->scarce ? " incomplete" : "");
    return !ferror(out) || error_errno(err, "cannot write the report");
}
