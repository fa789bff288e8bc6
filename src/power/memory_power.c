/* SPDX-License-Identifier: MIT
 * The power of memory per GB where its modules are not known: a line from idle to busy, with its range. */
#include "power/cpu_power.h"

#include "base/c_locale.h"
#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PER_GB "gigabyte where modules are not known"

enum { ITEM, IDLE, IDLE_MIN, IDLE_MAX, FULL, FULL_MIN, FULL_MAX, SOURCE, COLUMNS };
static const char *const column_names[] = {
    "item",       "watts_idle",     "watts_idle_min", "watts_idle_max",
    "watts_full", "watts_full_min", "watts_full_max", "source_id",
};

struct memory_power_reading {
    int column[COLUMNS];
    bool found;
    double w_per_gib[COLUMNS]; /* W per GiB by column */
    char source_id[96];
};

static bool on_line(const struct csv_row *line, void *context, struct error *err)
{
    struct memory_power_reading *reading = context;

    if (line->line == 1)
        return csv_columns(line, column_names, COLUMNS, reading->column, err);
    if (strcmp(line->fields[reading->column[ITEM]], PER_GB) != 0)
        return true;
    for (int i = IDLE; i <= FULL_MAX; i++)
        if (!text_to_number(line->fields[reading->column[i]], &reading->w_per_gib[i]) || !(reading->w_per_gib[i] > 0))
            return csv_bad_field(line, (size_t)reading->column[i], column_names[i], err, "'%s' is not a power",
                                 line->fields[reading->column[i]]);
    text_copy(reading->source_id, sizeof reading->source_id, line->fields[reading->column[SOURCE]]);
    reading->found = true;
    return true;
}

bool memory_power_find(struct memory_power *power, struct error *err)
{
    struct memory_power_reading reading = { .found = false };
    const double *w_per_gib = reading.w_per_gib;

    if (!shipped_read("memory_modules.csv", NULL, on_line, &reading, err))
        return false;
    if (!reading.found) {
        error_set(err, ERROR_BAD_DATA, "memory_modules.csv has no power of a GB");
        return error_why(err, "a row '" PER_GB "' is needed");
    }
    power->w_per_gib = curve_straight(w_per_gib[IDLE], w_per_gib[FULL]);
    power->low_w_per_gib = curve_straight(w_per_gib[IDLE_MIN], w_per_gib[FULL_MIN]);
    power->high_w_per_gib = curve_straight(w_per_gib[IDLE_MAX], w_per_gib[FULL_MAX]);
    c_snprintf(power->how, sizeof power->how, "%g W/GB idle to %g W/GB busy, within %g to %g W/GB (%s)",
               w_per_gib[IDLE], w_per_gib[FULL], fmin(w_per_gib[IDLE_MIN], w_per_gib[FULL_MIN]),
               fmax(w_per_gib[IDLE_MAX], w_per_gib[FULL_MAX]), reading.source_id);
    return true;
}
