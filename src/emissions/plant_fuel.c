/* SPDX-License-Identifier: MIT
 * Plants of one fuel: figures of the US Energy Information Administration, combustion alone, no grid losses. */
#include "emissions/plant_fuel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* EIA_FAQ74_2023 for coal and gas, EIA_FAQ74_2022 for petroleum: keys into sources.csv. */
static const struct {
    double pounds_per_kwh;
    int year;
    const char *source_id;
} fuels[] = { { 2.31, 2023, "EIA_FAQ74_2023" }, { 0.96, 2023, "EIA_FAQ74_2023" }, { 2.38, 2022, "EIA_FAQ74_2022" } };

const char *const plant_fuel_names[] = { "coal", "gas", "petroleum", NULL };

static size_t index_of(const char *name)
{
    size_t i = 0;

    while (plant_fuel_names[i] && strcmp(plant_fuel_names[i], name) != 0)
        i++;
    return i;
}

double plant_fuel_pounds_per_kwh(const char *name)
{
    const size_t fuel = index_of(name);

    return plant_fuel_names[fuel] ? fuels[fuel].pounds_per_kwh : NAN;
}

bool plant_fuel_factor(const char *name, struct factor *factor)
{
    const double pounds = plant_fuel_pounds_per_kwh(name);
    const size_t fuel = index_of(name);

    *factor = (struct factor){
        .kgco2eq_per_kwh = pounds * KG_PER_POUND,
        .quality = QUALITY_GIVEN,
        .basis = FACTOR_DIRECT,
        .zone = "US",
        .td_losses_kgco2eq_per_kwh = NAN,
        .upstream_kgco2eq_per_kwh = NAN,
        .scope = "production",
        .td_losses = "excluded",
        .method = "location",
        .gases = "co2",
        .source =
            "carbon dioxide per kilowatt-hour of U.S. electricity generation, US Energy Information Administration",
    };
    snprintf(factor->zone_name, sizeof factor->zone_name, "plants that burn %s", name);
    if (isnan(pounds))
        return false;
    factor->year = fuels[fuel].year;
    snprintf(factor->source_id, sizeof factor->source_id, "%s", fuels[fuel].source_id);
    return true;
}
