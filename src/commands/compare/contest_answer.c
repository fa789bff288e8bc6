/* SPDX-License-Identifier: MIT
 * The answer of a comparison: the commands, a row each, and a sentence for each pair. The rest is in contest_table.c.
 */
#include "commands/compare/contest.h"

#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/shown.h"
#include "form/utf8.h"

#include <string.h>

enum { NAME_WIDTH = 8, WIDE_NAME = 20, RUNS_WIDTH = 5, SPREAD_WIDTH = 19, MEAN_WIDTH = 15, WIDE = 80 };

struct page {
    const struct contest *contest;
    const struct table_style *style;
    FILE *out;
};

/* "A  gzip -9 -c big": what a name stands for, where it is not the command itself. */
static void print_commands(const struct page *page)
{
    for (size_t i = 0; i < page->contest->contender_count; i++) {
        const struct contender *contender = &page->contest->contenders[i];
        const size_t taken = utf8_columns(contender->name) + 4;
        char shown[4 * PARAGRAPH_WIDTH + sizeof "…"];
        struct text command;

        text_open(&command, SIZE_MAX);
        shell_command(contender->command, &command);
        if (text_ok(&command) && taken < (size_t)page->style->width && strcmp(command.data, contender->name) != 0) {
            utf8_fit(shown, sizeof shown, command.data, (size_t)page->style->width - taken, "…");
            shown_print(page->out, "  %s  %s\n", contender->name, shown);
        }
        text_close(&command);
    }
}

static enum quality worst_quality(const struct contest *contest)
{
    enum quality quality = contest->contenders[0].series.quality;

    for (size_t i = 1; i < contest->contender_count; i++)
        if (contest->contenders[i].series.quality > quality)
            quality = contest->contenders[i].series.quality;
    return quality;
}

static const struct spread *energy_of(const struct page *page, const struct contender *contender)
{
    switch (page->contest->compared) {
    case FIGURE_OWN_J: return &contender->own_j;
    case FIGURE_NET_J: return &contender->net_j;
    default: return &contender->gross_j;
    }
}

/* As wide as the longest name that leaves room for the figures. */
static int name_width(const struct contest *contest)
{
    size_t width = NAME_WIDTH;

    for (size_t i = 0; i < contest->contender_count; i++) {
        const size_t count = utf8_columns(contest->contenders[i].name);

        width = count > width && count <= WIDE_NAME ? count : width;
    }
    return (int)width;
}

static void print_rows(const struct page *page)
{
    const int names = name_width(page->contest);
    const bool wide = page->style->width >= WIDE + names - NAME_WIDTH;
    const int width = wide ? SPREAD_WIDTH : MEAN_WIDTH;
    char head[64], runs[TEXT_NUMBER_SIZE];

    cell_name(page->out, names, "");
    cell_write(page->out, RUNS_WIDTH, "runs");
    cell_write(page->out, width, "duration");
    snprintf(head, sizeof head, "%s, %s", figure_name(page->contest->compared),
             quality_name(worst_quality(page->contest)));
    cell_write(page->out, width, head);
    cell_write(page->out, width, "emission");
    fputc('\n', page->out);
    for (size_t i = 0; i < page->contest->contender_count; i++) {
        const struct contender *contender = &page->contest->contenders[i];

        snprintf(runs, sizeof runs, "%zu", contender->series.count);
        cell_name(page->out, names, contender->name);
        cell_write(page->out, RUNS_WIDTH, runs);
        cell_spread(page->out, width, &contender->duration_s, wide, units_duration);
        cell_spread(page->out, width, energy_of(page, contender), wide, units_energy);
        cell_spread(page->out, width, &contender->kgco2eq, false, units_mass);
        fputs(contender->complete ? "\n" : "  partial\n", page->out);
    }
}

static void print_sentences(const struct page *page)
{
    for (size_t i = 0; i < page->contest->pair_count; i++) {
        const struct pair *pair = &page->contest->pairs[i];

        fputs(page->style->colour ? "\033[1m" : "", page->out);
        paragraph_write_within(page->out, page->style->width, "  ", pair->sentence ? pair->sentence : "");
        fputs(page->style->colour ? "\033[0m" : "", page->out);
    }
}

/* The head of the table says that it is modelled; the factor is for --verbose. */
static bool is_said(const void *context, const struct error *notice, size_t index)
{
    const struct page *page = context;

    (void)index;
    switch (notice->notice) {
    case NOTICE_MODELLED: return worst_quality(page->contest) != QUALITY_MEASURED;
    case NOTICE_STAND_IN: return !notice->fix[0];
    default: return false;
    }
}

bool contest_answer_write(const struct contest *contest, const struct table_style *style, FILE *out, struct error *err)
{
    const struct page page = { contest, style, out };

    print_commands(&page);
    print_rows(&page);
    print_sentences(&page);
    notices_text_short(out, &contest->doubts, style->width, style->colour, is_said, &page);
    return !ferror(out) || error_errno(err, "cannot write the comparison");
}
