/* SPDX-License-Identifier: MIT
 * The answer of a comparison: the commands, a row each, and a sentence for each pair. The rest is in comparison_text.c.
 */
#include "commands/compare/comparison.h"

#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/shown.h"
#include "form/text_columns.h"

#include <string.h>

enum { NAME_WIDTH = 8, WIDE_NAME = 20, RUNS_WIDTH = 5, SPREAD_WIDTH = 19, MEAN_WIDTH = 15, WIDE = 80 };

struct comparison_page {
    const struct comparison *comparison;
    const struct table_style *style;
    FILE *out;
};

/* "A  gzip -9 -c big": the command that a name denotes, where the name is not the command itself. */
static void print_commands(const struct comparison_page *page)
{
    for (size_t i = 0; i < page->comparison->candidate_count; i++) {
        const struct candidate *candidate = &page->comparison->candidates[i];
        const size_t taken = utf8_columns(candidate->name) + 4;
        char shown[4 * PARAGRAPH_WIDTH + sizeof "…"];
        struct text command;

        text_open(&command, SIZE_MAX);
        shell_command(candidate->command, &command);
        if (text_ok(&command) && taken < (size_t)page->style->width && strcmp(command.data, candidate->name) != 0) {
            utf8_fit(shown, sizeof shown, command.data, (size_t)page->style->width - taken, "…");
            shown_print(page->out, "  %s  %s\n", candidate->name, shown);
        }
        text_close(&command);
    }
}

static const struct sample_stats *energy_of(const struct comparison_page *page, const struct candidate *candidate)
{
    switch (page->comparison->compared) {
    case FIGURE_OWN_J: return &candidate->own_j;
    case FIGURE_NET_J: return &candidate->net_j;
    default: return &candidate->gross_j;
    }
}

/* As wide as the longest name that leaves room for the figures. */
static int name_width(const struct comparison *comparison)
{
    size_t width = NAME_WIDTH;

    for (size_t i = 0; i < comparison->candidate_count; i++) {
        const size_t count = utf8_columns(comparison->candidates[i].name);

        width = count > width && count <= WIDE_NAME ? count : width;
    }
    return (int)width;
}

static void print_rows(const struct comparison_page *page)
{
    const int names = name_width(page->comparison);
    const bool wide = page->style->width >= WIDE + names - NAME_WIDTH;
    const int width = wide ? SPREAD_WIDTH : MEAN_WIDTH;
    char head[64], runs[TEXT_NUMBER_SIZE];

    cell_name(page->out, names, "");
    cell_write(page->out, RUNS_WIDTH, "runs");
    cell_write(page->out, width, "duration");
    snprintf(head, sizeof head, "%s, %s", figure_name(page->comparison->compared),
             quality_name(comparison_quality(page->comparison)));
    cell_write(page->out, width, head);
    cell_write(page->out, width, "emission");
    fputc('\n', page->out);
    for (size_t i = 0; i < page->comparison->candidate_count; i++) {
        const struct candidate *candidate = &page->comparison->candidates[i];

        snprintf(runs, sizeof runs, "%zu", candidate->series.count);
        cell_name(page->out, names, candidate->name);
        cell_write(page->out, RUNS_WIDTH, runs);
        cell_spread(page->out, width, &candidate->duration_s, wide, units_duration);
        cell_spread(page->out, width, energy_of(page, candidate), wide, units_energy);
        cell_spread(page->out, width, &candidate->kgco2eq, false, units_mass);
        fputs(candidate->complete ? "\n" : "  partial\n", page->out);
    }
}

static void print_sentences(const struct comparison_page *page)
{
    for (size_t i = 0; i < page->comparison->pair_count; i++) {
        const struct pair *pair = &page->comparison->pairs[i];

        if (pair->gate) { /* which answers what was asked */
            comparison_gate_line(pair->gate, page->style->width, page->out);
            continue;
        }
        fputs(page->style->colour ? "\033[1m" : "", page->out);
        paragraph_write_within(page->out, page->style->width, "  ", pair->sentence ? pair->sentence : "");
        fputs(page->style->colour ? "\033[0m" : "", page->out);
    }
}

/* The head of the table says that it is modelled; the factor is for --verbose. */
static bool is_said(const void *context, const struct notice *notice, size_t index)
{
    const struct comparison_page *page = context;

    (void)index;
    switch (notice->kind) {
    case NOTICE_MODELLED: return comparison_quality(page->comparison) != QUALITY_MEASURED;
    case NOTICE_STAND_IN: return !notice->fix[0];
    default: return false;
    }
}

/* A sentence of two lines leaves one for notes. */
static size_t note_lines(const struct comparison_page *page)
{
    for (size_t i = 0; i < page->comparison->pair_count; i++)
        if (page->comparison->pairs[i].sentence &&
            utf8_columns(page->comparison->pairs[i].sentence) + 2 > (size_t)page->style->width)
            return 1;
    return NOTES_SHOWN;
}

bool comparison_answer_write(const struct comparison *comparison, const struct table_style *style, FILE *out,
                             struct error *err)
{
    const struct comparison_page page = { comparison, style, out };

    print_commands(&page);
    print_rows(&page);
    print_sentences(&page);
    notices_text_short(out, &comparison->doubts, note_lines(&page), style->width, style->colour, style->more, is_said,
                       &page);
    return !ferror(out) || error_errno(err, "cannot write the comparison");
}
