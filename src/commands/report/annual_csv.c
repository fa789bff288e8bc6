/* SPDX-License-Identifier: MIT
 * The figures of a period as CSV: a row for the total and for everything that has figures of its own, numbers exact,
 * unknown empty. */
#include "commands/report/annual_fields.h"
#include "commands/report/annual_total.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* What a row is about, and what else it counts; of a row without records what part of them a figure is of is empty. */
struct annual_csv_row {
    const char *part, *name, *detail;
    bool some;
    uint64_t own_records, own_runs;
};

#define OF struct annual_csv_row
static const struct fields row_fields = FIELDS({
    FIELD_NAME(part, "kind of the row: total, month, factor ..."),
    FIELD_NAME(name, "its name"),
    FIELD_NAME(detail, "more of it, in words"),
    FIELD_U64(own_records, "in which own is known", FIELD_WHERE(some)),
    FIELD_U64(own_runs, "of these", FIELD_WHERE(some)),
});
#undef OF

enum { ANNUAL, ROW, FIGURES };
static const struct fields *const row_of[] = { &annual_fields, &row_fields, &annual_figures_fields };
#define FIGURE(name)                                                                                                   \
    {                                                                                                                  \
        name, name, FIGURES                                                                                            \
    }
#define VALUE(name)                                                                                                    \
    {                                                                                                                  \
        name, name ".value", FIGURES                                                                                   \
    }
static const struct column columns[] = {
    COLUMN(schema, ANNUAL),
    { "from", "period.from", ANNUAL },
    { "to", "period.to", ANNUAL },
    COLUMNS(ANNUAL, project, label),
    COLUMNS(ROW, part, name, detail),
    FIGURE("records"),
    FIGURE("runs"),
    FIGURE("duration_s"),
    FIGURE("it_kwh"),
    FIGURE("facility_kwh"),
    FIGURE("kgco2eq"),
    FIGURE("kgco2eq_per_kwh"),
    VALUE("net_kwh"),
    { "net_of_kwh", "net_kwh.of_kwh", FIGURES },
    VALUE("net_kgco2eq"),
    VALUE("market_kgco2eq"),
    VALUE("market_location_kgco2eq"),
    { "market_of_kwh", "market_kgco2eq.of_kwh", FIGURES },
    VALUE("td_losses_kgco2eq"),
    { "td_losses_of_kwh", "td_losses_kgco2eq.of_kwh", FIGURES },
    VALUE("upstream_kgco2eq"),
    { "upstream_of_kwh", "upstream_kgco2eq.of_kwh", FIGURES },
    VALUE("embodied_kgco2eq"),
    { "embodied_of_kwh", "embodied_kgco2eq.of_kwh", FIGURES },
    { "hourly_of_kwh", "hourly_kwh.of_kwh", FIGURES },
    { "hourly_covered_kwh", "hourly_kwh.value", FIGURES },
    FIGURE("noise_kwh"),
    FIGURE("noise_kgco2eq"),
    FIGURE("model_low_kwh"),
    FIGURE("model_high_kwh"),
    { "low_kwh", "kwh_interval.low", FIGURES },
    { "high_kwh", "kwh_interval.high", FIGURES },
    { "low_kgco2eq", "kgco2eq_interval.low", FIGURES },
    { "high_kgco2eq", "kgco2eq_interval.high", FIGURES },
    { "market_location_of_kwh", "market_location_kgco2eq.of_kwh", FIGURES },
    VALUE("own_kwh"),
    { "own_of_kwh", "own_kwh.of_kwh", FIGURES },
    COLUMNS(ROW, own_records, own_runs),
    VALUE("own_kgco2eq"),
    VALUE("scope2_kgco2eq"),
    { "scope2_of_kwh", "scope2_kgco2eq.of_kwh", FIGURES },
    VALUE("scope2_market_kgco2eq"),
    { "scope2_market_of_kwh", "scope2_market_kgco2eq.of_kwh", FIGURES },
    VALUE("scope2_stand_in_kwh"),
    VALUE("scope3_kgco2eq"),
    { "scope3_of_kwh", "scope3_kgco2eq.of_kwh", FIGURES },
    { "sci_kgco2eq_per_unit", "sci.kgco2eq_per_unit", FIGURES },
    { "sci_units", "sci.units", FIGURES },
    FIGURE("kgco2eq_of_kwh"),
    { "sci_unit", "sci.unit", FIGURES },
};
const struct table annual_columns = TABLE_OF(columns, row_of);

/* Where there are no records, nothing is a part of theirs. */
static struct annual_figures without_parts(const struct annual_figures *figures)
{
    struct annual_figures none = *figures;

    none.net_kwh.kwh = none.market_kgco2eq.kwh = none.td_losses_kgco2eq.kwh = none.upstream_kgco2eq.kwh =
        none.embodied_kgco2eq.kwh = none.hourly_kwh.kwh = none.market_location_kgco2eq.kwh = none.own_kwh.kwh =
            none.scope2_kgco2eq.kwh = none.scope2_market_kgco2eq.kwh = none.scope3_kgco2eq.kwh = NAN;
    return none;
}

static void write_row(const struct annual *annual, const char *part, const char *name, const char *detail,
                      const struct annual_figures *figures, FILE *out)
{
    const struct annual_csv_row row = {
        part, name, detail, figures->records > 0, figures->own_kwh.records, figures->own_kwh.runs
    };
    struct annual_figures none;

    if (!row.some) {
        none = without_parts(figures);
        figures = &none;
    }
    table_row(&annual_columns, (const void *const[]){ annual, &row, figures }, out);
}

/* Of figures that have only a time, energy and mass. */
static void write_bare(const struct annual *annual, const char *part, const char *name, const char *detail,
                       double duration_s, double it_kwh, double kgco2eq, const struct interval *kwh,
                       const struct interval *mass, FILE *out)
{
    struct annual_figures figures = annual_figures_none();

    figures.duration_s = duration_s;
    figures.it_kwh = it_kwh;
    figures.kgco2eq = kgco2eq;
    figures.kwh_interval = *kwh;
    figures.kgco2eq_interval = *mass;
    write_row(annual, part, name, detail, &figures, out);
}

static void write_groups(const struct annual *annual, const char *part, const struct annual_group *groups, size_t count,
                         FILE *out)
{
    static const char *const kinds[] = {
        [GROUP_NAMED] = "", [GROUP_NONE] = "without a name", [GROUP_OTHERS] = "all further names"
    };

    for (size_t i = 0; i < count; i++)
        write_row(annual, part, groups[i].name, kinds[groups[i].kind], &groups[i].figures, out);
}

static void write_factors(const struct annual *annual, const char *part, const struct annual_factor *factors,
                          size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct factor *factor = &factors[i].factor;
        char number[TEXT_NUMBER_SIZE], detail[512];

        snprintf(detail, sizeof detail, "%s kgCO2eq/kWh; %s; year %d; %s; %s; losses %s; %s%s%s",
                 text_number(factor->kgco2eq_per_kwh, number), factor->source_id[0] ? factor->source_id : "stated",
                 factor->year,
                 isnan(factor->kgco2eq_per_kwh) || factor->basis == FACTOR_NO_BASIS ? "basis not said"
                                                                                    : factor_basis_name(factor->basis),
                 factor->gases[0] ? factor->gases : "gases not said",
                 factor->td_losses[0] ? factor->td_losses : "not said", quality_name(factor->quality),
                 factors[i].service[0] ? "; by the hour: " : "", factors[i].service);
        write_row(annual, part, factor->zone, detail, &factors[i].figures, out);
    }
}

static void write_stands_on(const struct annual *annual, FILE *out)
{
    char number[TEXT_NUMBER_SIZE], detail[512];

    for (size_t i = 0; i < annual->pue_count; i++) {
        snprintf(detail, sizeof detail, "%s%s%s", quality_name(annual->pues[i].quality),
                 annual->pues[i].source[0] ? "; " : "", annual->pues[i].source);
        write_row(annual, "pue", text_number(annual->pues[i].value, number), detail, &annual->pues[i].figures, out);
    }
    write_factors(annual, "factor", annual->factors, annual->factor_count, out);
    write_factors(annual, "market factor", annual->market_factors, annual->market_factor_count, out);
    write_factors(annual, "direct factor", annual->direct_factors, annual->direct_factor_count, out);
    write_factors(annual, "lifecycle factor", annual->lifecycle_factors, annual->lifecycle_factor_count, out);
    for (size_t i = 0; i < annual->embodied_count; i++) {
        const struct annual_embodied *item = &annual->embodied[i];
        char years[TEXT_NUMBER_SIZE], share[TEXT_NUMBER_SIZE];
        snprintf(detail, sizeof detail, "%s kgCO2eq over %s years (%s), share %s%s%s",
                 text_number(item->machine_kgco2eq, number), text_number(item->lifetime_years, years),
                 quality_name(item->lifetime_quality), text_number(item->reserved_share, share),
                 item->source_id[0] ? "; " : "", item->source_id);
        write_row(annual, "embodied", item->machine, detail, &item->figures, out);
    }
    for (size_t i = 0; i < annual->scope_count; i++)
        write_row(annual, "scope", annual->scopes[i].name, annual_scope_text(annual->scopes[i].name),
                  &annual->scopes[i].figures, out);
    for (size_t i = 0; i < annual->machine_count; i++)
        write_row(annual, "machine", annual->machines[i].name, "", &annual->machines[i].figures, out);
}

static void write_own(const struct annual *annual, FILE *out)
{
    for (enum own_method method = 0; method < OWN_METHODS; method++) {
        const struct annual_part *part = &annual->total.own_by_method[method];
        struct annual_figures figures = annual_figures_none();
        if (!part->records)
            continue;
        figures.records = part->records;
        figures.runs = part->runs;
        figures.it_kwh = part->kwh;
        figures.own_kwh = *part;
        write_row(annual, "own", own_method_name(method), "", &figures, out);
    }
}

static void write_made(const struct annual *annual, FILE *out)
{
    const struct interval unknown = { NAN, NAN };
    char kg[TEXT_NUMBER_SIZE], years[TEXT_NUMBER_SIZE], detail[160];

    for (size_t i = 0; i < annual->machine_made_count; i++) {
        const struct annual_machine *item = &annual->machines_made[i];
        snprintf(detail, sizeof detail, "making: %s kgCO2eq over %s years (given)", text_number(item->kgco2eq, kg),
                 text_number(item->lifetime_years, years));
        write_bare(annual, "machine made", item->name, detail, NAN, NAN, item->period_kgco2eq, &unknown, &unknown, out);
    }
}

static void write_fleet(const struct annual *annual, FILE *out)
{
    const struct interval unknown = { NAN, NAN };
    const struct annual_fleet *fleet = &annual->fleet;
    char detail[512], step[TEXT_NUMBER_SIZE];

    if (!annual_is_fleet(annual))
        return;
    snprintf(detail, sizeof detail, "labels are nodes%s%s; %s; a value every %s s",
             *fleet->groups ? "; projects are " : "", fleet->groups, fleet->exporters,
             text_number(fleet->step_s, step));
    write_bare(annual, "fleet", fleet->url, detail, NAN, NAN, NAN, &unknown, &unknown, out);
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct annual_node *node = &fleet->nodes[i];
        char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE], faults[96];
        annual_node_text(node, faults, sizeof faults);
        snprintf(detail, sizeof detail, "from %s to %s; gaps, resets, wraps: %s", clock_text(node->first_ns, from),
                 clock_text(node->last_ns, to), faults);
        write_bare(annual, "node", node->name, detail, node->covered_s, NAN, NAN, &unknown, &unknown, out);
    }
}

static void write_previous(const struct annual *annual, FILE *out)
{
    const struct interval unknown = { NAN, NAN };
    char name[24];

    if (!annual->has_previous)
        return;
    snprintf(name, sizeof name, "%d", annual->year - 1);
    write_row(annual, "previous", name, "", &annual->previous, out);
    write_bare(annual, "change", "all", "", NAN, NAN, annual->change.kgco2eq, &unknown, &unknown, out);
    write_bare(annual, "change", "energy effect", "", NAN, NAN, annual->change.energy_kgco2eq, &unknown, &unknown, out);
    write_bare(annual, "change", "factor effect", "", NAN, NAN, annual->change.factor_kgco2eq, &unknown, &unknown, out);
}

bool annual_csv(const struct annual *annual, FILE *out, struct error *err)
{
    const struct annual_extrapolation *more = &annual->extrapolation;

    table_head(&annual_columns, out);
    write_row(annual, "total", "", "", &annual->total, out);
    write_row(annual, "measured", "", "", &annual->measured, out);
    write_row(annual, "estimated", "", "", &annual->estimated, out);
    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        write_row(annual, "quality", quality_name(quality), "", &annual->by_quality[quality], out);
    write_groups(annual, "month", annual->months, annual->month_count, out);
    write_groups(annual, "project", annual->projects, annual->project_count, out);
    write_groups(annual, "label", annual->labels, annual->label_count, out);
    write_fleet(annual, out);
    write_own(annual, out);
    write_stands_on(annual, out);
    write_made(annual, out);
    write_previous(annual, out);
    if (more->rule != RULE_NONE)
        write_bare(annual, "extrapolation", annual_rule_name(more->rule), more->text, NAN, more->it_kwh, more->kgco2eq,
                   &more->kwh_interval, &more->kgco2eq_interval, out);
    for (size_t i = 0; i < annual->notices.count; i++) {
        const struct interval unknown = { NAN, NAN };
        write_bare(annual, "notice", annual->notices.item[i].what, annual->notices.item[i].why, NAN, NAN, NAN, &unknown,
                   &unknown, out);
    }
    return !ferror(out) || error_errno(err, "cannot write the report as CSV");
}
