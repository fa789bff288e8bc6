/* SPDX-License-Identifier: MIT
 * The page of one result: its sections in order, the answer first, with its notices next to it; the sources of the
 * figures at the end. */
#include "config.h"

#include "result/page/html_record.h"

#include "base/clock.h"
#include "form/shell.h"
#include "form/text_columns.h"
#include "result/answer.h"
#include "result/factor_text.h"
#include "result/formula.h"
#include "result/own_text.h"
#include "result/page/html_sections.h"
#include "result/provenance.h"
#include "result/verdict_text.h"

#include <math.h>
#include <string.h>

enum { TITLE_MAX = 80 };

static const char *kwh(double value, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];

    snprintf(out, UNITS_SIZE, "%.30s kWh", units_digits(value, 3, digits));
    return out;
}

static void write_sum(FILE *out, const struct report *report, const char *name, const struct emission *emission)
{
    const struct formula formula = formula_of(emission->footprint.it_kwh, report->pue, emission->kgco2eq_per_kwh, 3);
    struct text text;

    if (isnan(emission->footprint.kgco2eq))
        return;
    text_open(&text, 1024);
    text_add(&text, "%s: %s = %s", name, formula.terms, formula.result);
    html_paragraph_of(out, "sum", &text);
}

/* The figure that comes first. */
struct html_record_answer {
    const char *name, *about;
    const struct emission *emission;
    const struct sample_stats *energy_j;
    const struct interval *interval_j; /* NULL: it has none */
};

static struct html_record_answer record_answer(const struct report *report)
{
    const struct domain_energy *total = &report->summary.total;

    if (own_is_apart(report))
        return (struct html_record_answer){ "own",
                                            total->own_method == OWN_PROFILE
                                                ? "own: energy of the command, without other processes"
                                                : "own: energy of the command, by CPU time",
                                            &report->own, &total->own_j, &total->own_interval_j };
    if (isfinite(report->net.footprint.kgco2eq) && !net_is_void(&report->summary))
        return (struct html_record_answer){ "net", "net: gross less idle", &report->net, &total->net_j,
                                            &total->net_interval_j };
    return (struct html_record_answer){ "gross", "gross: all that was used", &report->gross, &total->gross_j, NULL };
}

/* What of the interval is known, and why not where it is not. */
static void write_interval(FILE *out, const struct report *report, const struct html_record_answer *answer)
{
    char term[32];

    if (isfinite(answer->emission->kgco2eq_low)) {
        html_term_open(out, report->summary.quality == QUALITY_MODELLED ? "modelled: between" : "between");
        html_figure(out, units_mass, answer->emission->kgco2eq_low, "emissions.%s.kgco2eq_low", answer->name);
        fputs(" and ", out);
        html_figure(out, units_mass, answer->emission->kgco2eq_high, "emissions.%s.kgco2eq_high", answer->name);
        html_term_end(out);
    } else if (answer->interval_j && isfinite(answer->interval_j->low)) {
        snprintf(term, sizeof term, "95 %% interval of %s", answer->name);
        html_term_open(out, term);
        html_figure(out, units_energy, answer->interval_j->low, "%s_interval_j.low", answer->name);
        fputs(" to ", out);
        html_figure(out, units_energy, answer->interval_j->high, "%s_interval_j.high", answer->name);
        html_term_end(out);
    } else if (report->summary.runs == 1) {
        html_term(out, "interval", "none from one run; --runs 5 gives one");
    }
}

static void write_answer_line(FILE *out, const struct report *report, const struct html_record_answer *answer)
{
    const double kgco2eq = answer->emission->footprint.kgco2eq;

    fputs("<p class=\"answer\">", out);
    fputs(report->summary.at_least && isfinite(kgco2eq) ? "at least " : "", out);
    if (isfinite(kgco2eq))
        html_figure(out, units_mass, kgco2eq, "emissions.%s.kgco2eq", answer->name);
    else
        html_text(out, report->summary.below_resolution ? "below resolution" : "unknown");
    fputs(" <small>", out);
    html_words(out, "%s%s", answer->about, report->summary.runs > 1 ? ", per run" : "");
    fputs("</small></p>\n", out);
}

static void write_electricity(FILE *out, const char *term, const char *name, const struct emission *emission,
                              const struct sample_stats *energy_j)
{
    char place[16];

    snprintf(place, sizeof place, "%s_j", name);
    html_term_open(out, term);
    html_figure(out, kwh, emission->footprint.it_kwh, "emissions.%s.it_kwh", name);
    fputs(" (", out);
    html_spread(out, units_energy, energy_j, place);
    fputs(")", out);
    html_term_end(out);
}

static void write_conclusion(FILE *out, const struct report *report)
{
    struct text sentence;

    text_open(&sentence, SIZE_MAX);
    answer_sentence(report, &sentence);
    html_conclusion(out, text_ok(&sentence) ? sentence.data : "");
    text_close(&sentence);
}

/* Whether net is significantly above 0, if net or an equal figure is shown. */
static void write_verdict(FILE *out, const struct report *report)
{
    struct text verdict;

    if (report->summary.baseline_s == 0)
        return;
    text_open(&verdict, 4096);
    verdict_text_net(&report->summary, &verdict);
    html_term(out, "verdict", text_ok(&verdict) ? verdict.data : "");
    text_close(&verdict);
}

static void write_answer(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);
    const struct html_record_answer answer = record_answer(report);
    const struct domain_energy *total = &report->summary.total;
    char term[32];

    write_conclusion(out, report);
    write_answer_line(out, report, &answer);
    html_terms(out);
    snprintf(term, sizeof term, "electricity, %s", answer.name);
    write_electricity(out, term, answer.name, answer.emission, answer.energy_j);
    html_term(out, "quality", quality_name(report->summary.quality));
    write_interval(out, report, &answer);
    write_verdict(out, report);
    if (answer.emission != &report->gross) {
        html_term_open(out, "gross: all that was used meanwhile");
        html_figure(out, units_mass, report->gross.footprint.kgco2eq, "emissions.gross.kgco2eq");
        html_term_end(out);
        write_electricity(out, "electricity, gross", "gross", &report->gross, &total->gross_j);
    } else if (isfinite(report->gross.footprint.kgco2eq)) {
        html_term(out, "net",
                  net_is_void(&report->summary)     ? "unknown: " NET_IS_VOID
                  : report->summary.baseline_s == 0 ? "unknown: no baseline was taken"
                                                    : "unknown");
    }
    html_terms_end(out);
    if (answer.emission == &report->own)
        write_sum(out, report, "own", &report->own);
    if (!net_is_void(&report->summary))
        write_sum(out, report, "net", &report->net);
    write_sum(out, report, "gross", &report->gross);
}

static bool has_notices(const void *subject)
{
    return page_report(subject)->all_notices.count > 0;
}

static void write_notices(FILE *out, const void *subject)
{
    const struct notices *notices = &page_report(subject)->all_notices;

    html_notices(out, notices);
    html_rows_left_out(out, notices->left_out, "notices");
}

static void write_source(const struct provenance *row, void *context)
{
    FILE *out = context;
    char low[TEXT_NUMBER_SIZE], high[TEXT_NUMBER_SIZE], interval[2 * TEXT_NUMBER_SIZE + 8] = "";

    if (isfinite(row->low) && isfinite(row->high))
        snprintf(interval, sizeof interval, "%s to %s", text_number(row->low, low), text_number(row->high, high));
    html_row(out, row->figure);
    html_cell_figure(out, NULL, row->value, "%s", row->figure);
    html_cell(out, row->unit);
    html_cell(out, quality_name(row->quality));
    html_cell(out, row->method);
    html_cell(out, interval);
    html_cell(out, row->source_id ? row->source_id : "");
    html_cell(out, row->version ? row->version : "");
    html_cell(out, row->retrieved_at ? row->retrieved_at : "");
    html_row_end(out);
}

static void write_provenance(FILE *out, const void *subject)
{
    static const char *const columns[] = { "figure",   "value",  "unit",    "quality",   "how it came about",
                                           "interval", "source", "version", "retrieved", NULL };

    html_paragraph(out, NULL, "Every figure by its place in the JSON record, with all its digits.");
    html_table(out, "where the figures come from", columns, 1);
    provenance_each(page_report(subject), write_source, out);
    html_table_end(out);
}

static void write_verify(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);
    char started[CLOCK_TEXT_SIZE];

    html_terms(out);
    html_term(out, "record", report->id);
    html_term(out, "restated from record", report->parent.id);
    html_term(out, "schema", REPORT_SCHEMA);
    html_term(out, "measured", clock_text(report->started_realtime_ns, started));
    html_term(out, "by carbon", report->writer_version ? report->writer_version : PACKAGE_VERSION);
    html_terms_end(out);
    html_paragraph(out, NULL,
                   "The sums at the top can be checked by hand. The JSON record has every window and counter they are "
                   "based on; carbon recalculates it to the last digit:");
    fputs("<pre><code>carbon history show ", out);
    html_text(out, report->id);
    fputs(" --json record.json\ncarbon verify record.json</code></pre>\n", out);
    html_paragraph(
        out, NULL,
        "The first command takes the record out of the ledger that it was kept in; where it was written with "
        "--json, the second is enough. What other factors would give: carbon restate record.json --zone "
        "FR.");
}

static const struct html_section sections[] = {
    { "answer", "Result", NULL, write_answer },
    { "energy", "Energy", NULL, html_energy },
    { "power", "Power over time", html_has_power, html_power },
    { "runs", "Runs", html_has_runs, html_runs },
    { "phases", "Phases", html_has_phases, html_phases },
    { "emissions", "Emissions", NULL, html_emissions },
    { "hours", "By the hour", html_has_hours, html_hours },
    { "sci", "Per unit, and in comparison", html_has_sci, html_sci },
    { "notices", "Notices", has_notices, write_notices },
    { "job", "Job", html_has_job, html_job },
    { "machine", "Machine", NULL, html_machine },
    { "provenance", "Provenance", NULL, write_provenance },
    { "verify", "Verification", NULL, write_verify },
};

/* "2026-11-28 01:00:00 UTC; 2 runs, exit status 7; project thesis" */
static void describe(const struct report *report, struct text *text)
{
    char started[CLOCK_TEXT_SIZE];

    clock_text(report->started_realtime_ns, started);
    text_add(text, "%.10s %.8s UTC; %zu run%s", started, started + 11, report->summary.runs,
             report->summary.runs == 1 ? "" : "s");
    series_end_text(report, text);
    if (report->parent.id[0])
        text_add(text, "; restated from record %s", report->parent.id);
    if (report->recorded_tree)
        text_add(text, "; counters of a recorded machine");
}

bool html_record(const struct report *report, const struct sample_series *samples, FILE *out, struct error *err)
{
    const struct record_page page = { report, samples };
    char title[4 * TITLE_MAX + sizeof "…"], made[64];
    struct text command, about;

    text_open(&command, SIZE_MAX);
    text_open(&about, 4096);
    text_add(&command, "%s", "");
    shell_command(report->command, &command);
    describe(report, &about);
    if (text_ok(&command) && text_ok(&about)) {
        const char *name = report->label    ? report->label
                           : *command.data  ? command.data
                           : report->target ? report->target
                                            : "a measurement";
        const struct html_head head = { title, "carbon: energy and emissions of one measurement", about.data, made };

        utf8_fit(title, sizeof title, name, TITLE_MAX, "…");
        snprintf(made, sizeof made, "written by carbon %s", PACKAGE_VERSION);
        html_page(out, &head, sections, sizeof sections / sizeof sections[0], &page);
    }
    text_close(&about);
    text_close(&command);
    return !ferror(out) || error_errno(err, "cannot write the page");
}

static bool html_form(const struct report *report, FILE *out, struct error *err)
{
    return html_record(report, NULL, out, err);
}

const struct report_format html_format = { "html", "a page for people", html_form };
