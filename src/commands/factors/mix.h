/* SPDX-License-Identifier: MIT
 * What a zone's electricity was made from: energy_mix.csv. Used by factors_forms.c and factors_text.c. Begin with
 * energy_mix_find(). */
#ifndef COMMANDS_FACTORS_MIX_H
#define COMMANDS_FACTORS_MIX_H

#include "base/error.h"

enum { FUEL_COUNT = 9 };

/* "coal", "gas", ...: the columns of the table. oil holds other fossil fuels too. */
extern const char *const fuel_names[FUEL_COUNT];

struct energy_mix {
    int year;
    double share[FUEL_COUNT]; /* of generation, 0 to 1; NAN where the table does not say */
};

/* The latest year up to this one; found is false where there is none. */
bool energy_mix_find(const char *zone, int year, struct energy_mix *mix, bool *found, struct error *err) MUST_CHECK;

#endif
