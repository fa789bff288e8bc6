/* SPDX-License-Identifier: MIT
 * The answer of a batch: a row for each module, which of them uses most, and what is unknown. The rest is in
 * batch_text.c. */
#include "commands/batch/module_answer.h"

#include "base/auto.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/text_columns.h"
#include "result/factor_text.h"
#include "result/verdict_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_WIDTH = 5, MASS_WIDTH = 13, EXTRA_WIDTH = 13, WIDE = 80, NARROW_NAME = 8, WIDE_NAME = 24 };

#define LEVEL (1 - STATISTICS_CONFIDENCE)

struct batch_page {
    const struct batch *batch;
    const struct table_style *style;
    bool wide, year, items;
    FILE *out;
};

static const char *interval_name(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++) {
        const struct module_answer answer = module_answer_of(&batch->modules[i]);
        if (batch->modules[i].counted && *answer.interval_name)
            return answer.interval_name;
    }
    return "";
}

static bool any_items(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++)
        if (isfinite(batch->modules[i].items))
            return true;
    return false;
}

static int energy_width(const struct batch_page *page)
{
    return page->wide ? 30 : 24;
}

static int time_width(const struct batch_page *page)
{
    return page->wide ? 10 : 8;
}

/* As wide as the longest name that leaves room for the figures. */
static int name_width(const struct batch_page *page)
{
    const int room = page->style->width - 2 - RUNS_WIDTH - time_width(page) - energy_width(page) - MASS_WIDTH -
                     (page->year + page->items) * EXTRA_WIDTH;
    int width = NARROW_NAME;

    for (size_t i = 0; i < page->batch->module_count; i++) {
        const int columns = (int)utf8_columns(page->batch->modules[i].name);
        width = columns > width ? columns : width;
    }
    width = width < WIDE_NAME ? width : WIDE_NAME;
    return width < room ? width : room < NARROW_NAME ? NARROW_NAME : room;
}

static void print_heads(const struct batch_page *page, int names)
{
    const char *interval = interval_name(page->batch);
    char head[96];

    cell_name(page->out, names, "");
    cell_write(page->out, RUNS_WIDTH, "runs");
    cell_write(page->out, time_width(page), "time");
    snprintf(head, sizeof head, "%s%s%s%s, %s", figure_name(batch_common_figure(page->batch)), *interval ? " (" : "",
             interval, *interval ? ")" : "", quality_name(batch_quality(page->batch)));
    cell_write(page->out, energy_width(page), head);
    cell_write(page->out, MASS_WIDTH, "emission");
    if (page->year)
        cell_write(page->out, EXTRA_WIDTH, "a year");
    if (page->items)
        cell_write(page->out, EXTRA_WIDTH, "items/s");
    fputc('\n', page->out);
}

/* "660 J (627 to 693)"; of what is indistinct from 0 only the upper end says anything. */
static void print_energy(const struct batch_page *page, const struct module_answer *answer)
{
    const int width = energy_width(page);
    char figure[INTERVAL_TEXT_SIZE], cell[INTERVAL_TEXT_SIZE + 16];

    if (!answer->distinct && answer->interval.high > 0)
        snprintf(cell, sizeof cell, "at most %s", units_energy(answer->interval.high, figure));
    else
        snprintf(cell, sizeof cell, "%s%s",
                 answer->figure == FIGURE_GROSS_J && batch_common_figure(page->batch) != FIGURE_GROSS_J ? "gross " : "",
                 interval_text(answer->energy_j->mean, answer->interval.low, answer->interval.high, "", units_energy,
                               figure));
    if (utf8_columns(cell) >= (size_t)width)
        units_energy(answer->energy_j->mean, cell);
    cell_write(page->out, width, cell);
}

static void print_no_run(const struct batch_page *page, const struct batch_module *module, int names)
{
    char cell[64];

    cell_name(page->out, names, module->name);
    snprintf(cell, sizeof cell, "0/%zu", page->batch->loops);
    cell_write(page->out, RUNS_WIDTH, cell);
    fputs("  no run to report\n", page->out);
}

static void print_row(const struct batch_page *page, const struct batch_module *module, int names)
{
    const struct module_answer answer = module_answer_of(module);
    char cell[64];

    if (!module->counted)
        return print_no_run(page, module, names);
    cell_name(page->out, names, module->name);
    snprintf(cell, sizeof cell, "%zu/%zu", module->counted, page->batch->loops);
    cell_write(page->out, RUNS_WIDTH, cell);
    cell_write(page->out, time_width(page), units_duration(module->duration_s.mean, cell));
    print_energy(page, &answer);
    cell_write(page->out, MASS_WIDTH, answer.distinct ? units_mass(answer.emission->footprint.kgco2eq, cell) : "n/a");
    if (page->year)
        cell_write(page->out, EXTRA_WIDTH,
                   answer.distinct ? units_mass(answer.emission->kgco2eq_per_year, cell) : "n/a");
    if (page->items)
        cell_write(page->out, EXTRA_WIDTH,
                   isfinite(module->items) ? units_digits(module->items_per_s.mean, 4, cell) : "-");
    fputc('\n', page->out);
}

/* "later, loop 2: exit status 1": it is not run again. */
static void print_failures(const struct batch_page *page, const struct batch_module *module)
{
    char line[sizeof module->problem.what + 256];

    if (module->problem.kind != ERROR_NONE) {
        snprintf(line, sizeof line, "%.200s: %s", module->name, module->problem.what);
        paragraph_write_within(page->out, page->style->width, "  failed  ", line);
    }
    for (size_t i = 0; i < module->run_count; i++)
        if (batch_run_has_failed(&module->runs[i])) {
            snprintf(line, sizeof line, "%.200s, loop %zu: exit status %d", module->name, module->runs[i].loop,
                     module->runs[i].exit_status);
            paragraph_write_within(page->out, page->style->width, "  failed  ", line);
        }
}

/* The one that uses most, and the one after it. */
struct batch_order {
    const struct batch_module *first, *second;
    size_t count;
    double sum_j;
};

static struct batch_order order_of_energy(const struct batch *batch)
{
    struct batch_order order = { .first = NULL };

    for (size_t i = 0; i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];
        const double energy_j = module_answer_of(module).energy_j->mean;

        if (!module->counted || isnan(energy_j))
            continue;
        order.count++;
        order.sum_j += energy_j;
        if (!order.first || energy_j > module_answer_of(order.first).energy_j->mean) {
            order.second = order.first;
            order.first = module;
        } else if (!order.second || energy_j > module_answer_of(order.second).energy_j->mean) {
            order.second = module;
        }
    }
    return order;
}

/* Which uses most, where that is significant; the first of several by its own measure is one of so many tests. */
static void add_largest(const struct batch_order *order, struct text *text)
{
    const struct module_answer first = module_answer_of(order->first), second = module_answer_of(order->second);
    const struct welch welch = welch_of(second.energy_j, first.energy_j);
    const size_t loops = runs_to_tell_apart(welch.difference, first.energy_j->deviation, second.energy_j->deviation);
    char largest[UNITS_SIZE], all[UNITS_SIZE];

    if (first.energy_j->count < 2 || second.energy_j->count < 2) {
        text_add(text, "undecided: one loop has no confidence interval (use --loops 5)");
    } else if (first.distinct && welch.p * (double)(order->count - 1) < LEVEL) {
        text_add(text, "'%s' uses most: %s of %s in a loop of all (%.0f %%)", order->first->name,
                 units_energy(first.energy_j->mean, largest), units_energy(order->sum_j, all),
                 100 * first.energy_j->mean / order->sum_j);
    } else {
        text_add(text, "undecided: no significant difference between '%s' and '%s'", order->first->name,
                 order->second->name);
        if (loops)
            text_add(text, "; --loops %zu would settle it", loops);
    }
}

void batch_add_sentence(const struct batch *batch, struct text *text)
{
    const struct batch_order order = order_of_energy(batch);

    for (size_t i = 0; i < batch->module_count; i++)
        if (batch->modules[i].counted && module_answer_of(&batch->modules[i]).figure != batch_common_figure(batch))
            return;
    if (order.count > 1)
        add_largest(&order, text);
}

static void print_sentence(const struct batch_page *page)
{
    struct text text;

    text_open(&text, 4096);
    batch_add_sentence(page->batch, &text);
    if (text_ok(&text) && text.length) {
        fputs(page->style->colour ? "\033[1m" : "", page->out);
        paragraph_write_within(page->out, page->style->width, "  ", text.data);
        fputs(page->style->colour ? "\033[0m" : "", page->out);
    }
    text_close(&text);
}

/* Why there is no net, where there is gross instead. */
static void print_lack(const struct batch_page *page)
{
    const struct batch *batch = page->batch;
    struct text text;

    for (size_t i = 0; i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];

        if (!module->counted || module_answer_of(module).figure != FIGURE_GROSS_J)
            continue;
        text_open(&text, 4096);
        text_add(&text, "unknown: ");
        if (batch->baseline_s == 0)
            text_add(&text, "no baseline was taken (--baseline same)");
        else
            batch_add_lack(module, &text);
        paragraph_write_within(page->out, page->style->width, "  net     ", text_ok(&text) ? text.data : "");
        text_close(&text);
        return;
    }
}

static void print_carbon(const struct batch_page *page)
{
    const struct factor_terms terms = factor_terms_of(page->batch->session, page->style->width);
    char hours[TEXT_NUMBER_SIZE];
    struct text text;

    text_open(&text, 4096);
    factor_terms_add(&terms, &text);
    if (page->year)
        text_add(&text, "; a year of %s h", text_number(page->batch->session->hours_per_year, hours));
    paragraph_write_within(page->out, page->style->width, "  carbon  ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

static bool is_said(const void *context, const struct notice *notice, size_t index)
{
    const struct batch_page *page = context;

    (void)index;
    switch (notice->kind) {
    case NOTICE_MODELLED: return batch_quality(page->batch) == QUALITY_MODELLED;
    case NOTICE_NOISE: return true; /* "at most", or the net that is unknown */
    case NOTICE_NO_BASELINE: return page->batch->baseline_s == 0;
    case NOTICE_STAND_IN: return !notice->fix[0];
    default: return false;
    }
}

static void print_notices(const struct batch_page *page)
{
    const struct batch *batch = page->batch;
    AUTO_NOTICES struct notices all = { .count = 0 };

    batch_notices(batch, &all);
    notices_text_short(page->out, &all, NOTES_SHOWN, page->style->width, page->style->colour, page->style->more,
                       is_said, page);
    if (batch_quality(batch) == QUALITY_MODELLED)
        notices_text_hint(page->out, &all, NOTICE_MODELLED, page->style->width);
}

bool batch_answer(const struct batch *batch, const struct table_style *style, FILE *out, struct error *err)
{
    const bool wide = style->width >= WIDE;
    const struct batch_page page = {
        .batch = batch,
        .style = style,
        .wide = wide,
        .year = wide && batch->session->hours_quality == QUALITY_GIVEN,
        .items = wide && any_items(batch),
        .out = out,
    };
    const int names = name_width(&page);
    struct text head;

    text_open(&head, 4096);
    batch_add_head(batch, false, &head);
    paragraph_write_within(out, style->width, "", text_ok(&head) ? head.data : "");
    text_close(&head);
    print_heads(&page, names);
    for (size_t i = 0; i < batch->module_count; i++)
        print_row(&page, &batch->modules[i], names);
    print_sentence(&page);
    for (size_t i = 0; i < batch->module_count; i++)
        print_failures(&page, &batch->modules[i]);
    print_lack(&page);
    print_carbon(&page);
    print_notices(&page);
    return !ferror(out) || error_errno(err, "cannot write the result");
}
