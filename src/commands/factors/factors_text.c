/* SPDX-License-Identifier: MIT
 * `carbon factors` for people, in 80 columns. */
#include "base/c_locale.h"
#include "base/units.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/text.h"
#include "commands/factors/mix.h"
#include "emissions/supplementary.h"
#include "form/text_columns.h"

#include <limits.h>
#include <string.h>

enum { NAME_WIDTH = 30, TYPED_WIDTH = 80, UNTYPED_REST = 34, TEXT_MAX = 1 << 16 };

/* Pads to a number of columns; printf counts bytes. */
static void print_padded(const char *text, size_t width, FILE *out)
{
    char field[8 * NAME_WIDTH];

    utf8_fit(field, sizeof field, text, width, "...");
    fprintf(out, "%s%*s", field, (int)(width - utf8_columns(field)), "");
}

bool factors_table_zones(const struct factor_list *list, FILE *out, struct error *err)
{
    const int width = terminal_width(out), rest = width - UNTYPED_REST;
    const bool typed = width >= TYPED_WIDTH;
    const int name_width = typed || rest > NAME_WIDTH ? NAME_WIDTH : rest < 8 ? 8 : rest;

    (void)err;
    fprintf(out, "%-17s %-*s %*s%4s %s\n", "zone", name_width, "name", typed ? -16 : 0, typed ? "type" : "", "year",
            "gCO2eq/kWh");
    for (size_t i = 0; i < list->count; i++) {
        const struct factor_entry *entry = &list->entries[i];
        fprintf(out, "%-17s ", entry->zone ? entry->zone->code : entry->row->zone);
        print_padded(factor_entry_name(entry), (size_t)name_width, out);
        fprintf(out, " %*s", typed ? -16 : 0, !typed ? "" : entry->zone ? entry->zone->type : "own");
        if (entry->row)
            c_fprintf(out, "%4d %10.2f\n", entry->row->year, entry->row->kgco2eq_per_kwh * G_PER_KG);
        else
            fprintf(out, "%4s %10s\n", "-", "-");
    }
    fprintf(out, "\n%s; '-': none of its own, 'carbon factors ZONE' shows the fallback\n",
            factor_basis_name(list->basis));
    return true;
}

static void print_wrapped(const struct text *text, const char *heading, FILE *out)
{
    if (!text->data || !*text->data)
        return;
    fprintf(out, "%-16s", heading);
    terminal_wrap(out, text->data, 16, terminal_width(out));
}

static void print_fallbacks(const struct factor_list *list, FILE *out)
{
    const struct zone *zone = zones_find(&list->zones, list->single);
    struct text text;

    text_open(&text, TEXT_MAX);
    for (zone = zone ? zones_find(&list->zones, zone->fallback) : NULL; zone;
         zone = zones_find(&list->zones, zone->fallback))
        text_add(&text, "%s%s (%s)", text.length ? ", then " : "", zone->code, zone->name);
    print_wrapped(&text, "fallback:", out);
    text_close(&text);
}

/* What a cloud region publishes of itself. */
static bool print_facility(const struct factor_list *list, FILE *out, struct error *err)
{
    static const struct {
        enum facility_figure figure;
        const char *heading, *unit;
    } figures[] = { { FACILITY_PUE, "PUE:", "" }, { FACILITY_WUE, "WUE:", " L/kWh of IT energy" } };
    const int year = list->year == INT_MAX ? 0 : list->year;

    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && *list->region; i++) {
        AUTO_NOTICES struct notices notices = { .count = 0 };
        struct published published;
        char number[TEXT_NUMBER_SIZE];
        struct text text;
        bool found;
        if (!facility_find(figures[i].figure, list->region, year, &published, &found, &notices, err))
            return false;
        if (!found)
            continue;
        text_open(&text, TEXT_MAX);
        text_add(&text, "%s%s: %s", text_number(published.value, number), figures[i].unit, published.source);
        print_wrapped(&text, figures[i].heading, out);
        text_close(&text);
    }
    return true;
}

/* What is left of the mix once all that is sold with certificates is taken out. */
static bool print_residual(const struct factor_list *list, FILE *out, struct error *err)
{
    struct factor_rows rows = { .count = 0 };
    const struct factor_row *row = NULL;
    struct text text;

    const bool read = rows_add_residual(&rows, list->single, err);
    if (read)
        row = rows_best(&rows, list->single, FACTOR_DIRECT, list->year);
    if (row) {
        text_open(&text, TEXT_MAX);
        text_add(&text, "%d: %.2f gCO2eq/kWh, %s, market-based, %s; %s", row->year, row->kgco2eq_per_kwh * G_PER_KG,
                 factor_basis_name(row->basis), row->gases, row->source_id);
        print_wrapped(&text, "residual mix:", out);
        text_close(&text);
    }
    rows_close(&rows);
    return read;
}

static void add_region(const char *name, void *context)
{
    struct text *text = context;

    text_add(text, "%s%s", text->length ? ", " : "", name);
}

static bool print_regions(const struct factor_list *list, FILE *out, struct error *err)
{
    struct text text;

    text_open(&text, TEXT_MAX);
    const bool read = cloud_regions_in(list->single, add_region, &text, err);
    if (read)
        print_wrapped(&text, "cloud regions:", out);
    text_close(&text);
    return read;
}

static void add_shares(const struct energy_mix *mix, struct text *text)
{
    bool reported[FUEL_COUNT] = { false };

    text_add(text, "%d:", mix->year);
    for (size_t n = 0; n < FUEL_COUNT; n++) {
        size_t largest = FUEL_COUNT;
        for (size_t i = 0; i < FUEL_COUNT; i++)
            if (!reported[i] && mix->share[i] > 0 && (largest == FUEL_COUNT || mix->share[i] > mix->share[largest]))
                largest = i;
        if (largest == FUEL_COUNT)
            return;
        reported[largest] = true;
        text_add(text, "%s %s %.1f %%", n ? "," : "",
                 strcmp(fuel_names[largest], "other_renewables") == 0 ? "other renewables" : fuel_names[largest],
                 mix->share[largest] * 100);
    }
}

static bool print_mix(const struct factor_list *list, FILE *out, struct error *err)
{
    struct energy_mix mix;
    struct text text;
    bool found;

    if (!energy_mix_find(list->single, list->year, &mix, &found, err))
        return false;
    if (!found)
        return true;
    text_open(&text, TEXT_MAX);
    add_shares(&mix, &text);
    print_wrapped(&text, "generated from:", out);
    text_close(&text);
    return true;
}

static void print_rows(const struct factor_list *list, FILE *out)
{
    fprintf(out, "\n%4s %-9s %10s %4s %-11s %-8s %-5s %s\n", "year", "basis", "gCO2eq/kWh", "rank", "scope", "losses",
            "gases", "source");
    for (size_t i = 0; i < list->count; i++) {
        const struct factor_row *row = list->entries[i].row;
        c_fprintf(out, "%4d %-9s %10.2f %4d %-11s %-8s %-5s %s\n", row->year, factor_basis_name(row->basis),
                  row->kgco2eq_per_kwh * G_PER_KG, row->rank, row->scope, row->td_losses, row->gases, row->source_id);
    }
}

/* Whether an earlier row has the same source, and (where asked) the same notes. */
static bool reported_before(const struct factor_list *list, size_t index, bool notes_too)
{
    const struct factor_row *row = list->entries[index].row;

    for (size_t i = 0; i < index; i++)
        if (strcmp(list->entries[i].row->source_id, row->source_id) == 0 &&
            (!notes_too || strcmp(list->entries[i].row->notes, row->notes) == 0))
            return true;
    return false;
}

static void print_notes(const struct factor_list *list, const char *source_id, FILE *out)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct factor_row *row = list->entries[i].row;
        if (!*row->notes || strcmp(row->source_id, source_id) != 0 || reported_before(list, i, true))
            continue;
        fputs("    ", out);
        terminal_wrap(out, row->notes, 4, terminal_width(out));
    }
}

static bool print_sources(const struct factor_list *list, FILE *out, struct error *err)
{
    fputs("\nsources\n", out);
    for (size_t i = 0; i < list->count; i++) {
        const struct factor_row *row = list->entries[i].row;
        struct source source;
        struct text text;
        bool found;
        if (reported_before(list, i, false))
            continue;
        if (!source_find(row->source_id, &source, &found, err))
            return false;
        text_open(&text, TEXT_MAX);
        if (found)
            text_add(&text, "%s: %s, %s, %s; licence: %s; in %s", row->source_id, source.title, source.publisher,
                     source.year, source.licence, rows_table_name(&list->rows, row));
        else
            text_add(&text, "%s; in %s", row->source_id, rows_table_name(&list->rows, row));
        fputs("  ", out);
        terminal_wrap(out, text_ok(&text) ? text.data : row->source_id, 2, terminal_width(out));
        text_close(&text);
        print_notes(list, row->source_id, out);
    }
    return true;
}

void factors_title(const struct factor_list *list, FILE *out)
{
    const struct zone *zone = zones_find(&list->zones, list->single);

    fputs(list->single, out);
    if (zone)
        fprintf(out, "  %s (%s%s%s)", zone->name, zone->type, *zone->alpha3 ? ", " : "", zone->alpha3);
    else if (list->count > 0)
        fprintf(out, "  %s (own)", list->entries[0].row->zone_name);
    fputs("\n", out);
}

bool factors_table_single(const struct factor_list *list, FILE *out, struct error *err)
{
    factors_title(list, out);
    print_fallbacks(list, out);
    if (!print_mix(list, out, err) || !print_residual(list, out, err) || !print_facility(list, out, err) ||
        !print_regions(list, out, err))
        return false;
    if (list->count == 0) {
        fputs("\nno factor for this zone; see fallback\n", out);
        return true;
    }
    print_rows(list, out);
    return print_sources(list, out, err);
}
