/* SPDX-License-Identifier: MIT
 * A zone's mix of fuels in the latest year. */
#include "commands/factors/mix.h"

#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const fuel_names[FUEL_COUNT] = {
    "coal", "gas", "oil", "nuclear", "hydro", "wind", "solar", "bioenergy", "other_renewables",
};

enum { ZONE, YEAR };
static const char *const column_names[] = { "zone", "year" };

struct mix_reading {
    const char *zone;
    int year;
    struct energy_mix *mix;
    bool found;
    int column[2]; /* columns of column_names */
    int fuel_column[FUEL_COUNT];
};

static bool on_mix(const struct csv_row *row, void *context, struct error *err)
{
    struct mix_reading *reading = context;
    struct energy_mix *mix = reading->mix;
    uint64_t year;

    if (row->line == 1)
        return csv_columns(row, column_names, 2, reading->column, err) &&
               csv_columns(row, fuel_names, FUEL_COUNT, reading->fuel_column, err);
    if (strcmp(row->fields[reading->column[ZONE]], reading->zone) != 0)
        return true;
    if (!text_to_u64(row->fields[reading->column[YEAR]], &year) || year > 2200)
        return csv_bad_field(row, (size_t)reading->column[YEAR], "year", err, "not a year");
    if ((int)year > reading->year || (reading->found && (int)year <= mix->year))
        return true;
    reading->found = true;
    mix->year = (int)year;
    for (size_t i = 0; i < FUEL_COUNT; i++) {
        const size_t column = (size_t)reading->fuel_column[i];
        mix->share[i] = NAN;
        if (*row->fields[column] && !text_to_number(row->fields[column], &mix->share[i]))
            return csv_bad_field(row, column, fuel_names[i], err, "'%.80s' is not a number", row->fields[column]);
    }
    return true;
}

bool energy_mix_find(const char *zone, int year, struct energy_mix *mix, bool *found, struct error *err)
{
    struct mix_reading reading = { .zone = zone, .year = year, .mix = mix };

    if (!shipped_read_together("energy_mix.csv", zone, on_mix, &reading, err))
        return false;
    *found = reading.found;
    return true;
}
