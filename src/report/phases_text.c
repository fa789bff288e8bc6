/* SPDX-License-Identifier: MIT
 * Rows of phases, 100 columns wide at most. */
#include "report/phases_text.h"

#include "base/units.h"
#include "report/utf8.h"

#include <math.h>

enum {
    NAME_WIDTH = 24, /* as long as "(before the first mark)" */
    TIMES_WIDTH = 6,
    CELL_WIDTH = 10,
    SPREAD_WIDTH = 19, /* "1.13 kJ ± 26.7 J" */
    PART_WIDTH = 10,
};

static void print_cell(FILE *out, int width, const char *text)
{
    const int length = (int)utf8_count(text);

    fprintf(out, "%*s%s", width > length ? width - length : 1, "", text);
}

static void print_name(FILE *out, const char *name)
{
    const int length = (int)utf8_count(name);

    fprintf(out, "  %s", name);
    if (length > NAME_WIDTH)
        fprintf(out, "\n  %*s", NAME_WIDTH, "");
    else
        fprintf(out, "%*s", NAME_WIDTH - length, "");
}

static void print_net(FILE *out, const struct spread *net_j, bool several)
{
    char mean[UNITS_SIZE], deviation[UNITS_SIZE], cell[3 * UNITS_SIZE];

    units_energy(net_j->mean, mean);
    if (several && net_j->count > 1)
        snprintf(cell, sizeof cell, "%s ± %s", mean, units_energy(net_j->deviation, deviation));
    else
        snprintf(cell, sizeof cell, "%s", mean);
    print_cell(out, several ? SPREAD_WIDTH : CELL_WIDTH, cell);
}

/* "2", or "2.5" where not every run has it as often. */
static void print_times(FILE *out, double times)
{
    char digits[UNITS_SIZE];

    if (times == floor(times))
        snprintf(digits, sizeof digits, "%.0f", times);
    else
        units_digits(times, 3, digits);
    print_cell(out, TIMES_WIDTH, digits);
}

static void print_part(FILE *out, double part)
{
    char cell[UNITS_SIZE] = "unknown";

    if (isfinite(part))
        snprintf(cell, sizeof cell, "%.1f %%", part * 100);
    print_cell(out, PART_WIDTH, cell);
}

static void print_row(FILE *out, const struct phase_summary *phase, bool several)
{
    char cell[UNITS_SIZE];

    print_name(out, phase->name);
    print_times(out, phase->times);
    print_cell(out, CELL_WIDTH, units_duration(phase->duration_s.mean, cell));
    print_cell(out, CELL_WIDTH, units_energy(phase->gross_j.mean, cell));
    print_cell(out, CELL_WIDTH, units_energy(phase->idle_j.mean, cell));
    print_net(out, &phase->net_j, several);
    print_cell(out, CELL_WIDTH, phase->below_resolution ? "-" : units_power(phase->gross_w, cell));
    print_part(out, phase->part);
    fputc('\n', out);
}

void phases_text(const struct report *report, FILE *out)
{
    const struct phases_summary *phases = &report->phases;
    const bool several = report->summary.runs > 1;

    if (phases->count < 2) /* the time before the first mark is no phase */
        return;
    fputc('\n', out);
    print_name(out, "phase");
    print_cell(out, TIMES_WIDTH, "times");
    print_cell(out, CELL_WIDTH, "duration");
    print_cell(out, CELL_WIDTH, "gross");
    print_cell(out, CELL_WIDTH, "idle");
    print_cell(out, several ? SPREAD_WIDTH : CELL_WIDTH, "net");
    print_cell(out, CELL_WIDTH, "gross");
    print_cell(out, PART_WIDTH, phases->part_of_net ? "of net" : "of gross");
    fputc('\n', out);
    for (size_t i = 0; i < phases->count; i++)
        print_row(out, &phases->items[i], several);
}
