/* SPDX-License-Identifier: MIT
 * The forms of one update of `carbon sources --watch`. */
#include "commands/sources/watch.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/quality.h"
#include "base/units.h"
#include "form/json_parts.h"
#include "form/utf8.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { FIGURE_COLUMNS = 10, FIGURES = 3, QUALITY_COLUMNS = 10 };

struct columns {
    int name, source;
    bool broken; /* a row takes two lines: what it is, and its figures */
};

static void right(FILE *out, const char *text)
{
    const int room = FIGURE_COLUMNS - (int)utf8_columns(text);

    fprintf(out, "%*s%s", room > 0 ? room : 1, "", text);
}

static void print_what(FILE *out, const struct columns *columns, const char *mark, const char *name, const char *source)
{
    fprintf(out, "%s %-*s  %-*s", mark, columns->name, name, columns->source, source);
    if (columns->broken)
        fprintf(out, "\n%*s", 2, "");
}

/* problem: stands in the place of a figure that cannot be had; NULL: unknown. */
static void print_figures(FILE *out, const struct power_figures *figures, const char *problem)
{
    char number[UNITS_SIZE];

    right(out, isnan(figures->w) && problem ? problem : units_power(figures->w, number));
    if (isnan(figures->energy_j) && problem)
        return;
    right(out, units_power(figures->mean_w, number));
    right(out, units_energy(figures->energy_j, number));
    if (figures->quality != QUALITY_UNKNOWN)
        fprintf(out, "  %s%s", quality_name(figures->quality), figures->unknown_s > 0 ? ", at least" : "");
}

/* Why there is no figure now, in a word; NULL: it was read. */
static const char *problem_of(const struct watch_view *view, size_t i)
{
    const struct meter_domain *state = &view->sources->meter.domains[i];
    struct error error;

    if (state->domain->problem.kind != ERROR_NONE)
        return error_kind_name(state->domain->problem.kind);
    if (view->sample->read[i])
        return NULL;
    errno = state->last_error;
    error_errno(&error, "cannot read");
    return error_kind_name(error.kind);
}

static struct columns columns_of(const struct watch_view *view, int width)
{
    struct columns columns = { .name = (int)strlen("scope platform"), .source = (int)strlen("never added") };

    for (size_t i = 0; i < view->sources->meter.domain_count; i++) {
        const struct meter_domain *state = &view->sources->meter.domains[i];
        const int name = (int)strlen(state->domain->name), source = (int)strlen(state->source->driver->name);

        columns.name = name > columns.name ? name : columns.name;
        columns.source = source > columns.source ? source : columns.source;
    }
    columns.broken =
        width && 2 + columns.name + 2 + columns.source + FIGURES * FIGURE_COLUMNS + 2 + QUALITY_COLUMNS >= width;
    return columns;
}

static void print_total(const struct watch_view *view, const struct watch_style *style, const struct columns *columns,
                        enum scope scope, FILE *out)
{
    const bool own = scope == view->sources->scope;
    char name[32];

    snprintf(name, sizeof name, "scope %s", scope_name(scope));
    if (own && style->colour)
        fputs("\033[1m", out);
    print_what(out, columns, " ", name, own ? "total" : "never added");
    print_figures(out, &view->totals[scope], NULL);
    fputs(own && style->colour ? "\033[0m\n" : "\n", out);
}

void watch_write_text(const struct watch_view *view, const struct watch_style *style, FILE *out)
{
    const struct sources *sources = view->sources;
    const struct columns columns = columns_of(view, style->width);
    char time[CLOCK_TEXT_SIZE], elapsed[UNITS_SIZE];

    fprintf(out, "%s  after %s\n", clock_text(view->realtime_ns, time),
            units_duration(view->update.elapsed_s, elapsed));
    print_what(out, &columns, " ", "domain", "source");
    right(out, "now");
    right(out, "mean");
    right(out, "energy");
    fputc('\n', out);
    for (size_t i = 0; i < sources->meter.domain_count; i++) {
        const struct meter_domain *state = &sources->meter.domains[i];

        print_what(out, &columns, sources->counting.counts[i] ? style->mark : " ", state->domain->name,
                   state->source->driver->name);
        print_figures(out, &view->update.domains[i], problem_of(view, i));
        fputc('\n', out);
    }
    print_total(view, style, &columns, sources->scope, out);
    for (enum scope scope = 0; scope < SCOPE_COUNT; scope++)
        if (scope != sources->scope && view->countings[scope].counted)
            print_total(view, style, &columns, scope, out);
    for (size_t i = 0; i < view->notices.count; i++)
        terminal_notice_in(out, &view->notices.item[i], style->colour, style->width);
}

static void add_figures(struct tree_node node, const struct power_figures *figures)
{
    tree_number(node, "w", figures->w);
    tree_number(node, "mean_w", figures->mean_w);
    tree_number(node, "energy_j", figures->energy_j);
    tree_bool(node, "at_least", figures->unknown_s > 0);
    tree_number(node, "unknown_s", figures->unknown_s);
    tree_text(node, "reason", hole_name(figures->hole));
    tree_text(node, "quality", quality_name(figures->quality));
}

static void add_total(struct tree_node node, const struct watch_view *view, enum scope scope)
{
    tree_text(node, "scope", scope_name(scope));
    add_figures(node, &view->totals[scope]);
    tree_integer(node, "counted_unknown", view->totals[scope].unknown);
}

bool watch_write_json(const struct watch_view *view, FILE *out, struct error *err)
{
    const struct sources *sources = view->sources;
    char time[CLOCK_TEXT_SIZE];
    struct tree tree;
    struct tree_node root, list;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "schema", WATCH_SCHEMA);
    tree_text(root, "time", clock_text(view->realtime_ns, time));
    tree_number(root, "elapsed_s", view->update.elapsed_s);
    tree_number(root, "interval_s", view->update.interval_s);
    list = tree_array(root, "domains");
    for (size_t i = 0; i < sources->meter.domain_count; i++) {
        const struct tree_node node = tree_object(list, NULL);

        tree_text(node, "name", sources->meter.domains[i].domain->name);
        tree_text(node, "source", sources->meter.domains[i].source->driver->name);
        add_figures(node, &view->update.domains[i]);
        tree_bool(node, "counted", sources->counting.counts[i]);
    }
    add_total(tree_object(root, "total"), view, sources->scope);
    list = tree_array(root, "alternatives");
    for (enum scope scope = 0; scope < SCOPE_COUNT; scope++)
        if (scope != sources->scope && view->countings[scope].counted)
            add_total(tree_object(list, NULL), view, scope);
    json_notices(root, &view->notices);
    return tree_write_line(&tree, out, "the update", err);
}
