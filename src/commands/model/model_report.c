/* SPDX-License-Identifier: MIT
 * A model's runs for people: the lines of Ersilia's `performance`, and a table of sizes; at most 100 columns. */
#include "commands/model/model_report.h"

#include "base/c_locale.h"
#include "base/csv.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "result/terms.h"

#include <math.h>

#define BYTES_PER_MIB 1048576.0

enum { RULE_BESIDE = 5, RULE_WHOLE = 29, CELL = 48 };

enum { NAME_WIDTH = 9, TIME_WIDTH = 10, CPU_WIDTH = 10, MEMORY_WIDTH = 10, ENERGY_WIDTH = 11, MASS_WIDTH = 14 };

const char *model_state_name(enum model_state state)
{
    switch (state) {
    case MODEL_NOT_RUN: return "not run";
    case MODEL_DONE: return "done";
    case MODEL_FAILED: return "failed";
    case MODEL_TIMED_OUT: return "timed out";
    }
    return "unknown";
}

bool model_row_has_figures(const struct model_row *row)
{
    return row->state == MODEL_DONE;
}

double model_row_per_input(const struct model_row *row, double energy_j)
{
    return model_row_has_figures(row) && row->inputs ? energy_j / (double)row->inputs : NAN;
}

/* "72.30%"; unknown: "n/a". */
static const char *figure(double value, int digits, const char *unit, char out[CELL])
{
    if (isfinite(value))
        c_snprintf(out, CELL, "%.*f%s", digits, value, unit);
    else
        snprintf(out, CELL, "n/a");
    return out;
}

static void rule(FILE *out, size_t dashes)
{
    for (size_t i = 0; i < dashes; i++)
        fputs("\u2014", out);
}

void model_report_lines(const char *model, const struct report *record, FILE *out)
{
    const struct usage_summary *usage = &record->usage;
    char cell[CELL];

    rule(out, RULE_BESIDE);
    fputs(" Performance Report ", out);
    rule(out, RULE_BESIDE);
    fprintf(out, "\nModel:    %s\n", model);
    fprintf(out, "CPU Avg:  %s\n", figure(usage->cpu_percent_of_machine.value, 2, "%", cell));
    fprintf(out, "Mem Peak: %s\n", figure(usage->memory_peak_bytes.value / BYTES_PER_MIB, 0, " MiB", cell));
    fprintf(out, "Duration: %s\n", figure(record->summary.duration_s.mean, 2, "s", cell));
    rule(out, RULE_WHOLE);
    fputc('\n', out);
}

static void print_head(FILE *out, bool net)
{
    cell_name(out, NAME_WIDTH, "inputs");
    cell_write(out, TIME_WIDTH, "time");
    cell_write(out, CPU_WIDTH, "CPU avg");
    cell_write(out, CPU_WIDTH, "of a core");
    cell_write(out, MEMORY_WIDTH, "mem peak");
    cell_write(out, ENERGY_WIDTH, "gross");
    cell_write(out, ENERGY_WIDTH, "net");
    cell_write(out, ENERGY_WIDTH, net ? "net/input" : "gross/input");
    cell_write(out, MASS_WIDTH, net ? "net" : "gross");
    fputc('\n', out);
}

static void print_row(FILE *out, const struct model_row *row, bool net)
{
    const struct report *record = row->record;
    const struct summary *summary = &record->summary;
    const double answer_j = net ? summary->total.net_j.mean : summary->total.gross_j.mean;
    char cell[UNITS_SIZE], number[CELL];

    snprintf(number, sizeof number, "%zu", row->inputs);
    cell_name(out, NAME_WIDTH, number);
    if (!model_row_has_figures(row)) {
        cell_write(out, TIME_WIDTH, model_state_name(row->state));
        fputc('\n', out);
        return;
    }
    cell_write(out, TIME_WIDTH, figure(summary->duration_s.mean, 2, " s", number));
    cell_write(out, CPU_WIDTH, figure(record->usage.cpu_percent_of_machine.value, 2, " %", number));
    cell_write(out, CPU_WIDTH, figure(record->usage.cpu_percent_of_core.value, 2, " %", number));
    cell_write(out, MEMORY_WIDTH, figure(record->usage.memory_peak_bytes.value / BYTES_PER_MIB, 0, " MiB", number));
    cell_write(out, ENERGY_WIDTH, units_energy(summary->total.gross_j.mean, cell));
    cell_write(out, ENERGY_WIDTH, units_energy(summary->total.net_j.mean, cell));
    cell_write(out, ENERGY_WIDTH, units_energy(model_row_per_input(row, answer_j), cell));
    cell_write(out, MASS_WIDTH,
               units_mass(net ? record->net.footprint.kgco2eq : record->gross.footprint.kgco2eq, cell));
    fputc('\n', out);
}

/* Net where a baseline was watched, else gross. */
static bool has_net(const struct model_report *report)
{
    for (size_t i = 0; i < report->row_count; i++)
        if (model_row_has_figures(&report->rows[i]) && isfinite(report->rows[i].record->summary.total.net_j.mean))
            return true;
    return false;
}

static void print_terms(FILE *out, const struct report *session)
{
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "PUE %s; ", quality_name(session->pue_quality));
    terms_factor(&session->factor, &text);
    text_add(&text, "; scope %s", scope_name(session->scope));
    paragraph_write(out, "  factor ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* The meter is the same for all; so is how its figures came about. */
static enum quality first_quality(const struct model_report *report)
{
    for (size_t i = 0; i < report->row_count; i++)
        if (model_row_has_figures(&report->rows[i]))
            return report->rows[i].record->summary.quality;
    return QUALITY_UNKNOWN;
}

static void print_title(const struct model_report *report, FILE *out)
{
    char baseline[UNITS_SIZE], timeout[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "model %s (recipe %s), %s: %zu sizes, %zu run%s each", report->model, report->recipe,
             report->session->target ? report->session->target : "the run command itself", report->row_count,
             report->runs, report->runs == 1 ? "" : "s");
    if (report->baseline_s > 0)
        text_add(&text, "; a baseline of %s before them", units_duration(report->baseline_s, baseline));
    else
        text_add(&text, isnan(report->baseline_s) ? "; a baseline after each run, as long" : "; no baseline");
    if (isfinite(report->timeout_s))
        text_add(&text, "; a run may take %s", units_duration(report->timeout_s, timeout));
    text_add(&text, "; %s", quality_name(first_quality(report)));
    if (report->interrupted)
        text_add(&text, "; interrupted");
    paragraph_write(out, "", text_ok(&text) ? text.data : "");
    text_close(&text);
}

bool model_report_table(const struct model_report *report, bool colour, FILE *out, struct error *err)
{
    const bool net = has_net(report);

    print_title(report, out);
    fputc('\n', out);
    print_head(out, net);
    for (size_t i = 0; i < report->row_count; i++)
        print_row(out, &report->rows[i], net);
    fputs("  CPU avg is of the whole machine.\n\n", out);
    print_terms(out, report->session);
    notices_text(out, &report->notices, "", colour);
    return !ferror(out) || error_errno(err, "cannot write the result");
}

void model_report_brief(const struct model_report *report, FILE *out)
{
    const struct model_row *largest = NULL;
    const bool net = has_net(report);
    size_t done = 0;
    char energy[UNITS_SIZE];

    for (size_t i = 0; i < report->row_count; i++)
        if (model_row_has_figures(&report->rows[i])) {
            largest = &report->rows[i];
            done++;
        }
    fprintf(out, "%s: %zu of %zu sizes done", report->model, done, report->row_count);
    if (largest)
        fprintf(out, "; %s %s per input of %zu",
                units_energy(model_row_per_input(largest, net ? largest->record->summary.total.net_j.mean
                                                              : largest->record->summary.total.gross_j.mean),
                             energy),
                net ? "net" : "gross", largest->inputs);
    fputc('\n', out);
}
