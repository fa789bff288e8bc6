/* SPDX-License-Identifier: MIT
 * Rows of phases, 100 columns wide at most. */
#include "result/phases_text.h"

#include "base/c_locale.h"
#include "form/cells.h"
#include "result/own_text.h"

#include <math.h>

enum {
    NAME_WIDTH = 24, /* as long as "(before the first mark)" */
    TIMES_WIDTH = 6,
    CELL_WIDTH = 10,
    SPREAD_WIDTH = 19, /* "1.13 kJ ± 26.7 J" */
    PART_WIDTH = 10,
};

/* "2", or "2.5" where not every run has it as often. */
static void print_times(FILE *out, double times)
{
    char digits[UNITS_SIZE];

    if (times == floor(times))
        c_snprintf(digits, sizeof digits, "%.0f", times);
    else
        units_digits(times, 3, digits);
    cell_write(out, TIMES_WIDTH, digits);
}

static void print_part(FILE *out, double part)
{
    char cell[UNITS_SIZE] = "unknown";

    if (isfinite(part))
        c_snprintf(cell, sizeof cell, "%.1f %%", part * 100);
    cell_write(out, PART_WIDTH, cell);
}

static void print_row(FILE *out, const struct phase_summary *phase, bool several, bool own)
{
    char cell[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, phase->name);
    print_times(out, phase->times);
    cell_write(out, CELL_WIDTH, units_duration(phase->duration_s.mean, cell));
    cell_bound(out, CELL_WIDTH, phase->at_least, units_energy(phase->gross_j.mean, cell));
    cell_write(out, CELL_WIDTH, units_energy(phase->idle_j.mean, cell));
    cell_spread(out, several ? SPREAD_WIDTH : CELL_WIDTH, own ? &phase->own_j : &phase->net_j, several, units_energy);
    cell_write(out, CELL_WIDTH, phase->below_resolution ? "-" : units_power(phase->gross_w, cell));
    print_part(out, phase->part);
    fputc('\n', out);
}

void phases_text(const struct report *report, FILE *out)
{
    const struct phases_summary *phases = &report->phases;
    const bool several = report->summary.runs > 1, own = own_is_apart(report);
    char part[PART_WIDTH];

    if (phases->count < 2) /* the time before the first mark is not a phase */
        return;
    fputc('\n', out);
    cell_name(out, NAME_WIDTH, "phase");
    cell_write(out, TIMES_WIDTH, "times");
    cell_write(out, CELL_WIDTH, "duration");
    cell_write(out, CELL_WIDTH, "gross");
    cell_write(out, CELL_WIDTH, "idle");
    cell_write(out, several ? SPREAD_WIDTH : CELL_WIDTH, own ? "own" : "net");
    cell_write(out, CELL_WIDTH, "gross");
    snprintf(part, sizeof part, "of %s", figure_name(phases->part_of));
    cell_write(out, PART_WIDTH, part);
    fputc('\n', out);
    for (size_t i = 0; i < phases->count; i++)
        print_row(out, &phases->items[i], several, own);
}
