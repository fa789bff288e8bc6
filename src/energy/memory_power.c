/* SPDX-License-Identifier: MIT
 * The power of memory per GB: one published constant, and the range of all of them. */
#include "base/c_locale.h"
#include "energy/cpu_power.h"

#include "base/csv.h"
#include "base/data.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CONSTANTS = 16 };

struct constant {
    double w_per_gib;
    char source_id[48];
};

enum { ITEM, WATTS, PER, SOURCE };
static const char *const column_names[] = { "item", "watts", "per", "source_id" };

struct reading {
    int column[4];                           /* of column_names */
    struct constant generic[MOST_CONSTANTS]; /* in order */
    size_t count;
    double low_w_per_gib, high_w_per_gib;
};

static bool on_line(const struct csv_row *line, void *context, struct error *err)
{
    struct reading *reading = context;
    double watts;
    size_t at = reading->count;

    if (line->line == 1)
        return csv_columns(line, column_names, 4, reading->column, err);
    if (strcmp(line->fields[reading->column[PER]], "GB") != 0)
        return true;
    if (!text_to_number(line->fields[reading->column[WATTS]], &watts) || !(watts > 0))
        return csv_bad_field(line, (size_t)reading->column[WATTS], "watts", err, "'%s' is no power",
                             line->fields[reading->column[WATTS]]);
    reading->low_w_per_gib = fmin(reading->low_w_per_gib, watts);
    reading->high_w_per_gib = fmax(reading->high_w_per_gib, watts);
    if (strcmp(line->fields[reading->column[ITEM]], "DRAM generic") != 0 || reading->count == MOST_CONSTANTS)
        return true;
    for (; at > 0 && reading->generic[at - 1].w_per_gib > watts; at--)
        reading->generic[at] = reading->generic[at - 1];
    reading->generic[at].w_per_gib = watts;
    text_copy(reading->generic[at].source_id, sizeof reading->generic[at].source_id,
              line->fields[reading->column[SOURCE]]);
    reading->count++;
    return true;
}

bool memory_power_find(struct memory_power *power, struct error *err)
{
    struct reading reading = { .low_w_per_gib = INFINITY };
    char path[4096];

    if (!data_path("emission_factors/memory_power.csv", path, sizeof path, err) ||
        !csv_read(path, on_line, &reading, err))
        return false;
    if (reading.count == 0) {
        error_set(err, ERROR_BAD_DATA, "'%s' has no constant for memory", path);
        return error_why(err, "a row 'DRAM generic' per GB is needed");
    }
    const struct constant *middle = &reading.generic[(reading.count - 1) / 2];
    power->w_per_gib = middle->w_per_gib;
    power->low_w_per_gib = reading.low_w_per_gib;
    power->high_w_per_gib = reading.high_w_per_gib;
    c_snprintf(power->how, sizeof power->how, "%g W/GB (%s), others %g to %g W/GB", middle->w_per_gib,
               middle->source_id, reading.low_w_per_gib, reading.high_w_per_gib);
    return true;
}
