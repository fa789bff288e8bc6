/* SPDX-License-Identifier: MIT
 * What pods used for people: a table for each level, the largest first. */
#include "commands/prometheus/pods.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/utf8.h"
#include "result/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 24, CELL_WIDTH = 10, EMITS_WIDTH = 14, ROWS_SHOWN = 20, NAME_SIZE = 512 };

static const enum kind_part columns[] = { KIND_SUM, KIND_PACKAGE, KIND_DRAM, KIND_OTHER, KIND_GPU };
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static int compare_rows(const void *a, const void *b)
{
    const struct kind_row *const *left = a, *const *right = b;
    const double one = kind_sum(*left)->joules, other = kind_sum(*right)->joules;

    if (isnan(one) || isnan(other))
        return isnan(one) == isnan(other) ? (*left < *right ? -1 : 1) : isnan(one) ? 1 : -1;
    return one != other ? (one > other ? -1 : 1) : *left < *right ? -1 : 1;
}

static void cell_energy(FILE *out, double joules)
{
    char cell[UNITS_SIZE];

    cell_write(out, CELL_WIDTH, isnan(joules) ? "-" : units_energy(joules, cell));
}

static void cell_power(FILE *out, double watts)
{
    char cell[UNITS_SIZE];

    cell_write(out, CELL_WIDTH, isnan(watts) ? "-" : units_power(watts, cell));
}

/* The figures of one mode behind a name. */
static void print_line(const struct pods *pods, const struct kind_row *row, enum kind_mode mode, const char *name,
                       FILE *out)
{
    const double joules = row->figures[KIND_SUM][mode].joules;
    const double kgco2eq = footprint_of(joules, pods->pue, pods->factor.kgco2eq_per_kwh).kgco2eq;
    char cell[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, name);
    for (size_t i = 0; i < COLUMNS; i++)
        cell_energy(out, row->figures[columns[i]][mode].joules);
    cell_power(out, row->figures[KIND_SUM][mode].watts);
    if (pods->irate)
        cell_power(out, row->figures[KIND_SUM][mode].irate_w);
    cell_write(out, EMITS_WIDTH, isnan(kgco2eq) ? "-" : units_mass(kgco2eq, cell));
    fputc('\n', out);
}

/* What is within the sum, or contains it. */
static void print_beside(const struct kind_row *row, FILE *out)
{
    static const struct {
        enum kind_part part;
        const char *what;
    } parts[] = {
        { KIND_CORE, "core (in pkg)" },
        { KIND_UNCORE, "uncore (in pkg)" },
        { KIND_PLATFORM, "platform (contains pkg)" },
        { KIND_OWN_SUM, "the exporter's own sum" },
    };
    char list[256] = "", energy[UNITS_SIZE];

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const double joules = row->figures[parts[i].part][KIND_ALL].joules, sum = kind_sum(row)->joules;
        const size_t length = strlen(list);
        if (isnan(joules) || (joules == 0 && parts[i].part != KIND_OWN_SUM) ||
            (parts[i].part == KIND_OWN_SUM && fabs(joules - sum) <= 1e-6 * fabs(sum) + 1e-6))
            continue;
        snprintf(list + length, sizeof list - length, "%s%s %s", length ? ", " : "", parts[i].what,
                 units_energy(joules, energy));
    }
    if (*list)
        paragraph_write(out, "      beside it: ", list);
}

static void print_row(const struct pods *pods, const struct kind_row *row, FILE *out)
{
    const struct kind_figure *dynamic = &row->figures[KIND_SUM][KIND_DYNAMIC],
                             *idle = &row->figures[KIND_SUM][KIND_IDLE];
    char name[NAME_SIZE], printable[NAME_SIZE], digits[UNITS_SIZE], pounds[2 * UNITS_SIZE];

    pods_name(row, name, sizeof name);
    utf8_printable(printable, sizeof printable, name);
    print_line(pods, row, KIND_ALL, printable, out);
    if (dynamic->series)
        print_line(pods, row, KIND_DYNAMIC, "  dynamic", out);
    if (idle->series)
        print_line(pods, row, KIND_IDLE, "  idle", out);
    print_beside(row, out);
    if (pods->fuel && !isnan(pods_pounds(pods, row))) {
        snprintf(pounds, sizeof pounds, "%s lb of CO2", units_digits(pods_pounds(pods, row), 4, digits));
        paragraph_write(out, "      in pounds: ", pounds);
    }
}

/* How its figures came about stands above a table where it is the same for all, else below each row. */
static bool one_quality(const struct kind_row *const *rows, size_t count, enum quality *quality)
{
    *quality = rows[0]->quality;
    for (size_t i = 1; i < count; i++)
        if (rows[i]->quality != *quality)
            return false;
    return true;
}

static void print_heading(const struct pods *pods, enum kind_level level, const char *quality, FILE *out)
{
    static const char *const titles[KIND_LEVEL_COUNT] = {
        "nodes", "namespaces", "pods", "containers", "processes", "virtual machines", "control groups", "Slurm jobs",
    };

    char title[2 * NAME_WIDTH];

    snprintf(title, sizeof title, "%s%s%s", titles[level], *quality ? ", " : "", quality);
    fputc('\n', out);
    cell_name(out, NAME_WIDTH, title);
    for (size_t i = 0; i < COLUMNS; i++)
        cell_write(out, CELL_WIDTH, kind_part_name(columns[i]));
    cell_write(out, CELL_WIDTH, "mean");
    if (pods->irate)
        cell_write(out, CELL_WIDTH, "irate");
    cell_write(out, EMITS_WIDTH, "emits");
    fputc('\n', out);
}

/* The table is for what people ask for first: containers of one pod, processes where nothing else is told. */
static bool is_shown(const struct pods *pods, enum kind_level level, const size_t *counts)
{
    if (level == KIND_OF_CONTAINER)
        return pods->pod || counts[KIND_OF_POD] == 0;
    return level != KIND_OF_PROCESS || (counts[KIND_OF_POD] == 0 && counts[KIND_OF_CONTAINER] == 0);
}

static bool print_level(const struct pods *pods, enum kind_level level, size_t count, FILE *out, struct error *err)
{
    const size_t most = pods->all_pods && level == KIND_OF_POD ? SIZE_MAX : ROWS_SHOWN;
    AUTO_FREE const struct kind_row **sorted = malloc(count * sizeof *sorted);
    enum quality quality;
    size_t found = 0;
    bool same;

    if (!sorted)
        return error_set(err, ERROR_SYSTEM, "no memory for the table");
    for (size_t i = 0; i < pods->rows->count; i++)
        if (pods->rows->items[i].level == level && pods_wants(pods, &pods->rows->items[i]))
            sorted[found++] = &pods->rows->items[i];
    qsort(sorted, found, sizeof *sorted, compare_rows);
    same = one_quality(sorted, found, &quality);
    print_heading(pods, level, same ? quality_name(quality) : "", out);
    for (size_t i = 0; i < found && i < most; i++) {
        print_row(pods, sorted[i], out);
        if (!same)
            paragraph_write(out, "      ", quality_name(sorted[i]->quality));
    }
    if (found > most)
        fprintf(out, "  and %zu more%s\n", found - most,
                level == KIND_OF_POD ? ": --all-pods shows them, and so do --csv and --json"
                                     : ": --csv and --json have them");
    return true;
}

static void print_window(const struct pods *pods, FILE *out)
{
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE], duration[UNITS_SIZE];

    if (pods->window.totals)
        fputs(", since each counter began", out);
    else if (isnan(pods->duration_s))
        fputs(", between two texts that do not say when they are of", out);
    else
        fprintf(out, ", %s", units_duration(pods->duration_s, duration));
    if (!pods->window.totals && !pods->window.untimed && pods->window.from_s > 1e8)
        fprintf(out, " (%s to %s)", clock_text((uint64_t)llround(pods->window.from_s * 1e3) * 1000000, from),
                clock_text((uint64_t)llround(pods->window.to_s * 1e3) * 1000000, to));
    fputc('\n', out);
}

static void print_title(const struct pods *pods, FILE *out)
{
    unsigned found = 0;
    const char *before = "energy of ";

    for (size_t i = 0; i < pods->rows->count; i++)
        found |= 1u << pods->rows->items[i].kind;
    for (enum kind_exporter kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (found & 1u << kind) {
            fprintf(out, "%s%s", before, kind_title(kind));
            before = " and ";
        }
    print_window(pods, out);
}

static bool print_factors(const struct pods *pods, FILE *out, struct error *err)
{
    char number[TEXT_NUMBER_SIZE];
    struct text text;
    bool good;

    text_open(&text, 4096);
    text_add(&text, "energy / 3.6e6 J × PUE %s (%s%s%s) × ", text_rounded(pods->pue, number),
             quality_name(pods->pue_quality), *pods->beside.pue.source ? ": " : "", pods->beside.pue.source);
    terms_factor(&pods->factor, &text);
    good = text_ok(&text);
    fputc('\n', out);
    if (good)
        paragraph_write(out, "  emits: ", text.data);
    text_close(&text);
    return good || error_set(err, ERROR_SYSTEM, "no memory for the table");
}

bool pods_text(const struct pods *pods, FILE *out, bool colour, struct error *err)
{
    size_t counts[KIND_LEVEL_COUNT] = { 0 };

    for (size_t i = 0; i < pods->rows->count; i++)
        counts[pods->rows->items[i].level] += pods_wants(pods, &pods->rows->items[i]);
    print_title(pods, out);
    for (enum kind_level level = 0; level < KIND_LEVEL_COUNT; level++)
        if (counts[level] && is_shown(pods, level, counts) && !print_level(pods, level, counts[level], out, err))
            return false;
    if (!print_factors(pods, out, err))
        return false;
    notices_text(out, &pods->notices, "", colour);
    return true;
}
