/* SPDX-License-Identifier: MIT
 * The object that a performance indicator has printed, with usage, energy and carbon beside what it says itself. */
#include "commands/indicator/indicator_fields.h"

#include "base/auto.h"

#include <string.h>

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
    char *line = tree_string_line(tree, "additions of carbon to the output", err);
    const size_t length = line ? strlen(line) : 0;

    if (length < 3)
        return line;
    memmove(line, line + 1, length - 3); /* with the line end */
    line[length - 3] = '\0';
    return line;
}

static char *added_members(const struct indicator_report *report, size_t i, struct error *err)
{
    const struct indicator_added added = indicator_added_of(report, i);
    AUTO_FREE char *raw = NULL;
    struct tree tree;

    tree_open(&tree);
    add_other_name(tree_root(&tree), &report->runs[i], &raw);
    if (report->options.score)
        tree_number(tree_root(&tree), "overall_score", indicator_score(report, i));
    fields_json(tree_root(&tree), &indicator_added_fields, &added);
    return members_of(&tree, err);
}

static char *merged_members(const struct indicator_report *report, size_t i, struct error *err)
{
    const struct indicator_figures figures = indicator_figures(report, i);
    struct tree tree;

    tree_open(&tree);
    fields_json(tree_root(&tree), &indicator_energy_fields, &figures.energy);
    fields_json(tree_root(&tree), &indicator_carbon_fields, &figures.carbon);
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
