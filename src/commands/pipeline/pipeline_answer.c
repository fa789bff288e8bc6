/* SPDX-License-Identifier: MIT
 * The answer of a pipeline: what each step is to be given, and what all of them used. The rest is in pipeline_text.c.
 */
#include "commands/pipeline/pipeline_report.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/text_columns.h"
#include "result/answer.h"
#include "result/factor_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NARROW_NAME = 10,
    WIDE_NAME = 24,
    TIME_WIDTH = 10,
    CPU_WIDTH = 9,
    MEMORY_WIDTH = 12,
    REQUEST_WIDTH = 17,
    ENERGY_WIDTH = 10,
    WIDE = 70,
};

struct pipeline_page {
    const struct pipeline_report *report;
    const struct table_style *style;
    enum figure figure;
    FILE *out;
};

/* Own, where it is known; without a baseline there is no net. */
static enum figure figure_of(const struct pipeline_report *report)
{
    if (isfinite(report->own_j))
        return FIGURE_OWN_J;
    return report->baseline_s > 0 && isfinite(report->net_j) ? FIGURE_NET_J : FIGURE_GROSS_J;
}

static double energy_of(const struct pipeline_report *report, enum figure figure)
{
    return figure == FIGURE_OWN_J ? report->own_j : figure == FIGURE_NET_J ? report->net_j : report->gross_j;
}

static const struct footprint *footprint_of_figure(const struct pipeline_report *report, enum figure figure)
{
    return figure == FIGURE_OWN_J ? &report->own : figure == FIGURE_NET_J ? &report->net : &report->gross;
}

static const struct sample_stats *step_energy(const struct pipeline_step_report *step, enum figure figure)
{
    return figure == FIGURE_OWN_J ? &step->own_j : figure == FIGURE_NET_J ? &step->net_j : &step->gross_j;
}

static bool is_wide(const struct pipeline_page *page)
{
    return page->style->width >= WIDE;
}

static int name_width(const struct pipeline_page *page)
{
    const int room = page->style->width - 2 - TIME_WIDTH - MEMORY_WIDTH - REQUEST_WIDTH - ENERGY_WIDTH -
                     (is_wide(page) ? CPU_WIDTH : 0);
    int width = NARROW_NAME;

    for (size_t i = 0; i < page->report->step_count; i++) {
        const int columns = (int)utf8_columns(page->report->steps[i].name);
        width = columns > width ? columns : width;
    }
    width = width < WIDE_NAME ? width : WIDE_NAME;
    return width < room ? width : room < 8 ? 8 : room;
}

static void print_head(const struct pipeline_page *page, int names)
{
    const struct pipeline_report *report = page->report;
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "pipeline %s: %zu step%s", report->name, report->step_count, report->step_count == 1 ? "" : "s");
    if (report->rounds > 1)
        text_add(&text, ", %zu rounds", report->rounds);
    if (report->failed)
        text_add(&text, ", %zu failed", report->failed);
    if (report->not_run)
        text_add(&text, ", %zu not run", report->not_run);
    if (report->interrupted)
        text_add(&text, ", interrupted");
    paragraph_write_within(page->out, page->style->width, "", text_ok(&text) ? text.data : "");
    text_close(&text);
    cell_name(page->out, names, "");
    cell_write(page->out, TIME_WIDTH, "time");
    if (is_wide(page))
        cell_write(page->out, CPU_WIDTH, "CPU max");
    cell_write(page->out, MEMORY_WIDTH, "memory peak");
    cell_write(page->out, REQUEST_WIDTH, "request");
    cell_write(page->out, ENERGY_WIDTH, figure_name(page->figure));
    fputc('\n', page->out);
}

/* ">=2 CPUs, 64 MB" */
static void print_request(const struct pipeline_page *page, const struct request *request, bool cpu_at_least)
{
    char cell[96];

    if (request->cpu || request->memory_mb)
        snprintf(cell, sizeof cell, "%s%u CPU%s, %u MB", cpu_at_least ? ">=" : "", (unsigned)request->cpu,
                 request->cpu == 1 ? "" : "s", (unsigned)request->memory_mb);
    else
        snprintf(cell, sizeof cell, "unknown");
    cell_write(page->out, REQUEST_WIDTH, cell);
}

static void print_used(const struct pipeline_page *page, double cpu_percent_of_core, double memory_mb)
{
    char cell[PIPELINE_CELL];

    if (is_wide(page)) {
        if (isfinite(cpu_percent_of_core))
            c_snprintf(cell, sizeof cell, "%.0f %%", cpu_percent_of_core);
        else
            snprintf(cell, sizeof cell, "unknown");
        cell_write(page->out, CPU_WIDTH, cell);
    }
    pipeline_cell(memory_mb, "MB", cell);
    cell_write(page->out, MEMORY_WIDTH, cell);
}

static void print_step(const struct pipeline_page *page, const struct pipeline_step_report *step, int names)
{
    char cell[UNITS_SIZE];

    cell_name(page->out, names, step->name);
    if (!step->counted) {
        fputs("   not run\n", page->out);
        return;
    }
    cell_write(page->out, TIME_WIDTH, units_duration(step->duration_s.mean, cell));
    print_used(page, step->cpu_percent_of_core.maximum,
               isfinite(step->memory_peak_mb) ? step->memory_peak_mb : step->memory_mb.maximum);
    print_request(page, &step->requests, step->request_cpu_at_least);
    cell_write(page->out, ENERGY_WIDTH, units_energy(step_energy(step, page->figure)->mean, cell));
    fputc('\n', page->out);
}

/* Servers run at the same time as steps; their energy is known of all together. */
static void print_server(const struct pipeline_page *page, const struct pipeline_server *server, int names)
{
    cell_name(page->out, names, server->name);
    if (!server->starts) {
        fputs("   not run\n", page->out);
        return;
    }
    cell_write(page->out, TIME_WIDTH, "server");
    print_used(page, server->cpu_percent_of_core.maximum,
               isfinite(server->memory_peak_mb) ? server->memory_peak_mb : server->memory_mb.maximum);
    print_request(page, &server->requests, false);
    fputc('\n', page->out);
}

/* "late", "step: exit status 3". */
static void print_failures(const struct pipeline_page *page)
{
    char line[sizeof page->report->steps->problem.what + 256];

    for (size_t i = 0; i < page->report->step_count; i++) {
        const struct pipeline_step_report *step = &page->report->steps[i];
        const struct pipeline_run *last = step->run_count ? &step->runs[step->run_count - 1] : NULL;

        if (!step->failed)
            continue;
        if (step->problem.kind != ERROR_NONE)
            snprintf(line, sizeof line, "%.200s: %s", step->name, step->problem.what);
        else if (last && last->timed_out)
            snprintf(line, sizeof line, "%.200s: ended at its time limit", step->name);
        else
            snprintf(line, sizeof line, "%.200s: exit status %d", step->name, last ? last->exit_status : 0);
        paragraph_write_within(page->out, page->style->width, "  failed  ", line);
    }
}

static void print_energy(const struct pipeline_page *page)
{
    const struct pipeline_report *report = page->report;
    const bool own = page->figure == FIGURE_OWN_J,
               ranged = own && isfinite(report->own_range_j.low) && report->own_range_j.low < report->own_range_j.high;
    char figure[INTERVAL_TEXT_SIZE], energy[UNITS_SIZE], duration[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%s%s %s, %s in %s",
             interval_text(energy_of(report, page->figure), ranged ? report->own_range_j.low : NAN,
                           ranged ? report->own_range_j.high : NAN, "range", units_energy, figure),
             report->rounds > 1 ? " per round" : "", figure_name(page->figure), quality_name(report->quality),
             units_duration(report->duration_s, duration));
    if (page->figure == FIGURE_GROSS_J)
        text_add(&text, "; net unknown: %s",
                 report->baseline_s > 0 ? "no power of the baseline" : "no baseline (-b 5)");
    else
        text_add(&text, "; gross %s", units_energy(report->gross_j, energy));
    if (isfinite(report->servers_own_j))
        text_add(&text, "; servers %s", units_energy(report->servers_own_j, energy));
    paragraph_write_within(page->out, page->style->width, "  energy  ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

static void print_carbon(const struct pipeline_page *page)
{
    const struct factor_terms terms = factor_terms_of(page->report->session, page->style->width);
    char mass[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%s; ", units_mass(footprint_of_figure(page->report, page->figure)->kgco2eq, mass));
    factor_terms_add(&terms, &text);
    paragraph_write_within(page->out, page->style->width, "  carbon  ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

static bool is_said(const void *context, const struct notice *notice, size_t index)
{
    const struct pipeline_page *page = context;

    (void)index;
    switch (notice->kind) {
    case NOTICE_MODELLED: return page->report->quality == QUALITY_MODELLED;
    case NOTICE_NO_BASELINE: return page->report->baseline_s == 0;
    case NOTICE_STAND_IN: return !notice->fix[0];
    default: return false;
    }
}

static struct notices_of of_step(const void *item)
{
    const struct pipeline_step_report *step = item;

    return (struct notices_of){ step->name, &step->notices };
}

static void print_notices(const struct pipeline_page *page)
{
    const struct pipeline_report *report = page->report;
    AUTO_NOTICES struct notices all = { .count = 0 };

    notices_with_items(&all, &report->notices, report->steps, report->step_count, sizeof *report->steps, of_step);
    notices_text_short(page->out, &all, NOTES_SHOWN, page->style->width, page->style->colour, page->style->more,
                       is_said, page);
    if (report->quality == QUALITY_MODELLED)
        notices_text_hint(page->out, &all, NOTICE_MODELLED, page->style->width);
}

bool pipeline_report_answer(const struct pipeline_report *report, const struct table_style *style, FILE *out,
                            struct error *err)
{
    const struct pipeline_page page = { report, style, figure_of(report), out };
    const int names = name_width(&page);

    print_head(&page, names);
    for (size_t i = 0; i < report->step_count; i++)
        print_step(&page, &report->steps[i], names);
    for (size_t i = 0; i < report->server_count; i++)
        print_server(&page, &report->servers[i], names);
    print_failures(&page);
    print_energy(&page);
    print_carbon(&page);
    print_notices(&page);
    return !ferror(out) || error_errno(err, "cannot write the result");
}

void pipeline_report_brief(const struct pipeline_report *report, FILE *out)
{
    const enum figure figure = figure_of(report);

    answer_line(out, energy_of(report, figure), report->quality, figure, footprint_of_figure(report, figure)->kgco2eq);
    fprintf(out, "%s%s\n", report->failed ? " failed" : "", report->complete ? "" : " partial");
}
