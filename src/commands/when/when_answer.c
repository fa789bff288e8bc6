/* SPDX-License-Identifier: MIT
 * The advice in a few lines: when to start, and the emissions of a start now, of the best and of the worst start. */
#include "commands/when/when.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "io/local_time.h"
#include "result/report.h"

#include <math.h>

enum { NAME_WIDTH = 6, START_WIDTH = 26, INTENSITY_WIDTH = 12, MASS_WIDTH = 14 };

struct when_page {
    const struct when *when;
    const struct table_style *style;
    FILE *out;
};

static void print_verdict(const struct when_page *page)
{
    struct text line;

    text_open(&line, 4096);
    when_add_verdict(page->when, &line);
    fputs(page->style->colour ? "\033[1m" : "", page->out);
    paragraph_write_within(page->out, page->style->width, "", text_ok(&line) ? line.data : "");
    fputs(page->style->colour ? "\033[0m" : "", page->out);
    text_close(&line);
}

static bool has_energy(const struct when_page *page)
{
    return isfinite(page->when->job.energy_j);
}

static void print_head(const struct when_page *page)
{
    cell_name(page->out, NAME_WIDTH, "");
    cell_write(page->out, START_WIDTH, "start");
    cell_write(page->out, INTENSITY_WIDTH, "gCO2eq/kWh");
    if (has_energy(page))
        cell_write(page->out, MASS_WIDTH, "emission");
    fputc('\n', page->out);
}

static void print_row(const struct when_page *page, const char *name, const struct start_time_choice *start)
{
    const double kgco2eq_per_kwh = start->kgco2eq_per_kwh;
    char cell[CLOCK_TEXT_SIZE + UNITS_SIZE];

    cell_name(page->out, NAME_WIDTH, name);
    cell_write(page->out, START_WIDTH, local_time_text(start->start_ns / NS_PER_S_INT, cell));
    if (isnan(kgco2eq_per_kwh))
        snprintf(cell, sizeof cell, "unknown");
    else
        c_snprintf(cell, sizeof cell, "%.1f", kgco2eq_per_kwh * G_PER_KG);
    cell_write(page->out, INTENSITY_WIDTH, cell);
    if (has_energy(page))
        cell_write(page->out, MASS_WIDTH, units_mass(when_kgco2eq(&page->when->job, kgco2eq_per_kwh), cell));
    fputc('\n', page->out);
}

/* One zone has its three starts; of several each has its best, and the first a start now. */
static void print_rows(const struct when_page *page)
{
    const struct when *when = page->when;

    print_row(page, "now", &when->zones[0].shift.now);
    for (size_t i = 0; i < when->count; i++)
        print_row(page, when->count > 1 ? when->zones[i].found.zone : "best", &when->zones[i].shift.best);
    if (when->count == 1)
        print_row(page, "worst", &when->zones[0].shift.worst);
}

/* Who forecasts, until when; the zones have one service, or a note says so. */
static void print_source(const struct when_page *page)
{
    const struct when_zone *zone = &page->when->zones[page->when->best];
    char until[CLOCK_TEXT_SIZE], pue[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    text_add(&text, "%s%s%s", zone->found.zone, *zone->found.zone ? ", " : "", zone->about.title);
    text_add(&text, "; %s", *zone->about.basis ? zone->about.basis : "basis unknown");
    if (has_energy(page))
        text_add(&text, ", PUE %s", units_digits(page->when->job.pue, 3, pue));
    text_add(&text, ", known until %s", local_time_text(when_known_until_s(zone), until));
    paragraph_write_within(page->out, page->style->width, "  source  ", text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* The page says none of them. */
static bool is_said(const void *context, const struct notice *notice, size_t index)
{
    (void)context;
    (void)notice;
    (void)index;
    return false;
}

void when_answer(const struct when *when, const struct table_style *style, FILE *out)
{
    const struct when_page page = { when, style, out };

    print_verdict(&page);
    print_head(&page);
    print_rows(&page);
    print_source(&page);
    notices_text_short(out, &when->notices, NOTES_SHOWN, style->width, style->colour, style->more, is_said, &page);
}
