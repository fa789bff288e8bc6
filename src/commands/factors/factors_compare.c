/* SPDX-License-Identifier: MIT
 * `carbon factors --compare`: what the sources say of one zone, year by year, side by side. Nothing is subtracted that
 * counts different things. */
#include "base/c_locale.h"
#include "base/units.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { PER_BLOCK = 4, VALUE_WIDTH = 9, DIFFERENCE_WIDTH = 10, TEXT_MAX = 4096 };

/* "UK_DESNZ_2024" is what "UK_DESNZ_2023" was a year before. */
static void family_of(const char *source_id, char family[48])
{
    size_t length = strlen(source_id);

    text_copy(family, 48, source_id);
    if (length > 5 && family[length - 5] == '_' && strspn(family + length - 4, "0123456789") == 4)
        family[length - 5] = '\0';
}

static bool is_of_kind(const struct factor_row *row, const struct factor_kind *kind)
{
    char family[48];

    family_of(row->source_id, family);
    return row->basis == kind->row->basis && strcmp(row->method, kind->row->method) == 0 &&
           strcmp(row->scope, kind->row->scope) == 0 && strcmp(row->td_losses, kind->row->td_losses) == 0 &&
           strcmp(row->gases, kind->row->gases) == 0 && row->table == kind->row->table &&
           strcmp(family, kind->source) == 0;
}

size_t factors_kind(const struct factor_list *list, const struct factor_row *row)
{
    size_t kind = 0;

    while (kind < list->comparison->count && !is_of_kind(row, &list->comparison->kinds[kind]))
        kind++;
    return kind;
}

static size_t reference_of(const struct factor_comparison *comparison, size_t kind)
{
    const struct factor_row *row = comparison->kinds[kind].row;
    size_t first = 0;

    while (comparison->kinds[first].row->basis != row->basis ||
           strcmp(comparison->kinds[first].row->method, row->method) != 0)
        first++;
    return first;
}

static int compare_kinds(const void *first, const void *second)
{
    const struct factor_row *a = ((const struct factor_kind *)first)->row;
    const struct factor_row *b = ((const struct factor_kind *)second)->row;
    const int methods = strcmp(a->method, b->method); /* location, market */

    if (methods != 0)
        return methods;
    if (a->basis != b->basis)
        return a->basis < b->basis ? -1 : 1;
    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->year > b->year ? -1 : a->year < b->year;
}

bool factors_compare(struct factor_list *list, struct factor_comparison *comparison, struct error *err)
{
    list->comparison = comparison;
    comparison->count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct factor_row *row = list->entries[i].row;
        struct factor_kind *kind = &comparison->kinds[comparison->count];
        if (factors_kind(list, row) < comparison->count)
            continue;
        if (comparison->count == FACTOR_KINDS_MAX)
            return error_set(err, ERROR_USAGE, "more than %d kinds of figures to compare", FACTOR_KINDS_MAX);
        kind->row = row;
        family_of(row->source_id, kind->source);
        comparison->count++;
    }
    qsort(comparison->kinds, comparison->count, sizeof comparison->kinds[0], compare_kinds);
    for (size_t i = 0; i < comparison->count; i++)
        comparison->kinds[i].reference = reference_of(comparison, i);
    return true;
}

const struct factor_row *factors_compared(const struct factor_list *list, size_t kind, int year)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].row->year == year && factors_kind(list, list->entries[i].row) == kind)
            return list->entries[i].row;
    return NULL;
}

static void print_cell(const struct factor_list *list, size_t kind, int year, FILE *out)
{
    const size_t reference = list->comparison->kinds[kind].reference;
    const struct factor_row *row = factors_compared(list, kind, year);
    const struct factor_row *against = reference == kind ? NULL : factors_compared(list, reference, year);
    char difference[32] = "";

    if (row && against && against->kgco2eq_per_kwh > 0)
        c_snprintf(difference, sizeof difference, "(%+.1f %%)",
                   (row->kgco2eq_per_kwh / against->kgco2eq_per_kwh - 1) * 100);
    if (row)
        c_fprintf(out, "%*.2f", VALUE_WIDTH, row->kgco2eq_per_kwh * G_PER_KG);
    else
        fprintf(out, "%*s", VALUE_WIDTH, "-");
    if (reference != kind)
        fprintf(out, " %-*s", DIFFERENCE_WIDTH, difference);
}

/* The years of the kinds from first to end, the latest first. */
static void print_block(const struct factor_list *list, size_t first, size_t end, FILE *out)
{
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    int last = 0;

    fputs("\nyear", out);
    for (size_t kind = first; kind < end; kind++) {
        const bool plain = list->comparison->kinds[kind].reference == kind || kind + 1 == end;
        fprintf(out, "%*c", VALUE_WIDTH, (int)('A' + kind));
        fprintf(out, "%*s", plain ? 0 : DIFFERENCE_WIDTH + 1, "");
    }
    fputc('\n', out);
    for (size_t i = 0; i < list->count; i++) {
        const int year = list->entries[i].row->year;
        bool any = false;
        if (year == last)
            continue;
        last = year;
        for (size_t kind = first; kind < end; kind++)
            any = any || factors_compared(list, kind, year);
        if (!any)
            continue;
        FILE *text = open_memstream(&line, &size);
        if (!text)
            return;
        for (size_t kind = first; kind < end; kind++)
            print_cell(list, kind, year, text);
        fclose(text);
        while (size > 0 && line[size - 1] == ' ')
            line[--size] = '\0';
        fprintf(out, "%4d%s\n", year, line);
        free(line);
        line = NULL;
    }
}

/* What one counts and the other does not. */
static void add_reasons(const struct factor_row *row, const struct factor_kind *reference, const char *source,
                        struct text *text)
{
    const struct factor_row *other = reference->row;

    if (strcmp(row->scope, other->scope) != 0)
        text_add(text, strcmp(row->scope, "consumption") == 0 ? "; it counts imports or delivered energy"
                                                              : "; it counts generation in the zone alone");
    if (strcmp(row->td_losses, other->td_losses) != 0)
        text_add(text, strcmp(row->td_losses, "included") == 0 ? "; it has grid losses in it"
                                                               : "; it has no grid losses in it");
    if (strcmp(row->gases, other->gases) != 0)
        text_add(text, strcmp(row->gases, "co2") == 0 ? "; it is of CO2 alone" : "; it has CH4 and N2O in it");
    if (strcmp(source, reference->source) != 0)
        text_add(text, "; another publisher, with plant data and methods of its own");
}

static void print_legend(const struct factor_list *list, FILE *out)
{
    const struct factor_comparison *comparison = list->comparison;

    fputc('\n', out);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct factor_kind *kind = &comparison->kinds[i];
        const struct factor_row *row = kind->row;
        struct text text;
        text_open(&text, TEXT_MAX);
        text_add(&text, "%s: %s", kind->source, factor_basis_name(row->basis));
        if (*row->method)
            text_add(&text, ", %s-based", row->method);
        if (*row->scope)
            text_add(&text, ", %s", row->scope);
        if (*row->td_losses)
            text_add(&text, ", grid losses %s", row->td_losses);
        if (*row->gases)
            text_add(&text, ", %s", row->gases);
        text_add(&text, "; %s", rows_table_name(&list->rows, row));
        if (kind->reference != i) {
            text_add(&text, "; against %c", (int)('A' + kind->reference));
            add_reasons(row, &comparison->kinds[kind->reference], kind->source, &text);
        }
        fprintf(out, "%c  ", (int)('A' + i));
        terminal_wrap(out, text_ok(&text) ? text.data : kind->source, 3, terminal_width(out));
        text_close(&text);
    }
    fputc('\n', out);
    terminal_wrap(out,
                  "gCO2eq/kWh; in brackets the difference to the first column of the same basis and method. lifecycle "
                  "and direct, location-based and market-based figures count different things and are never held "
                  "against each other.",
                  0, terminal_width(out));
}

bool factors_table_comparison(const struct factor_list *list, FILE *out, struct error *err)
{
    (void)err;
    factors_title(list, out);
    if (list->count == 0) {
        fputs("\nno factor for this zone; see fallback\n", out);
        return true;
    }
    for (size_t first = 0; first < list->comparison->count; first += PER_BLOCK) {
        const size_t end = first + PER_BLOCK;
        print_block(list, first, end < list->comparison->count ? end : list->comparison->count, out);
    }
    print_legend(list, out);
    return true;
}
