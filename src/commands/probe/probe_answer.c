/* SPDX-License-Identifier: MIT
 * What consumes most, in one sentence, and the highest load of each kind. The rest is in probe_text.c. */
#include "commands/probe/probe.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/text_columns.h"
#include "result/factor_text.h"
#include "result/report.h"

#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 14, CELL_WIDTH = 9, NARROW_CELL = 8, ROOM_FOR_WIDE = 70 };

/* Normal quantile of 95 %: differences of two parts below it times their error are not significant. */
#define QUANTILE_95 1.96

struct probe_page {
    const struct probe_result *result;
    const struct table_style *style;
    enum power_part parts; /* shown: those below */
    FILE *out;
};

static void capital(char *text)
{
    if (*text >= 'a' && *text <= 'z')
        *text = (char)(*text - 'a' + 'A');
}

/* Both have an error, and their difference is within it. */
static bool are_alike(const struct breakdown_figure *a, const struct breakdown_figure *b)
{
    return isfinite(a->error_w) && isfinite(b->error_w) &&
           fabs(a->w - b->w) < QUANTILE_95 * hypot(a->error_w, b->error_w);
}

static void add_part(const struct probe_entry *entry, enum power_part part, struct text *text)
{
    char w[UNITS_SIZE];

    text_add(text, " %s (%.0f %%)", units_power(entry->row.parts[part].w, w), entry->row.parts[part].percent);
}

/* "; memory under 0.41 W", where the meter cannot resolve it. */
static void add_unresolved(const struct probe_result *result, const struct probe_entry *entry, struct text *text)
{
    char w[UNITS_SIZE];

    for (enum power_part part = 0; part < POWER_PARTS; part++) {
        const struct breakdown_figure *figure = &entry->row.parts[part];
        if (!probe_part_shown(entry, part) || probe_part_stated(entry, part) || isnan(figure->detectable_w))
            continue;
        text_add(text, ", %s under %s", probe_part_words(result, entry, part), units_power(figure->detectable_w, w));
    }
}

/* "At the highest load (cpu × 8, 61.0 W) the CPUs consume most: 39.0 W (64 %); the idle machine 22.0 W (36 %), memory
 * under 0.41 W". */
static void add_largest(const struct probe_result *result, const struct probe_entry *entry, struct text *text)
{
    bool reported[POWER_PARTS] = { false };
    const enum power_part part = probe_largest_stated(entry, reported);
    enum power_part next;
    char w[UNITS_SIZE];

    if (part == POWER_PARTS) {
        text_add(text, "undecided: no part of %s is significant (use --runs 10)",
                 units_power(entry->row.total_gross_w, w));
        return;
    }
    reported[part] = true;
    next = probe_largest_stated(entry, reported);
    text_add(text, "%sat the highest load (%s, %s) ", probe_is_modelled(result) ? "by the model, " : "", entry->name,
             units_power(entry->row.total_gross_w, w));
    if (next != POWER_PARTS && are_alike(&entry->row.parts[part], &entry->row.parts[next])) {
        text_add(text, "%s and %s consume most, with no significant difference:", probe_part_words(result, entry, part),
                 probe_part_words(result, entry, next));
        add_part(entry, part, text);
        text_add(text, " and");
        add_part(entry, next, text);
    } else {
        text_add(text, "%s %s most:", probe_part_words(result, entry, part), part == PART_CPU ? "consume" : "consumes");
        add_part(entry, part, text);
        if (next != POWER_PARTS) {
            text_add(text, "; %s", probe_part_words(result, entry, next));
            add_part(entry, next, text);
        }
    }
    if (next != POWER_PARTS)
        reported[next] = true;
    while ((next = probe_largest_stated(entry, reported)) != POWER_PARTS) {
        text_add(text, ", %s", probe_part_words(result, entry, next));
        add_part(entry, next, text);
        reported[next] = true;
    }
    add_unresolved(result, entry, text);
}

static void print_sentence(const struct probe_page *page)
{
    const struct probe_entry *busiest = probe_busiest(page->result), *idle = probe_idle(page->result);
    char w[UNITS_SIZE];
    struct text text;

    text_open(&text, 8192);
    if (busiest)
        add_largest(page->result, busiest, &text);
    else if (idle)
        text_add(&text, "%s %s; no load was run to its end",
                 page->result->busy ? "the baseline is" : "the idle machine is",
                 units_power(idle->row.total_gross_w, w));
    else
        text_add(&text, "undecided: no load was run to its end");
    if (text_ok(&text)) {
        capital(text.data);
        fputs(page->style->colour ? "\033[1m" : "", page->out);
        paragraph_write_within(page->out, page->style->width, "", text.data);
        fputs(page->style->colour ? "\033[0m" : "", page->out);
    }
    text_close(&text);
}

static int cell_width(const struct probe_page *page)
{
    return page->style->width >= ROOM_FOR_WIDE ? CELL_WIDTH : NARROW_CELL;
}

static void print_head(const struct probe_page *page)
{
    const struct probe_result *result = page->result;
    const char *const heads[POWER_PARTS] = { result->busy ? "baseline" : "idle", "CPU", "memory", "I/O", "rest" };
    char runs[64], each[UNITS_SIZE];

    snprintf(runs, sizeof runs, "%zu × %s", result->runs, units_duration(result->load_s, each));
    cell_name(page->out, NAME_WIDTH, runs);
    cell_write(page->out, cell_width(page), "gross");
    for (enum power_part part = 0; part < page->parts; part++)
        cell_write(page->out, cell_width(page), heads[part]);
    fputs(result->interrupted ? "  interrupted\n" : "\n", page->out);
}

/* "39.0 W", "<0.41 W", "-" of what a load has not, "unknown" of what no meter and no model has. */
static void print_part(const struct probe_page *page, const struct probe_entry *entry, enum power_part part)
{
    const struct breakdown_figure *figure = &entry->row.parts[part];
    char cell[UNITS_SIZE + 1], w[UNITS_SIZE];

    if (isnan(figure->w))
        snprintf(cell, sizeof cell, "-");
    else if (!probe_part_shown(entry, part))
        snprintf(cell, sizeof cell, "unknown");
    else if (probe_part_stated(entry, part))
        units_power(figure->w, cell);
    else
        snprintf(cell, sizeof cell, isnan(figure->detectable_w) ? "n/a" : "<%s", units_power(figure->detectable_w, w));
    cell_write(page->out, cell_width(page), cell);
}

static void print_row(const struct probe_page *page, const struct probe_entry *entry)
{
    char w[UNITS_SIZE];

    cell_name(page->out, NAME_WIDTH, entry->name);
    cell_write(page->out, cell_width(page), units_power(entry->row.total_gross_w, w));
    for (enum power_part part = 0; part < page->parts; part++)
        print_part(page, entry, part);
    fputc('\n', page->out);
}

/* What a load mainly works: the two of a disk are one. */
static enum load_kind group_of(enum load_kind kind)
{
    return kind == LOAD_DISK_READ ? LOAD_DISK_WRITE : kind;
}

/* No load of its group had more power. */
static bool is_highest(const struct probe_result *result, const struct probe_entry *entry)
{
    for (size_t i = 0; i < result->entry_count; i++) {
        const struct probe_entry *other = &result->entries[i];
        if (other->run_count && group_of(other->kind) == group_of(entry->kind) &&
            (other->row.total_gross_w > entry->row.total_gross_w ||
             (other < entry && other->row.total_gross_w == entry->row.total_gross_w)))
            return false;
    }
    return entry->run_count > 0;
}

static bool is_row(const struct probe_result *result, const struct probe_entry *entry)
{
    if (entry->kind == LOAD_IDLE || !is_highest(result, entry))
        return false;
    return entry->kind != LOAD_MIXED || entry == probe_busiest(result);
}

static void print_failures(const struct probe_page *page)
{
    char line[sizeof page->result->entries->error.what + 128];

    for (size_t i = 0; i < page->result->entry_count; i++) {
        const struct probe_entry *entry = &page->result->entries[i];

        if (!entry->failed)
            continue;
        snprintf(line, sizeof line, "%.100s: %s", entry->name, entry->error.what);
        paragraph_write_within(page->out, page->style->width, "  failed  ", line);
    }
}

/* What has no meter, and the command that shows what there is. */
static void print_unknown(const struct probe_page *page)
{
    const struct probe_result *result = page->result;
    const bool machine = result->meter.quality[BREAKDOWN_MACHINE] != QUALITY_UNKNOWN;
    const bool memory = probe_memory_is_measured(result);
    char line[160];

    if (probe_is_modelled(result))
        snprintf(line, sizeof line, "memory bandwidth and I/O: no counter here (carbon sources)");
    else if (memory && machine)
        return;
    else
        snprintf(line, sizeof line, "no meter of %s (carbon sources)",
                 memory    ? "the whole machine"
                 : machine ? "memory"
                           : "memory, nor of the whole machine");
    paragraph_write_within(page->out, page->style->width, "  unknown ", line);
}

/* Of the idle machine: in a year of declared hours, else in an hour. */
static void print_carbon(const struct probe_page *page)
{
    const struct probe_result *result = page->result;
    const struct factor_terms terms = {
        .factor = &result->factor,
        .pue = result->pue,
        .pue_quality = result->pue_quality,
        .width = page->style->width,
    };
    const double kgco2eq = result->idle_year.kgco2eq;
    char mass[UNITS_SIZE], energy[UNITS_SIZE], hours[TEXT_NUMBER_SIZE];
    struct text text;

    if (!isfinite(kgco2eq) || !(result->hours_per_year > 0))
        return;
    text_open(&text, 4096);
    if (result->hours_quality == QUALITY_GIVEN)
        text_add(&text, "the idle machine %s, %s kWh in a year of %s h; ", units_mass(kgco2eq, mass),
                 units_digits(result->idle_year.facility_kwh, 3, energy), text_number(result->hours_per_year, hours));
    else
        text_add(&text, "the idle machine %s an hour; ", units_mass(kgco2eq / result->hours_per_year, mass));
    factor_terms_add(&terms, &text);
    paragraph_write_within(page->out, page->style->width, "  carbon  ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* The sentence says that it is modelled, and the line of what is unknown what no meter has. */
static bool is_said(const void *context, const struct notice *notice, size_t index)
{
    const struct probe_page *page = context;

    (void)index;
    switch (notice->kind) {
    case NOTICE_MODELLED: return probe_is_modelled(page->result);
    case NOTICE_NO_COUNTER: return true;
    case NOTICE_STAND_IN: return !notice->fix[0];
    default: return false;
    }
}

void probe_write_short(const struct probe_result *result, const struct table_style *style, FILE *out)
{
    struct probe_page page = { result, style, PART_REST, out };

    for (size_t i = 0; i < result->entry_count; i++)
        if (is_row(result, &result->entries[i]) && probe_part_shown(&result->entries[i], PART_REST))
            page.parts = POWER_PARTS;
    print_sentence(&page);
    print_head(&page);
    for (size_t i = 0; i < result->entry_count; i++)
        if (is_row(result, &result->entries[i]))
            print_row(&page, &result->entries[i]);
    print_failures(&page);
    print_carbon(&page);
    print_unknown(&page);
    notices_text_short(out, &result->notices, NOTES_SHOWN, style->width, style->colour, style->more, is_said, &page);
}

void probe_write_line(const struct probe_result *result, FILE *out)
{
    const bool reported[POWER_PARTS] = { false };
    const struct probe_entry *entry = probe_busiest(result);
    const enum power_part part = entry ? probe_largest_stated(entry, reported) : POWER_PARTS;
    const char *quality = quality_name(probe_is_modelled(result) ? QUALITY_MODELLED : QUALITY_MEASURED);

    if (part == POWER_PARTS)
        fprintf(out, "unknown unknown W unknown");
    else
        c_fprintf(out, "%s %.4g W %s", power_part_name(part), entry->row.parts[part].w, quality);
    if (entry)
        c_fprintf(out, " of %.4g W", entry->row.total_gross_w);
    else
        fprintf(out, " of unknown W");
    fprintf(out, "%s\n", result->complete ? "" : " partial");
}
