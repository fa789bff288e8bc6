/* SPDX-License-Identifier: MIT
 * What the figures of a period stand on, how they were made, who published what, and every digit of them. */
#include "commands/report/annual_appendix.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { NODES_SHOWN = 20 };

static const char *or_not_said(const char *text)
{
    return *text ? text : "not said";
}

static void add_row(struct document *document, const char *const *cells, size_t count)
{
    document_row(document, BLOCK_ROW, cells, count);
}

#define ADD_HEAD(document, ...)                                                                                        \
    do {                                                                                                               \
        const char *const heads[] = { __VA_ARGS__ };                                                                   \
        document_row(document, BLOCK_HEAD, heads, sizeof heads / sizeof heads[0]);                                     \
    } while (0)
#define ADD_ROW(document, ...)                                                                                         \
    do {                                                                                                               \
        const char *const cells[] = { __VA_ARGS__ };                                                                   \
        add_row(document, cells, sizeof cells / sizeof cells[0]);                                                      \
    } while (0)

static void add_pues(struct document *document, const struct annual *annual)
{
    char value[TEXT_NUMBER_SIZE], kwh[UNITS_SIZE];

    document_add(document, BLOCK_HEADING, "PUE");
    ADD_HEAD(document, "source", "quality", "PUE", "kWh");
    for (size_t i = 0; i < annual->pue_count; i++)
        ADD_ROW(document,
                annual->pues[i].source[0]                    ? annual->pues[i].source
                : annual->pues[i].quality == QUALITY_DEFAULT ? "assumed: no overhead"
                                                             : "stated",
                quality_name(annual->pues[i].quality), text_rounded(annual->pues[i].value, value),
                units_digits(annual->pues[i].figures.it_kwh, annual->pues[i].figures.kwh_digits, kwh));
}

static void add_factor(struct document *document, const struct annual_factor *item)
{
    const struct factor *factor = &item->factor;
    const bool known = !isnan(factor->kgco2eq_per_kwh);
    char value[TEXT_NUMBER_SIZE], year[24] = "", kwh[UNITS_SIZE], zone[128];

    if (factor->year > 0)
        snprintf(year, sizeof year, "%d", factor->year);
    snprintf(zone, sizeof zone, "%s%s", factor->zone[0] ? factor->zone : "stated",
             item->service[0] ? ", by the hour" : "");
    ADD_ROW(document, zone, year, known ? text_rounded(factor->kgco2eq_per_kwh * G_PER_KG, value) : "-",
            known ? or_not_said(factor_basis_name(factor->basis)) : "not said", or_not_said(factor->td_losses),
            or_not_said(factor->gases),
            item->hourly_source_id[0] ? item->hourly_source_id
            : factor->source_id[0]    ? factor->source_id
                                      : quality_name(factor->quality),
            units_digits(item->figures.facility_kwh, item->figures.kwh_digits, kwh));
}

static void add_factors(struct document *document, const char *heading, const struct annual_factor *factors,
                        size_t count)
{
    if (!count)
        return;
    document_add(document, BLOCK_HEADING, "%s", heading);
    ADD_HEAD(document, "zone", "year", "gCO2eq/kWh", "basis", "losses", "gases", "source", "kWh with PUE");
    for (size_t i = 0; i < count; i++)
        add_factor(document, &factors[i]);
    for (size_t i = 0; i < count; i++)
        if (factors[i].service[0])
            document_add(document, BLOCK_PARAGRAPH, "by the hour: %s; the factor in the table is the fallback for gaps",
                         factors[i].service);
}

static void add_embodied(struct document *document, const struct annual *annual)
{
    char machine[UNITS_SIZE], years[UNITS_SIZE], share[UNITS_SIZE], mass[UNITS_SIZE];

    if (!annual->embodied_count)
        return;
    document_add(document, BLOCK_HEADING, "Embodied emissions");
    document_add(document, BLOCK_PARAGRAPH,
                 "of a run: emissions of making the machine x time / lifetime x reserved share (ISO/IEC 21031)");
    ADD_HEAD(document, "machine", "kgCO2eq to make", "lifetime in years", "share", "source", "kgCO2eq");
    for (size_t i = 0; i < annual->embodied_count; i++) {
        const struct annual_embodied *item = &annual->embodied[i];
        ADD_ROW(document, item->machine[0] ? item->machine : "stated", units_digits(item->machine_kgco2eq, 4, machine),
                units_digits(item->lifetime_years, 3, years), units_digits(item->reserved_share, 3, share),
                item->source_id[0] ? item->source_id : quality_name(item->machine_quality),
                units_digits(item->figures.embodied_kgco2eq.value, 3, mass));
    }
}

/* Beside the part of each run's machine in it: this is of the whole machine, run or not. */
static void add_made(struct document *document, const struct annual *annual)
{
    char made[UNITS_SIZE], years[UNITS_SIZE], mass[UNITS_SIZE];

    if (!annual->machine_made_count)
        return;
    document_add(document, BLOCK_HEADING, "Making of the machines");
    ADD_HEAD(document, "machine", "kgCO2eq to make", "lifetime in years", "kgCO2eq of the period");
    for (size_t i = 0; i < annual->machine_made_count; i++) {
        const struct annual_machine *item = &annual->machines_made[i];
        ADD_ROW(document, item->name[0] ? item->name : "(this machine)", units_digits(item->kgco2eq, 4, made),
                units_digits(item->lifetime_years, 3, years), units_digits(item->period_kgco2eq, 4, mass));
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "stated in the configuration; spread evenly over the lifetime, whether the machine runs or not; in no "
                 "sum; %s",
                 annual_categories_of(annual->boundary).embodied);
}

static void add_machines(struct document *document, const struct annual *annual)
{
    char kwh[UNITS_SIZE];

    if (!annual->machine_count)
        return;
    document_add(document, BLOCK_HEADING, "Machines");
    ADD_HEAD(document, "processor", "kWh");
    for (size_t i = 0; i < annual->machine_count; i++)
        ADD_ROW(document, annual->machines[i].name,
                units_digits(annual->machines[i].figures.it_kwh, annual->machines[i].figures.kwh_digits, kwh));
}

void annex_stands_on(struct document *document, const struct annual *annual)
{
    add_pues(document, annual);
    add_factors(document, "Factors, location-based", annual->factors, annual->factor_count);
    add_factors(document, "Factors, market-based", annual->market_factors, annual->market_factor_count);
    add_factors(document, "Factors of the scopes, direct", annual->direct_factors, annual->direct_factor_count);
    add_factors(document, "Factors of the scopes, lifecycle", annual->lifecycle_factors,
                annual->lifecycle_factor_count);
    add_embodied(document, annual);
    add_made(document, annual);
    add_machines(document, annual);
}

void annex_coverage(struct document *document, const struct annual *annual)
{
    const struct annual_fleet *fleet = &annual->fleet;
    char first[CLOCK_TEXT_SIZE], last[CLOCK_TEXT_SIZE], hours[UNITS_SIZE], share[UNITS_SIZE], faults[96];

    if (!fleet->node_count)
        return;
    document_add(document, BLOCK_HEADING, "Coverage of the nodes");
    ADD_HEAD(document, "node", "from", "to", "hours", "% of the period", "gaps, resets, wraps");
    for (size_t i = 0; i < fleet->node_count && i < NODES_SHOWN; i++) {
        const struct annual_node *node = &fleet->nodes[i];
        annual_node_text(node, faults, sizeof faults);
        ADD_ROW(document, node->name, clock_minute_text(node->first_ns / NS_PER_S_INT, first),
                clock_minute_text(node->last_ns / NS_PER_S_INT, last),
                units_digits(node->covered_s / S_PER_H, 6, hours),
                units_digits(node->covered_s / 36 / annual->period_hours, 4, share), faults);
    }
    if (fleet->node_count > NODES_SHOWN)
        document_add(document, BLOCK_PARAGRAPH, "the %d that are covered least; --json and --csv have more",
                     NODES_SHOWN);
}

void annex_method(struct document *document, const struct annual *annual)
{
    document_add(document, BLOCK_HEADING, "Method");
    document_add(document, BLOCK_ITEM,
                 annual_is_fleet(annual)
                     ? "energy of a node: the steps of its counters from value to value, those of "
                       "parts that hold each other once; of the period: the sum over its nodes"
                     : "energy of a record: mean of its runs x runs; of the period: the sum over its "
                       "records, each once");
    document_add(document, BLOCK_ITEM,
                 "emissions: kWh x PUE x factor, or slice by slice at the intensity of its time "
                 "where a record was accounted by the hour");
    document_add(document, BLOCK_ITEM,
                 annual_is_fleet(annual)
                     ? "the period, its months and days are cut at values of the counters, which the "
                       "server gives for that time"
                     : "a run through an edge of the period is cut by its slices of time; one without "
                       "slices belongs to where it started; an estimate or another tool's run is cut by time");
    document_add(
        document, BLOCK_ITEM,
        annual_is_fleet(annual)
            ? "covered part: time between neighbouring values of a node's counters, by the hours of the period "
              "and the number of nodes"
            : "covered, measured part: time of the runs, of the measured ones, overlapping time counted once, by the "
              "hours of the period");
    if (annual->fleet.groups[0])
        document_add(
            document, BLOCK_ITEM,
            "energy of the nodes that no pod has is a separate group, so that all groups add up to the nodes' energy");
    document_add(document, BLOCK_ITEM,
                 "Scope 2: kWh x PUE x the direct factor of the record's zone and year; market-based by contracts, "
                 "else the residual mix, else the direct location-based factor; its supply: lifecycle - direct");
    document_add(document, BLOCK_ITEM,
                 "no offsets are netted, nothing is scaled up; an extrapolation stands by itself");
    if (!annual->source_count)
        return;
    document_add(document, BLOCK_HEADING, "Sources");
    for (size_t i = 0; i < annual->source_count; i++) {
        const struct annual_source *item = &annual->sources[i];
        document_add(document, BLOCK_ITEM, "%s: %s%s%s%s%s; licence: %s%s%s", item->id, item->title,
                     item->publisher[0] ? ", " : "", item->publisher, item->year[0] ? ", " : "", item->year,
                     or_not_said(item->licence), item->url[0] ? "; " : "", item->url);
    }
}

static const char *or_empty(double value, char out[TEXT_NUMBER_SIZE])
{
    return isnan(value) ? "" : text_number(value, out);
}

static void add_value(struct document *document, const char *name, const struct annual_figures *figures)
{
    char kwh[TEXT_NUMBER_SIZE], facility[TEXT_NUMBER_SIZE], mass[TEXT_NUMBER_SIZE], net[TEXT_NUMBER_SIZE];
    char own[TEXT_NUMBER_SIZE], location[TEXT_NUMBER_SIZE], market[TEXT_NUMBER_SIZE];

    if (figures->records)
        ADD_ROW(document, name, text_number(figures->it_kwh, kwh), text_number(figures->facility_kwh, facility),
                text_number(figures->kgco2eq, mass), or_empty(figures->net_kwh.value, net),
                or_empty(figures->own_kwh.value, own), or_empty(figures->scope2_kgco2eq.value, location),
                or_empty(figures->scope2_market_kgco2eq.value, market));
}

static void add_values_of(struct document *document, const char *what, const struct annual_group *groups, size_t count)
{
    char name[128];

    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s %s", what, annual_group_name(&groups[i]));
        add_value(document, name, &groups[i].figures);
    }
}

/* For who works on with them; how many digits the doubt lets stand is seen above. */
void annex_values(struct document *document, const struct annual *annual)
{
    document_add(document, BLOCK_HEADING, "Every digit");
    ADD_HEAD(document, "of", "kWh", "kWh with PUE", "kgCO2eq", "net kWh", "own kWh", "direct, location",
             "direct, market");
    add_value(document, "total", &annual->total);
    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        add_value(document, quality_name(quality), &annual->by_quality[quality]);
    add_values_of(document, "month", annual->months, annual->month_count);
    add_values_of(document, "project", annual->projects, annual->project_count);
    add_values_of(document, "label", annual->labels, annual->label_count);
    if (annual->has_previous)
        add_value(document, "the year before", &annual->previous);
}
