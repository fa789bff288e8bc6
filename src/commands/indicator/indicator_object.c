/* SPDX-License-Identifier: MIT
 * The object that a performance indicator has printed, with usage, energy and carbon beside what it says itself. */
#include "commands/indicator/indicator_parts.h"

#include "base/auto.h"
#include "form/json_parts.h"
#include "measurement/idle.h"

#include <math.h>
#include <string.h>

void indicator_add_figures(struct tree_node node, const struct indicator_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct indicator_figure *figure = &figures->items[i];

        if (figure->kind == FIGURE_TEXT)
            tree_text_or_null(node, figure->name, figure->text);
        else
            tree_number(node, figure->name, figure->number);
    }
}

static void add_domains(struct tree_node node, const struct report *report, const struct window *window)
{
    const struct measurement *measurement = report->measurement;
    const struct neighbours neighbours = neighbours_of(measurement, window);
    const struct tree_node domains = tree_array(node, "energy_domains");

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct meter_domain *state = &measurement->meter->domains[i];
        const struct energies energies = domain_energies(measurement, &neighbours, window, i);
        const struct tree_node domain = tree_object(domains, NULL);

        tree_text(domain, "name", state->domain->name);
        tree_text(domain, "source", state->source->driver->name);
        tree_text(domain, "quality", quality_name(state->domain->quality));
        tree_bool(domain, "counted", measurement->counting->is_counted[i]);
        tree_number(domain, "gross_j", energies.gross_j);
        tree_number(domain, "idle_j", energies.idle_j);
        tree_number(domain, "net_j", energies.net_j);
    }
}

static void add_notices(struct tree_node node, const struct report *report, const struct notices *own)
{
    const struct tree_node array = tree_array(node, "energy_notices");

    for (size_t i = 0; i < report->all_notices.count; i++)
        json_notice(tree_object(array, NULL), &report->all_notices.item[i]);
    for (size_t i = 0; i < own->count; i++)
        json_notice(tree_object(array, NULL), &own->item[i]);
}

void indicator_add_usage(struct tree_node node, const struct indicator_report *report, size_t i)
{
    struct indicator_figures figures;

    indicator_usage(report, i, &figures);
    indicator_add_figures(tree_object(node, "usage"), &figures);
}

void indicator_add_run(struct tree_node node, const struct indicator_report *report, size_t i)
{
    const struct run *run = &report->report->measurement->runs[report->runs[i].index];
    char start[INDICATOR_TIME_SIZE], end[INDICATOR_TIME_SIZE];
    struct indicator_figures figures;
    struct tree_node energy;

    indicator_add_usage(node, report, i);
    tree_int_or_null(node, "exit_code", run->ended ? run->end.exit_status : -1);
    tree_text_or_null(node, "script_sha256", report->sha256);
    indicator_times(report, i, start, end);
    tree_text(node, "start_datetime", start);
    tree_text(node, "end_datetime", end);
    energy = tree_object(node, "@energy");
    indicator_energy(report, i, &figures);
    indicator_add_figures(energy, &figures);
    add_domains(energy, report->report, &run->window);
    add_notices(energy, report->report, &report->runs[i].notices);
    indicator_carbon(report, i, &figures);
    indicator_add_figures(tree_object(node, "@carbon"), &figures);
}

/* component was called framework: who reads one name only finds it. */
static void add_other_name(struct tree_node root, const struct indicator_run *run, char **raw)
{
    const struct indicator *indicator = &run->indicator;
    const uint32_t node = indicator->component ? indicator->component : indicator->framework;
    const struct json_span *name = scan_span(&run->scan, node);

    if (indicator->component && indicator->framework)
        return;
    *raw = strndup(run->scan.text + name->start, name->end - name->start);
    tree_json(root, indicator->component ? "framework" : "component", *raw ? *raw : "null");
}

/* The members of what is in the tree, without its braces; the tree is closed. */
static char *members_of(struct tree *tree, struct error *err)
{
    char *line = tree_string_line(tree, "what carbon adds to the output", err);
    const size_t length = line ? strlen(line) : 0;

    if (length < 3)
        return line;
    memmove(line, line + 1, length - 3); /* with the line end */
    line[length - 3] = '\0';
    return line;
}

static char *added_members(const struct indicator_report *report, size_t i, struct error *err)
{
    AUTO_FREE char *raw = NULL;
    struct tree tree;

    tree_open(&tree);
    add_other_name(tree_root(&tree), &report->runs[i], &raw);
    if (report->options.score)
        tree_number(tree_root(&tree), "overall_score", indicator_score(report, i));
    indicator_add_run(tree_root(&tree), report, i);
    return members_of(&tree, err);
}

static char *merged_members(const struct indicator_report *report, size_t i, struct error *err)
{
    struct indicator_figures figures;
    struct tree tree;

    tree_open(&tree);
    indicator_energy(report, i, &figures);
    indicator_add_figures(tree_root(&tree), &figures);
    indicator_carbon(report, i, &figures);
    indicator_add_figures(tree_root(&tree), &figures);
    return members_of(&tree, err);
}

static bool write_object(const struct indicator_report *report, size_t i, bool bare, bool one_line, FILE *out,
                         struct error *err)
{
    const struct indicator_run *run = &report->runs[i];
    const struct span_form form = { .keeps_nan = !bare && report->options.keeps_nan, .one_line = one_line };
    AUTO_FREE char *added = bare ? NULL : added_members(report, i, err);
    AUTO_FREE char *merged = bare || !report->options.merges ? NULL : merged_members(report, i, err);
    const struct insertion insertions[] = { { 0, added }, { run->indicator.result, merged } };

    if (!bare && (!added || (report->options.merges && !merged)))
        return false;
    spans_write(&run->scan, 0, &form, insertions, bare ? 0 : 1 + report->options.merges, out);
    return !ferror(out) || error_errno(err, "cannot write the output");
}

char *indicator_text(const struct indicator_report *report, size_t i, bool bare, bool one_line, struct error *err)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool good = out && write_object(report, i, bare, one_line, out, err);

    good = out && fclose(out) == 0 && good;
    if (good)
        return text;
    free(text);
    error_set(err, ERROR_SYSTEM, "no memory for the output of run %zu", i + 1);
    return NULL;
}

bool indicator_write(const struct indicator_report *report, size_t i, bool one_line, FILE *out, struct error *err)
{
    if (!write_object(report, i, false, one_line, out, err))
        return false;
    fputc('\n', out);
    return !ferror(out) || error_errno(err, "cannot write the output");
}
