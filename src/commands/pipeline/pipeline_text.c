/* SPDX-License-Identifier: MIT
 * A pipeline for people: what each step used and is to be given, and what that cost; at most 100 columns. */
#include "commands/pipeline/pipeline_report.h"

#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "result/factor_text.h"
#include "result/formula.h"

#include <math.h>

enum {
    NAME_WIDTH = 18,
    STATUS_WIDTH = 7,
    CPU_WIDTH = 11,
    MEMORY_WIDTH = 12,
    CORES_WIDTH = 6,
    REQUEST_WIDTH = 9,
    TIME_WIDTH = 10,
    MASS_WIDTH = 14,
    SUM_DIGITS = 3,
};

void pipeline_cell(double value, const char *unit, char out[PIPELINE_CELL])
{
    char digits[TEXT_NUMBER_SIZE];

    if (isfinite(value))
        snprintf(out, PIPELINE_CELL, "%s %s", text_number(request_rounded(value), digits), unit);
    else
        snprintf(out, PIPELINE_CELL, "unknown");
}

/* "0", "126", "137 late", "-": of the last run. */
static void status_cell(FILE *out, const struct pipeline_step_report *step)
{
    const struct pipeline_run *last = step->run_count ? &step->runs[step->run_count - 1] : NULL;
    char cell[32] = "-";

    if (last && last->ended)
        snprintf(cell, sizeof cell, last->timed_out ? "late" : last->cut_short ? "cut" : "%d", last->exit_status);
    cell_write(out, STATUS_WIDTH, cell);
}

static void write_cell(FILE *out, int width, double value, const char *unit)
{
    char cell[PIPELINE_CELL];

    pipeline_cell(value, unit, cell);
    cell_write(out, width, cell);
}

static void write_request(FILE *out, int width, uint64_t value, bool at_least)
{
    char cell[32] = "?";

    if (value)
        snprintf(cell, sizeof cell, "%s%llu", at_least ? ">=" : "", (unsigned long long)value);
    cell_write(out, width, cell);
}

static void write_used(FILE *out, const struct step_figures *cpu_percent_of_core, const struct step_figures *memory_mb,
                       double memory_peak_mb)
{
    write_cell(out, CPU_WIDTH, cpu_percent_of_core->average, "%");
    write_cell(out, CPU_WIDTH, cpu_percent_of_core->maximum, "%");
    write_cell(out, MEMORY_WIDTH, memory_mb->average, "MB");
    write_cell(out, MEMORY_WIDTH, memory_mb->maximum, "MB");
    write_cell(out, MEMORY_WIDTH, memory_peak_mb, "MB");
}

static void print_usage(FILE *out, const struct pipeline_report *report)
{
    cell_name(out, NAME_WIDTH, "step");
    cell_write(out, STATUS_WIDTH, "status");
    cell_write(out, CPU_WIDTH, "CPU avg");
    cell_write(out, CPU_WIDTH, "max");
    cell_write(out, MEMORY_WIDTH, "memory avg");
    cell_write(out, MEMORY_WIDTH, "max");
    cell_write(out, MEMORY_WIDTH, "peak");
    cell_write(out, CORES_WIDTH, "cpu:");
    cell_write(out, REQUEST_WIDTH, "memory:");
    fputc('\n', out);
    for (size_t i = 0; i < report->step_count; i++) {
        const struct pipeline_step_report *step = &report->steps[i];

        cell_name(out, NAME_WIDTH, step->name);
        status_cell(out, step);
        if (step->counted) {
            write_used(out, &step->cpu_percent_of_core, &step->memory_mb, step->memory_peak_mb);
            write_request(out, CORES_WIDTH, step->requests.cpu, step->request_cpu_at_least);
            write_request(out, REQUEST_WIDTH, step->requests.memory_mb, false);
        } else {
            fputs("   not run", out);
        }
        fputc('\n', out);
    }
}

static void print_servers(FILE *out, const struct pipeline_report *report)
{
    for (size_t i = 0; i < report->server_count; i++) {
        const struct pipeline_server *server = &report->servers[i];

        cell_name(out, NAME_WIDTH, server->name);
        cell_write(out, STATUS_WIDTH, "server");
        if (server->starts) {
            write_used(out, &server->cpu_percent_of_core, &server->memory_mb, server->memory_peak_mb);
            write_request(out, CORES_WIDTH, server->requests.cpu, false);
            write_request(out, REQUEST_WIDTH, server->requests.memory_mb, false);
        } else {
            fputs("   not run", out);
        }
        fputc('\n', out);
    }
}

/* What carries the sum: own, where it is told by another way than net. */
static bool goes_by_own(const struct pipeline_report *report)
{
    return report->server_count || (isfinite(report->own_j) && report->own_method > OWN_NET);
}

/* own: NULL: it is not shown. */
static void print_row(FILE *out, const char *name, double duration_s, const struct footprint *gross,
                      const struct footprint *net, const struct footprint *own)
{
    const struct footprint *answer = own ? own : net;
    char cell[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, name);
    cell_write(out, TIME_WIDTH, units_duration(duration_s, cell));
    cell_write(out, TIME_WIDTH, units_energy(gross->it_kwh * J_PER_KWH, cell));
    cell_write(out, TIME_WIDTH, units_energy((gross->it_kwh - net->it_kwh) * J_PER_KWH, cell));
    cell_write(out, TIME_WIDTH, units_energy(net->it_kwh * J_PER_KWH, cell));
    if (own)
        cell_write(out, TIME_WIDTH, units_energy(own->it_kwh * J_PER_KWH, cell));
    cell_write(out, MASS_WIDTH, units_mass(gross->kgco2eq, cell));
    cell_write(out, MASS_WIDTH, units_mass(answer->kgco2eq, cell));
    fputc('\n', out);
}

/* Of the gross of steps what servers had. */
static void print_servers_own(FILE *out, const struct pipeline_report *report)
{
    char cell[UNITS_SIZE];

    if (!report->server_count)
        return;
    cell_name(out, NAME_WIDTH, report->server_count > 1 ? "servers" : report->servers[0].name);
    for (int i = 0; i < 4; i++)
        cell_write(out, TIME_WIDTH, "");
    cell_write(out, TIME_WIDTH, units_energy(report->servers_own_j, cell));
    cell_write(out, MASS_WIDTH, "");
    cell_write(out, MASS_WIDTH, units_mass(report->servers_own.kgco2eq, cell));
    fputc('\n', out);
}

static void print_energy(FILE *out, const struct pipeline_report *report)
{
    static const char *const names[] = { "time", "gross", "idle", "net", "own" };
    const bool own = goes_by_own(report);

    cell_name(out, NAME_WIDTH, report->rounds > 1 ? "mean of a run" : "");
    for (size_t i = 0; i < sizeof names / sizeof names[0] - !own; i++)
        cell_write(out, TIME_WIDTH, names[i]);
    cell_write(out, MASS_WIDTH, "gross");
    cell_write(out, MASS_WIDTH, own ? "own" : "net");
    fputc('\n', out);
    for (size_t i = 0; i < report->step_count; i++) {
        const struct pipeline_step_report *step = &report->steps[i];

        if (step->counted)
            print_row(out, step->name, step->duration_s.mean, &step->gross, &step->net, own ? &step->own : NULL);
    }
    print_servers_own(out, report);
    print_row(out, "all", report->duration_s, &report->gross, &report->net, own ? &report->own : NULL);
}

/* How far the runs of a step lie apart. */
static void print_spreads(FILE *out, const struct pipeline_report *report)
{
    char label[96], mean[UNITS_SIZE], deviation[UNITS_SIZE];
    struct text text;

    for (size_t i = 0; i < report->step_count; i++) {
        const struct pipeline_step_report *step = &report->steps[i];

        if (step->counted < 2)
            continue;
        text_open(&text, 4096);
        text_add(&text, "%zu runs: gross %s ± %s", step->counted, units_energy(step->gross_j.mean, mean),
                 units_energy(step->gross_j.deviation, deviation));
        if (step->net_j.count > 1)
            text_add(&text, ", net %s ± %s", units_energy(step->net_j.mean, mean),
                     units_energy(step->net_j.deviation, deviation));
        text_add(&text, ", %s ± %s", units_duration(step->duration_s.mean, mean),
                 units_duration(step->duration_s.deviation, deviation));
        snprintf(label, sizeof label, "  %.80s ", step->name);
        paragraph_write(out, label, text_ok(&text) ? text.data : "");
        text_close(&text);
    }
}

static void print_problems(FILE *out, const struct pipeline_report *report)
{
    char label[96], text[600];

    for (size_t i = 0; i < report->step_count; i++) {
        const struct error *problem = &report->steps[i].problem;

        if (problem->kind == ERROR_NONE)
            continue;
        snprintf(label, sizeof label, "  %.80s: ", report->steps[i].name);
        snprintf(text, sizeof text, "%s%s%s", problem->what, problem->why[0] ? ": " : "", problem->why);
        paragraph_write(out, label, text);
    }
}

static void print_sum(FILE *out, const struct pipeline_report *report, const char *label,
                      const struct footprint *footprint)
{
    const struct report *session = report->session;
    char line[2 * UNITS_SIZE + 200];
    struct formula formula;

    if (!isfinite(footprint->it_kwh))
        return;
    formula = formula_of(footprint->it_kwh, session->pue, session->factor.kgco2eq_per_kwh, SUM_DIGITS);
    snprintf(line, sizeof line, "%s = %s", formula.result, formula.terms);
    paragraph_write(out, label, line);
}

static void print_terms(FILE *out, const struct report *session)
{
    struct text text;

    text_open(&text, 4096);
    factor_describe(&session->factor, &text);
    text_add(&text, "; PUE %s; scope %s", quality_name(session->pue_quality), scope_name(session->scope));
    paragraph_write(out, "  factor ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* "pipeline demo: 3 steps, one at a time; looked at every 0.2 s; 1 failed, interrupted" */
static void add_head(const struct pipeline_report *report, struct text *text)
{
    char baseline[UNITS_SIZE];

    text_add(text, "pipeline %s: %zu step%s, one at a time", report->name, report->step_count,
             report->step_count == 1 ? "" : "s");
    if (report->rounds > 1)
        text_add(text, ", %zu rounds", report->rounds);
    if (report->baseline_s > 0)
        text_add(text, "; a baseline of %s before them", units_duration(report->baseline_s, baseline));
    else
        text_add(text, "; no baseline");
    text_add(text, "; %s", quality_name(report->quality));
    if (report->failed)
        text_add(text, "; %zu failed", report->failed);
    if (report->not_run)
        text_add(text, "; %zu not run", report->not_run);
    if (report->interrupted)
        text_add(text, "; interrupted");
}

static bool any_at_least(const struct pipeline_report *report)
{
    for (size_t i = 0; i < report->step_count; i++)
        if (report->steps[i].request_cpu_at_least)
            return true;
    return false;
}

bool pipeline_report_table(const struct pipeline_report *report, bool colour, FILE *out, struct error *err)
{
    struct text head;

    text_open(&head, 4096);
    add_head(report, &head);
    paragraph_write(out, "", text_ok(&head) ? head.data : "");
    text_close(&head);
    fputc('\n', out);
    print_usage(out, report);
    print_servers(out, report);
    fprintf(out, "  cpu: and memory: are suggested requests, in cores and MB (1e6 bytes)%s\n\n",
            any_at_least(report) ? "; >= is a lower bound" : "");
    print_energy(out, report);
    fputc('\n', out);
    print_spreads(out, report);
    print_problems(out, report);
    print_sum(out, report, "  gross  ", &report->gross);
    print_sum(out, report, "  net    ", &report->net);
    if (goes_by_own(report))
        print_sum(out, report, "  own    ", &report->own);
    if (report->server_count)
        print_sum(out, report, "  servers ", &report->servers_own);
    print_terms(out, report->session);
    fputc('\n', out);
    notices_text(out, &report->notices, "", colour);
    for (size_t i = 0; i < report->step_count; i++)
        notices_text(out, &report->steps[i].notices, report->steps[i].name, colour);
    return !ferror(out) || error_errno(err, "cannot write the result");
}
