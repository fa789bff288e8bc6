/* SPDX-License-Identifier: MIT
 * Rows of fuel_intensity.csv, one for each fuel and basis. */
#include "emissions/fuel.h"

#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { FUEL, BASIS, MEDIAN, SOURCE, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = { "fuel", "basis", "median_kgco2eq_per_kwh", "source_id" };

static const char *const fuel_names[FUEL_COUNT] = {
    "coal", "gas", "oil", "other_fossil", "bioenergy", "geothermal", "hydro", "nuclear", "solar", "wind", "ocean",
};

struct fuel_reading {
    struct fuel_factors *factors;
    const char *basis;
    int column[COLUMN_COUNT];
};

/* The others of the table have no medians, or mix the bases. */
static bool is_taken(const char *source_id)
{
    static const char *const sources[] = { "IPCC_AR5_A3", "UK_DESNZ_2021", "EM_DEFAULTS" };

    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        if (strcmp(source_id, sources[i]) == 0)
            return true;
    return false;
}

static bool on_row(const struct csv_row *csv, void *context, struct error *err)
{
    struct fuel_reading *reading = context;
    const int *column = reading->column;
    size_t fuel = 0;

    if (csv->line == 1)
        return csv_columns(csv, columns, COLUMN_COUNT, reading->column, err);
    while (fuel < FUEL_COUNT && strcmp(fuel_names[fuel], csv->fields[column[FUEL]]) != 0)
        fuel++;
    if (fuel == FUEL_COUNT || !isnan(reading->factors->kgco2eq_per_kwh[fuel]) ||
        strcmp(csv->fields[column[BASIS]], reading->basis) != 0 || !is_taken(csv->fields[column[SOURCE]]))
        return true;
    if (text_to_number(csv->fields[column[MEDIAN]], &reading->factors->kgco2eq_per_kwh[fuel]))
        return true;
    return csv_bad_field(csv, (size_t)column[MEDIAN], columns[MEDIAN], err, "not an intensity");
}

bool fuel_factors_read(enum factor_basis basis, struct fuel_factors *factors, struct error *err)
{
    struct fuel_reading reading = { .factors = factors, .basis = factor_basis_name(basis) };

    for (size_t i = 0; i < FUEL_COUNT; i++)
        factors->kgco2eq_per_kwh[i] = NAN;
    if (!shipped_read("fuel_intensity.csv", NULL, on_row, &reading, err))
        return false;
    for (size_t i = 0; i < FUEL_COUNT; i++)
        if (isnan(factors->kgco2eq_per_kwh[i])) {
            error_set(err, ERROR_BAD_DATA, "fuel_intensity.csv has no %s factor of %s", reading.basis, fuel_names[i]);
            return error_fix(err, "install carbon's tables again");
        }
    return true;
}

int fuel_code_find(const struct fuel_code *codes, const char *code)
{
    for (int i = 0; codes[i].code; i++)
        if (strcmp(codes[i].code, code) == 0)
            return i;
    return -1;
}
