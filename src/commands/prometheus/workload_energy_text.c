/* SPDX-License-Identifier: MIT
 * What pods used for people: a table for each level, the largest first. */
#include "commands/prometheus/workload_energy.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/text_columns.h"
#include "result/factor_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 24, CELL_WIDTH = 10, EMITS_WIDTH = 14, ROWS_SHOWN = 20, NAME_SIZE = 512 };

static const enum rapl_domain columns[] = { DOMAIN_SUM, DOMAIN_PACKAGE, DOMAIN_DRAM, DOMAIN_OTHER, DOMAIN_GPU };
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static int compare_rows(const void *a, const void *b)
{
    const struct workload_row *const *left = a, *const *right = b;
    const double one = workload_row_sum(*left)->joules, other = workload_row_sum(*right)->joules;

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
static void print_line(const struct workload_report *workloads, const struct workload_row *row, enum energy_mode mode,
                       const char *name, FILE *out)
{
    const double joules = row->figures[DOMAIN_SUM][mode].joules;
    const double kgco2eq = footprint_of(joules, workloads->pue, workloads->factor.kgco2eq_per_kwh).kgco2eq;
    char cell[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, name);
    for (size_t i = 0; i < COLUMNS; i++)
        cell_energy(out, row->figures[columns[i]][mode].joules);
    cell_power(out, row->figures[DOMAIN_SUM][mode].watts);
    if (workloads->irate)
        cell_power(out, row->figures[DOMAIN_SUM][mode].irate_w);
    cell_write(out, EMITS_WIDTH, isnan(kgco2eq) ? "-" : units_mass(kgco2eq, cell));
    fputc('\n', out);
}

/* What is within the sum, or contains it. */
static void print_supplementary(const struct workload_row *row, FILE *out)
{
    static const struct {
        enum rapl_domain part;
        const char *what;
    } parts[] = {
        { DOMAIN_CORE, "core (in pkg)" },
        { DOMAIN_UNCORE, "uncore (in pkg)" },
        { DOMAIN_PLATFORM, "platform (contains pkg)" },
        { DOMAIN_OWN_SUM, "the exporter's own sum" },
    };
    char list[256] = "", energy[UNITS_SIZE];

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const double joules = row->figures[parts[i].part][MODE_ALL].joules, sum = workload_row_sum(row)->joules;
        const size_t length = strlen(list);
        if (isnan(joules) || (joules == 0 && parts[i].part != DOMAIN_OWN_SUM) ||
            (parts[i].part == DOMAIN_OWN_SUM && fabs(joules - sum) <= 1e-6 * fabs(sum) + 1e-6))
            continue;
        snprintf(list + length, sizeof list - length, "%s%s %s", length ? ", " : "", parts[i].what,
                 units_energy(joules, energy));
    }
    if (*list)
        paragraph_write(out, "      with it:   ", list);
}

static void print_row(const struct workload_report *workloads, const struct workload_row *row, FILE *out)
{
    const struct energy_figure *dynamic = &row->figures[DOMAIN_SUM][MODE_DYNAMIC],
                               *idle = &row->figures[DOMAIN_SUM][MODE_IDLE];
    char name[NAME_SIZE], printable[NAME_SIZE], digits[UNITS_SIZE], pounds[2 * UNITS_SIZE];

    workloads_name(row, name, sizeof name);
    utf8_printable(printable, sizeof printable, name);
    print_line(workloads, row, MODE_ALL, printable, out);
    if (dynamic->series)
        print_line(workloads, row, MODE_DYNAMIC, "  dynamic", out);
    if (idle->series)
        print_line(workloads, row, MODE_IDLE, "  idle", out);
    print_supplementary(row, out);
    if (workloads->fuel && !isnan(workloads_pounds(workloads, row))) {
        snprintf(pounds, sizeof pounds, "%s lb of CO2", units_digits(workloads_pounds(workloads, row), 4, digits));
        paragraph_write(out, "      in pounds: ", pounds);
    }
}

/* How its figures came about stands above a table where it is the same for all, else below each row. */
static bool one_quality(const struct workload_row *const *rows, size_t count, enum quality *quality)
{
    *quality = rows[0]->quality;
    for (size_t i = 1; i < count; i++)
        if (rows[i]->quality != *quality)
            return false;
    return true;
}

static void print_heading(const struct workload_report *workloads, enum workload_level level, const char *quality,
                          FILE *out)
{
    static const char *const titles[LEVEL_COUNT] = {
        "nodes", "namespaces", "pods", "containers", "processes", "virtual machines", "control groups", "Slurm jobs",
    };

    char title[2 * NAME_WIDTH];

    snprintf(title, sizeof title, "%s%s%s", titles[level], *quality ? ", " : "", quality);
    fputc('\n', out);
    cell_name(out, NAME_WIDTH, title);
    for (size_t i = 0; i < COLUMNS; i++)
        cell_write(out, CELL_WIDTH, rapl_domain_name(columns[i]));
    cell_write(out, CELL_WIDTH, "mean");
    if (workloads->irate)
        cell_write(out, CELL_WIDTH, "irate");
    cell_write(out, EMITS_WIDTH, "emits");
    fputc('\n', out);
}

/* The table is for what people ask for first: containers of one pod, processes where nothing else is reported. */
static bool is_shown(const struct workload_report *workloads, enum workload_level level, const size_t *counts)
{
    if (level == LEVEL_CONTAINER)
        return workloads->pod || counts[LEVEL_POD] == 0;
    return level != LEVEL_PROCESS || (counts[LEVEL_POD] == 0 && counts[LEVEL_CONTAINER] == 0);
}

static bool print_level(const struct workload_report *workloads, enum workload_level level, size_t count, FILE *out,
                        struct error *err)
{
    const size_t max = workloads->all_pods && level == LEVEL_POD ? SIZE_MAX : ROWS_SHOWN;
    AUTO_FREE const struct workload_row **sorted = malloc(count * sizeof *sorted);
    enum quality quality;
    size_t found = 0;
    bool same;

    if (!sorted)
        return error_set(err, ERROR_SYSTEM, "no memory for the table");
    for (size_t i = 0; i < workloads->rows->count; i++)
        if (workloads->rows->items[i].level == level && workloads_wants(workloads, &workloads->rows->items[i]))
            sorted[found++] = &workloads->rows->items[i];
    qsort(sorted, found, sizeof *sorted, compare_rows);
    same = one_quality(sorted, found, &quality);
    print_heading(workloads, level, same ? quality_name(quality) : "", out);
    for (size_t i = 0; i < found && i < max; i++) {
        print_row(workloads, sorted[i], out);
        if (!same)
            paragraph_write(out, "      ", quality_name(sorted[i]->quality));
    }
    if (found > max)
        fprintf(out, "  and %zu more%s\n", found - max,
                level == LEVEL_POD ? ": --all-pods shows them, and so do --csv and --json"
                                   : ": --csv and --json have them");
    return true;
}

static void print_window(const struct workload_report *workloads, FILE *out)
{
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE], duration[UNITS_SIZE];

    if (workloads->window.totals)
        fputs(", since each counter began", out);
    else if (isnan(workloads->duration_s))
        fputs(", between two texts that do not say when they are of", out);
    else
        fprintf(out, ", %s", units_duration(workloads->duration_s, duration));
    if (!workloads->window.totals && !workloads->window.untimed && workloads->window.from_s > 1e8)
        fprintf(out, " (%s to %s)", clock_text((uint64_t)llround(workloads->window.from_s * 1e3) * NS_PER_MS, from),
                clock_text((uint64_t)llround(workloads->window.to_s * 1e3) * NS_PER_MS, to));
    fputc('\n', out);
}

static void print_title(const struct workload_report *workloads, FILE *out)
{
    unsigned found = 0;
    const char *before = "energy of ";

    for (size_t i = 0; i < workloads->rows->count; i++)
        found |= 1u << workloads->rows->items[i].kind;
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (found & 1u << kind) {
            fprintf(out, "%s%s", before, exporter_title(kind));
            before = " and ";
        }
    print_window(workloads, out);
}

static bool print_factors(const struct workload_report *workloads, FILE *out, struct error *err)
{
    char number[TEXT_NUMBER_SIZE];
    struct text text;
    bool good;

    text_open(&text, 4096);
    text_add(&text, "energy / 3.6e6 J × PUE %s (%s%s%s) × ", text_rounded(workloads->pue, number),
             quality_name(workloads->pue_quality), *workloads->supplementary.pue.source ? ": " : "",
             workloads->supplementary.pue.source);
    factor_describe(&workloads->factor, &text);
    good = text_ok(&text);
    fputc('\n', out);
    if (good)
        paragraph_write(out, "  emits: ", text.data);
    text_close(&text);
    return good || error_set(err, ERROR_SYSTEM, "no memory for the table");
}

bool workloads_text(const struct workload_report *workloads, FILE *out, bool colour, struct error *err)
{
    size_t counts[LEVEL_COUNT] = { 0 };

    for (size_t i = 0; i < workloads->rows->count; i++)
        counts[workloads->rows->items[i].level] += workloads_wants(workloads, &workloads->rows->items[i]);
    print_title(workloads, out);
    for (enum workload_level level = 0; level < LEVEL_COUNT; level++)
        if (counts[level] && is_shown(workloads, level, counts) &&
            !print_level(workloads, level, counts[level], out, err))
            return false;
    if (!print_factors(workloads, out, err))
        return false;
    notices_text(out, &workloads->notices, "", colour);
    return true;
}
