/* SPDX-License-Identifier: MIT
 * What a kilowatt-hour emits in plants that burn one fuel, in pounds of CO2. Used by app/options/emission_options.c,
 * commands/prometheus/workload_energy.c and commands/prometheus/workload_energy_fields.c. Begin with
 * plant_fuel_pounds_per_kwh(). */
#ifndef EMISSIONS_PLANT_FUEL_H
#define EMISSIONS_PLANT_FUEL_H

#include "emissions/factor.h"

#define KG_PER_POUND 0.45359237

extern const char *const plant_fuel_names[]; /* "coal", "gas", "petroleum"; NULL-ended */

/* NAN: it is none of them. */
double plant_fuel_pounds_per_kwh(const char *name);

/* False: it is none of them. */
bool plant_fuel_factor(const char *name, struct factor *factor) MUST_CHECK;

#endif
