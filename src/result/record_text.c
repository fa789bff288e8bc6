/* SPDX-License-Identifier: MIT
 * The result for people: at most 100 columns, no tabs, and the sum that anyone can redo. */
#include "result/report.h"

#include "base/units.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/text_columns.h"
#include "result/factor_text.h"
#include "result/formula.h"
#include "result/hourly_text.h"
#include "result/own_text.h"
#include "result/phases_text.h"
#include "result/sci_text.h"
#include "result/supplementary_text.h"
#include "result/table_energy.h"
#include "result/usage_text.h"
#include "result/verdict_text.h"

#include <math.h>

static const char *bold(const struct result_table *table)
{
    return table->colour ? "\033[1m" : "";
}

static const char *plain(const struct result_table *table)
{
    return table->colour ? "\033[0m" : "";
}

static void print_emission(const struct result_table *table, const char *label, const struct emission *emission,
                           bool answer)
{
    const struct report *report = table->report;
    const struct formula formula = formula_of(emission->footprint.it_kwh, report->pue, emission->kgco2eq_per_kwh, 3);
    const bool year = report->hours_quality == QUALITY_GIVEN;
    char a[UNITS_SIZE], b[UNITS_SIZE], hours[TEXT_NUMBER_SIZE];

    if (isnan(emission->footprint.kgco2eq)) {
        const bool only_net = isfinite(report->gross.footprint.kgco2eq);
        fprintf(table->out, "  %-6s %s%s\n", label,
                report->summary.below_resolution && !only_net ? "below resolution" : "unknown",
                only_net && report->summary.baseline_s == 0 ? ": no baseline was taken" : "");
        return;
    }
    fprintf(table->out, "  %-6s %s%s%s%s%s = %s\n", label, lower_bound_text(report), answer ? bold(table) : "",
            formula.result, answer ? plain(table) : "", report->summary.runs > 1 ? " per run" : "", formula.terms);
    if (isfinite(emission->kgco2eq_low))
        fprintf(table->out, "         %s%s to %s\n",
                table->report->summary.quality == QUALITY_MODELLED ? "modelled: " : "",
                units_mass(emission->kgco2eq_low, a), units_mass(emission->kgco2eq_high, b));
    if (isnan(emission->kgco2eq_per_h))
        fprintf(table->out, "         per hour%s unknown: %s\n", year ? " and year" : "",
                report->summary.at_least ? "a part of the run is not known" : "the run is too short for a rate");
    else if (!year)
        fprintf(table->out, "         %s/h\n", units_mass(emission->kgco2eq_per_h, a));
    else
        fprintf(table->out, "         %s per hour, %s per year of %s h (%s)%s\n",
                units_mass(emission->kgco2eq_per_h, a), units_mass(emission->kgco2eq_per_year, b),
                text_number(report->hours_per_year, hours), quality_name(report->hours_quality),
                report->by_hour.enabled ? ", at the yearly factor" : "");
}

static void print_emissions(const struct result_table *table)
{
    const struct report *report = table->report;
    const bool own = own_is_apart(report), is_void = net_is_void(&report->summary);
    const bool net = isfinite(report->net.footprint.kgco2eq) && !is_void;
    char mass[UNITS_SIZE], gross[UNITS_SIZE + 16];
    struct text text;

    fputc('\n', table->out);
    if (own)
        print_emission(table, "own", &report->own, true);
    print_emission(table, "gross", &report->gross, !net && !own);
    if (is_void)
        fputs("  net    n/a: " NET_IS_VOID ", it says nothing of the command\n", table->out);
    else
        print_emission(table, "net", &report->net, net && !own);
    if (report->by_hour.enabled)
        hourly_text(report, table->out);
    text_open(&text, 4096);
    factor_describe(&report->factor, &text);
    text_add(&text, "; PUE %s%s%s", quality_name(report->pue_quality), *report->supplementary.pue.source ? ": " : "",
             report->supplementary.pue.source);
    paragraph_write(table->out, report->by_hour.enabled ? "  yearly factor " : "  factor ", text.data ? text.data : "");
    text_close(&text);
    supplementary_text(report, table->out);
    sci_text(&report->sci, report->summary.at_least, table->out);
    snprintf(gross, sizeof gross, "gross %s%s", lower_bound_text(report),
             units_mass(report->gross.footprint.kgco2eq, mass));
    equivalents_text(&report->equivalents, gross, table->out);
}

static void print_notices(const struct result_table *table)
{
    const struct notices *notices = &table->report->all_notices;

    if (notices->count)
        fputc('\n', table->out);
    notices_text(table->out, notices, "", table->colour);
}

/* "5 runs, 12.4 s ± 60.0 ms each, 1 warm-up left out, exit status 7, interrupted" */
static void describe_series(const struct report *report, struct text *text)
{
    const struct sample_stats *duration_s = &report->summary.duration_s;
    char mean[UNITS_SIZE], deviation[UNITS_SIZE];

    units_duration(duration_s->mean, mean);
    if (report->summary.runs > 1)
        text_add(text, "%zu runs, %s ± %s each", report->summary.runs, mean,
                 units_duration(duration_s->deviation, deviation));
    else if (report->summary.runs)
        text_add(text, "1 run, %s", mean);
    else
        text_add(text, "no run");
    series_end_text(report, text);
}

/* The command, cut where it is too long, and how the series went. */
static void print_head(const struct result_table *table)
{
    struct text command, series;

    text_open(&command, SIZE_MAX);
    text_open(&series, 4096);
    text_add(&command, "%s", "");
    text_add(&series, "%s", "");
    if (table->report->target)
        text_add(&command, "%s%s", table->report->target, table->report->command[0] ? ", client " : "");
    shell_command(table->report->command, &command);
    describe_series(table->report, &series);
    if (text_ok(&command) && text_ok(&series)) {
        const size_t width = utf8_columns(command.data);
        char shown[4 * PARAGRAPH_WIDTH + sizeof "…"];
        utf8_fit(shown, sizeof shown, command.data, PARAGRAPH_WIDTH, "…");
        fputs(shown, table->out);
        fputs(width + 4 + utf8_columns(series.data) > PARAGRAPH_WIDTH ? "\n" : "  ", table->out);
        paragraph_write(table->out, "  ", series.data);
    }
    text_close(&command);
    text_close(&series);
}

bool table_write(const struct report *report, const struct table_style *style, FILE *out, struct error *err)
{
    const struct result_table table = {
        .report = report,
        .out = out,
        .colour = style->colour,
        .spread = report->summary.runs > 1,
    };

    print_head(&table);
    table_energy(&table);
    phases_text(report, out);
    print_emissions(&table);
    usage_text(report, out);
    print_notices(&table);
    return !ferror(out) || error_errno(err, "cannot write the result");
}

static bool table_form(const struct report *report, FILE *out, struct error *err)
{
    const struct table_style style = { .colour = false };

    return table_write(report, &style, out, err);
}

const struct report_format table_format = { "table", "the result for people", table_form };
