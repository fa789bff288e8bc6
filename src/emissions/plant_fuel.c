/* SPDX-License-Identifier: MIT
 * Plants of one fuel: figures of the US Energy Information Administration, combustion alone, no grid losses. */
#include "emissions/plant_fuel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pounds_per_kwh[] = { 2.23, 0.91, 2.13 };

const char *const plant_fuel_names[] = { "coal", "gas", "petroleum", NULL };

double plant_fuel_pounds_per_kwh(const char *name)
{
    for (size_t i = 0; plant_fuel_names[i]; i++)
        if (strcmp(plant_fuel_names[i], name) == 0)
            return pounds_per_kwh[i];
    return NAN;
}

bool plant_fuel_factor(const char *name, struct factor *factor)
{
    const double pounds = plant_fuel_pounds_per_kwh(name);

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
    return !isnan(pounds);
}
