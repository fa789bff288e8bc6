/* SPDX-License-Identifier: MIT
 * energy × PUE × factor = mass, printed so that anyone can redo it. Used in result and 4 commands. Begin with
 * formula_of(). */
#ifndef RESULT_FORMULA_H
#define RESULT_FORMULA_H

#include "base/units.h"

/* Who multiplies the three printed terms and rounds to as many digits as the result has gets the
 * result, to its last digit. The result has the digits asked for (3 for people), the energy four,
 * both more where that is not enough. Unknown terms and results are "unknown". */
struct formula {
    char terms[160];         /* "0.1834 Wh × PUE 1.20 × 0.044 kgCO2eq/kWh" */
    char result[UNITS_SIZE]; /* "9.68 mgCO2eq" */
};

struct formula formula_of(double it_kwh, double pue, double kgco2eq_per_kwh, int digits);

#endif
