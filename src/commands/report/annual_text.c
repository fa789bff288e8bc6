/* SPDX-License-Identifier: MIT
 * The figures of a period for people: what an annual statement has to say, in its order. */
#include "config.h"

#include "commands/report/annual.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/report/annual_appendix.h"
#include "io/local_time.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TOP = 10 };

/* What was asked of all records alike. */
static void add_asked(struct document *document, const struct annual *annual)
{
    const struct annual_restating *restating = &annual->restating;
    char pue[TEXT_NUMBER_SIZE], energy[UNITS_SIZE];

    if (restating->zone[0] || restating->has_basis || restating->pue > 0)
        document_add(document, BLOCK_PARAGRAPH, "recalculated for all records with:%s%s%s%s%s%s%s%s",
                     restating->zone[0] ? " zone " : "", restating->zone, restating->set[0] ? " set " : "",
                     restating->set, restating->has_basis ? " basis " : "",
                     restating->has_basis ? factor_basis_name(restating->basis) : "", restating->pue > 0 ? " PUE " : "",
                     restating->pue > 0 ? text_rounded(restating->pue, pue) : "");
    if (annual->at_least_j > 0)
        document_add(document, BLOCK_PARAGRAPH, "records of less than %s are left out",
                     units_energy(annual->at_least_j, energy));
}

static void add_head(struct document *document, const struct annual *annual)
{
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE], local_from[CLOCK_TEXT_SIZE], local_to[CLOCK_TEXT_SIZE];
    char made[CLOCK_TEXT_SIZE], made_every[TEXT_NUMBER_SIZE], covered[UNITS_SIZE], percent[UNITS_SIZE],
        hours[UNITS_SIZE], year[24] = "";

    if (annual->year)
        snprintf(year, sizeof year, " %d", annual->year);
    document_add(document, BLOCK_TITLE, "Electricity and emissions%s%s%s", year, annual->entity[0] ? ": " : "",
                 annual->entity);
    if (annual->scarce)
        document_add(document, BLOCK_WARNING, "%s: %s", annual->notices.item[0].what, annual->notices.item[0].why);
    document_add(document, BLOCK_PARAGRAPH,
                 annual_is_fleet(annual)
                     ? "period %s to %s (UTC)%s%s%s%s; %s h, of which %s %% are covered by the nodes' "
                       "counters, the mean of the nodes, and %s %% were measured"
                     : "period %s to %s (UTC)%s%s%s%s; %s h, of which %s %% are covered by "
                       "runs and %s %% were measured",
                 clock_minute_text(annual->from_ns / NS_PER_S_INT, from),
                 clock_minute_text(annual->to_ns / NS_PER_S_INT, to), annual->local_time ? ", local time " : "",
                 annual->local_time ? local_time_text(annual->from_ns / NS_PER_S_INT, local_from) : "",
                 annual->local_time ? " to " : "",
                 annual->local_time ? local_time_text(annual->to_ns / NS_PER_S_INT, local_to) : "",
                 units_digits(annual->period_hours, 6, hours), annex_percent(annual->covered_share, covered),
                 annex_percent(annual->measured_share, percent));
    add_asked(document, annual);
    if (annual->project[0])
        document_add(document, BLOCK_PARAGRAPH, "project %s", annual->project);
    if (annual->label[0])
        document_add(document, BLOCK_PARAGRAPH, "label %s", annual->label);
    if (annual_is_fleet(annual))
        document_add(document, BLOCK_PARAGRAPH,
                     "made %s by carbon %s from the counters (%s) of %zu nodes that %s keeps, a value every %s s",
                     clock_minute_text(annual->made_realtime_ns / NS_PER_S_INT, made), PACKAGE_VERSION,
                     annual->fleet.exporters, annual->fleet.node_count, annual->fleet.url,
                     text_rounded(annual->fleet.step_s, made_every));
    else
        document_add(document, BLOCK_PARAGRAPH, "made %s by carbon %s from %" PRIu64 " records, %" PRIu64 " runs",
                     clock_minute_text(annual->made_realtime_ns / NS_PER_S_INT, made), PACKAGE_VERSION,
                     annual->total.records, annual->total.runs);
}

static void add_boundary(struct document *document, const struct annual *annual)
{
    document_add(document, BLOCK_HEADING, "Boundary");
    document_add(document, BLOCK_PARAGRAPH, "%s%s: %s", annual_boundary_name(annual->boundary),
                 annual->boundary_given ? "" : " (assumed)", annual_categories_of(annual->boundary).electricity);
    for (size_t i = 0; i < annual->scope_count; i++)
        document_add(document, BLOCK_PARAGRAPH, "scope %s: %s", annual->scopes[i].name,
                     annual_scope_text(annual->scopes[i].name));
    document_add(document, BLOCK_PARAGRAPH, "idle power is included (gross); net is shown with it");
}

static void add_kind(struct document *document, const char *name, const struct annual_figures *figures)
{
    char records[24], kwh[UNITS_SIZE], facility[UNITS_SIZE], mass[UNITS_SIZE], location[UNITS_SIZE], market[UNITS_SIZE];
    const char *const cells[] = {
        name,
        records,
        annex_digits(figures->it_kwh, figures->kwh_digits, kwh),
        annex_digits(figures->facility_kwh, figures->kwh_digits, facility),
        annex_digits(figures->kgco2eq, figures->kgco2eq_digits, mass),
        annex_digits(figures->scope2_kgco2eq.value, figures->kgco2eq_digits, location),
        annex_digits(figures->scope2_market_kgco2eq.value, figures->kgco2eq_digits, market),
    };

    snprintf(records, sizeof records, "%" PRIu64, figures->records);
    document_row(document, BLOCK_ROW, cells, sizeof cells / sizeof cells[0]);
}

static void add_table_head(struct document *document, const char *what)
{
    const char *const heads[] = {
        what, "records", "kWh", "kWh with PUE", "kgCO2eq", "direct, location", "direct, market",
    };

    document_row(document, BLOCK_HEAD, heads, sizeof heads / sizeof heads[0]);
}

static void add_line(struct document *document, const char *name, const struct annual_part *part, int count,
                     const char *unit, const char *category)
{
    char value[UNITS_SIZE], kwh[UNITS_SIZE];

    if (part->records)
        document_add(document, BLOCK_PARAGRAPH, "%s: %s %s, of %s kWh%s%s", name,
                     annex_digits(part->value, count, value), unit, units_digits(part->kwh, count, kwh),
                     *category ? "; " : "", category);
    else
        document_add(document, BLOCK_PARAGRAPH, "%s: not known", name);
}

static void add_totals(struct document *document, const struct annual *annual)
{
    const struct annual_categories categories = annual_categories_of(annual->boundary);
    const struct annual_figures *total = &annual->total;
    char name[64], covered[UNITS_SIZE];
    size_t kinds = 0;

    document_add(document, BLOCK_HEADING, "Energy and emissions");
    add_table_head(document, "quality");
    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        if (annual->by_quality[quality].records) {
            add_kind(document, quality_name(quality), &annual->by_quality[quality]);
            kinds++;
        }
    snprintf(name, sizeof name, kinds > 1 ? "all %zu kinds together" : "all", kinds);
    add_kind(document, name, total);
    if (annual->estimated.records)
        add_kind(document, "of which estimated", &annual->estimated);
    add_line(document, "net energy", &total->net_kwh, total->kwh_digits, "kWh", "");
    add_line(document, "emissions net of idle", &total->net_kgco2eq, total->kgco2eq_digits, "kgCO2eq", "");
    add_line(document, "grid losses", &total->td_losses_kgco2eq, total->kgco2eq_digits, "kgCO2eq", categories.losses);
    add_line(document, "supply of the fuel", &total->upstream_kgco2eq, total->kgco2eq_digits, "kgCO2eq",
             categories.upstream);
    add_line(document, "embodied", &total->embodied_kgco2eq, total->kgco2eq_digits, "kgCO2eq", categories.embodied);
    document_add(document, BLOCK_PARAGRAPH,
                 "kgCO2eq: gross, location-based, %s, of %s kWh; direct: combustion alone, of the records of which it "
                 "is known",
                 annual_basis_text(annual), annex_digits(total->kgco2eq_of_kwh, total->kwh_digits, covered));
    document_add(document, BLOCK_PARAGRAPH, "the lines above are reported separately; do not add them");
}

static void add_doubt(struct document *document, const struct annual *annual)
{
    const struct annual_figures *total = &annual->total;
    char low[UNITS_SIZE], high[UNITS_SIZE], noise[UNITS_SIZE];

    document_add(document, BLOCK_HEADING, "Uncertainty");
    if (isnan(total->kwh_interval.low)) {
        document_add(document, BLOCK_PARAGRAPH, "not known: no record has several runs, and none is modelled");
        return;
    }
    document_add(document, BLOCK_PARAGRAPH, "energy %s to %s kWh", units_digits(total->kwh_interval.low, 4, low),
                 units_digits(total->kwh_interval.high, 4, high));
    document_add(document, BLOCK_PARAGRAPH, "emissions %s to %s kgCO2eq",
                 units_digits(total->kgco2eq_interval.low, 4, low),
                 units_digits(total->kgco2eq_interval.high, 4, high));
    if (total->noise_records)
        document_add(document, BLOCK_PARAGRAPH,
                     "the spread of repeated runs, independent, in quadrature: %s kWh (one standard deviation; %" PRIu64
                     " records have one); 1.96 of it",
                     units_digits(total->noise_kwh, 2, noise), total->noise_records);
    if (isfinite(total->model_low_kwh))
        document_add(document, BLOCK_PARAGRAPH, "model ranges, added linearly (fully correlated): %s to %s kWh",
                     units_digits(total->model_low_kwh, 4, low), units_digits(total->model_high_kwh, 4, high));
    document_add(document, BLOCK_PARAGRAPH,
                 "not included: components without a counter, and the uncertainty of PUE and factors");
}

static void add_groups(struct document *document, const char *heading, const char *what,
                       const struct annual_group *groups, size_t count, size_t max)
{
    if (!count || (count == 1 && groups[0].kind == GROUP_NONE))
        return;
    document_add(document, BLOCK_HEADING, "%s", heading);
    add_table_head(document, what);
    for (size_t i = 0; i < count; i++) {
        if (i >= max && groups[i].kind == GROUP_NAMED)
            continue;
        add_kind(document, annual_group_name(&groups[i]), &groups[i].figures);
    }
    if (count > max)
        document_add(document, BLOCK_PARAGRAPH, "the %zu that emitted most; --json and --csv have more", max);
}

static void add_change(struct document *document, const struct annual *annual)
{
    const int count = annual->total.kgco2eq_digits;
    char before[UNITS_SIZE], now[UNITS_SIZE], all[UNITS_SIZE], energy[UNITS_SIZE], factor[UNITS_SIZE];

    document_add(document, BLOCK_HEADING, "Year on year");
    if (!annual->has_previous) {
        document_add(document, BLOCK_PARAGRAPH, "no data for the previous year");
        return;
    }
    document_add(document, BLOCK_PARAGRAPH, "%s kWh and %s kgCO2eq the year before",
                 units_digits(annual->previous.facility_kwh, count, now),
                 units_digits(annual->previous.kgco2eq, count, before));
    document_add(
        document, BLOCK_PARAGRAPH,
        "change %s kgCO2eq: %s by the energy, (E1 - E0) x (F0 + F1) / 2, and %s by the factor, (F1 - F0) x (E0 + "
        "E1) / 2",
        units_digits(annual->change.kgco2eq, count, all), units_digits(annual->change.energy_kgco2eq, count, energy),
        units_digits(annual->change.factor_kgco2eq, count, factor));
}

static void add_extrapolation(struct document *document, const struct annual_extrapolation *more)
{
    char kwh[UNITS_SIZE], mass[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];

    if (more->rule == RULE_NONE)
        return;
    document_add(document, BLOCK_HEADING, "Declared extrapolation (not included above)");
    document_add(document, BLOCK_PARAGRAPH, "%s = %s kWh, %s kgCO2eq", more->text, units_digits(more->it_kwh, 4, kwh),
                 units_digits(more->kgco2eq, 4, mass));
    if (isnan(more->kwh_interval.low))
        document_add(document, BLOCK_PARAGRAPH, "its interval is not known: %" PRIu64 " measured record%s",
                     more->records, more->records == 1 ? "" : "s");
    else
        document_add(document, BLOCK_PARAGRAPH,
                     "95 %%: %s to %s kWh, as if the %" PRIu64 " measured records were drawn at random from the period",
                     units_digits(more->kwh_interval.low, 4, low), units_digits(more->kwh_interval.high, 4, high),
                     more->records);
}

/* In a fleet projects are what it was asked for, and labels are the nodes. */
static void add_named(struct document *document, const struct annual *annual)
{
    const bool fleet = annual_is_fleet(annual);
    const char *groups = annual->fleet.groups;
    char heading[160] = "Projects";

    if (fleet && *groups)
        snprintf(heading, sizeof heading, strcmp(groups, "namespace") == 0 ? "Namespaces" : "Projects: label %s",
                 groups);
    add_groups(document, heading, fleet && *groups ? groups : "project", annual->projects, annual->project_count, TOP);
    add_groups(document, fleet ? "Nodes" : "Labels", fleet ? "node" : "label", annual->labels, annual->label_count,
               TOP);
    if (fleet)
        annex_coverage(document, annual);
}

void annual_document(const struct annual *annual, bool full, struct document *document)
{
    add_head(document, annual);
    add_boundary(document, annual);
    add_totals(document, annual);
    annex_scopes(document, annual);
    annex_own(document, &annual->total);
    add_doubt(document, annual);
    annex_stands_on(document, annual);
    add_groups(document, "Months", "month", annual->months, annual->month_count, annual->month_count);
    add_named(document, annual);
    annex_sci(document, annual);
    annex_equivalents(document, annual);
    add_change(document, annual);
    add_extrapolation(document, &annual->extrapolation);
    document_add(document, BLOCK_HEADING, "Exclusions, gaps and warnings");
    if (!annual->notices.count)
        document_add(document, BLOCK_PARAGRAPH, "none");
    for (size_t i = 0; i < annual->notices.count; i++)
        document_add(document, BLOCK_ITEM, "%s%s%s", annual->notices.item[i].what,
                     annual->notices.item[i].why[0] ? ": " : "", annual->notices.item[i].why);
    annex_method(document, annual);
    if (full)
        annex_values(document, annual);
}

static bool write(const struct annual *annual, bool full,
                  bool (*form)(const struct document *document, FILE *out, struct error *err), FILE *out,
                  struct error *err)
{
    struct document document = { .count = 0 };
    bool good;

    annual_document(annual, full, &document);
    good = form(&document, out, err);
    document_close(&document);
    return good;
}

bool annual_text(const struct annual *annual, FILE *out, struct error *err)
{
    return write(annual, false, document_text, out, err);
}

bool annual_markdown(const struct annual *annual, FILE *out, struct error *err)
{
    return write(annual, true, document_markdown, out, err);
}
