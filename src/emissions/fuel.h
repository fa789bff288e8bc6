/* SPDX-License-Identifier: MIT
 * Emission factors by fuel: the medians of fuel_intensity.csv, for sources that report only a mix. Used
 * by grid/generation.h. Begin with fuel_factors_read(). */
#ifndef EMISSIONS_FUEL_H
#define EMISSIONS_FUEL_H

#include "emissions/factor.h"

enum fuel {
    FUEL_COAL,
    FUEL_GAS,
    FUEL_OIL,
    FUEL_OTHER, /* not said: taken as thermal plants of unknown fuel */
    FUEL_BIOENERGY,
    FUEL_GEOTHERMAL,
    FUEL_HYDRO,
    FUEL_NUCLEAR,
    FUEL_SOLAR,
    FUEL_WIND,
    FUEL_OCEAN,
    FUEL_COUNT,
    FUEL_STORAGE = FUEL_COUNT, /* what it gives back was generated before: it counts for nothing */
};

struct fuel_factors {
    double kgco2eq_per_kwh[FUEL_COUNT];
};

/* Of each fuel the table's first row of this basis, from the sources that METHOD.md names. Fails where one is missing.
 */
bool fuel_factors_read(enum factor_basis basis, struct fuel_factors *factors, struct error *err) MUST_CHECK;

/* A code of a service and the fuel that it means; a list ends with NULL. */
struct fuel_code {
    const char *code;
    enum fuel fuel;
};

/* Its place in the list; -1: it is none of them. */
int fuel_code_find(const struct fuel_code *codes, const char *code);

#endif
