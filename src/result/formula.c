/* SPDX-License-Identifier: MIT
 * The sum that can be redone by hand. */
#include "result/formula.h"

#include "base/c_locale.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct energy_unit {
    double kwh;  /* kWh per unit */
    double from; /* used from this many kWh on */
    const char *name;
};

static const struct energy_unit energy_units[] = {
    { 1e3, 1e3, "MWh" }, { 1, 1, "kWh" }, { 1e-3, 1e-5, "Wh" }, { 1e-6, 1e-8, "mWh" }, { 1e-9, 0, "µWh" },
};

static const struct energy_unit *unit_for(double kwh)
{
    const struct energy_unit *unit = energy_units;

    while (fabs(kwh) < unit->from)
        unit++;
    return kwh == 0 || isnan(kwh) ? &energy_units[1] : unit;
}

/* At least two decimals: "1.20", "1.00", "1.1234". */
static void print_pue(double pue, int digits, char out[UNITS_SIZE])
{
    char two[UNITS_SIZE];

    c_snprintf(out, UNITS_SIZE, "%.*g", digits, pue);
    c_snprintf(two, sizeof two, "%.2f", pue);
    if (c_strtod(two, NULL) == c_strtod(out, NULL))
        memcpy(out, two, sizeof two);
}

/* value rounds to the printed number, whichever way one rounds halves. */
static bool rounds_to(double value, const char *number)
{
    const char *point = strchr(number, '.'), *exponent = strchr(number, 'e');
    const double last =
        (exponent ? c_strtod(exponent + 1, NULL) : 0) - (point ? (double)strspn(point + 1, "0123456789") : 0);

    return fabs(value - c_strtod(number, NULL)) < 0.5 * pow(10, last) * (1 - 1e-6);
}

/* Prints the sum with these digits; false where it cannot be redone from them. */
static bool print_sum(struct formula *formula, double it_kwh, double pue, double kgco2eq_per_kwh, int digits,
                      int result_digits)
{
    const double kgco2eq = it_kwh * pue * kgco2eq_per_kwh;
    const struct energy_unit *unit = unit_for(it_kwh);
    char energy[UNITS_SIZE], building[UNITS_SIZE], factor[UNITS_SIZE], mass[UNITS_SIZE], number[UNITS_SIZE];
    double mass_unit_kgco2eq, product_kgco2eq;

    units_digits(it_kwh / unit->kwh, digits, energy);
    /* these two are mostly short as they are */
    print_pue(pue, digits > 6 ? digits : 6, building);
    c_snprintf(factor, sizeof factor, "%.*g", digits > 6 ? digits : 6, kgco2eq_per_kwh * G_PER_KG);
    if (isnan(it_kwh))
        snprintf(formula->terms, sizeof formula->terms, "unknown energy × PUE %s × %s gCO2eq/kWh", building, factor);
    else
        snprintf(formula->terms, sizeof formula->terms, "%s %s × PUE %s × %s gCO2eq/kWh", it_kwh == 0 ? "0" : energy,
                 unit->name, building, factor);
    units_mass(kgco2eq, mass);
    snprintf(formula->result, sizeof formula->result, "%s", mass);
    if (!isfinite(kgco2eq) || kgco2eq == 0)
        return true;
    /* units_mass has chosen a power of ten */
    mass_unit_kgco2eq = pow(10, round(log10(kgco2eq / c_strtod(mass, NULL))));
    units_digits(kgco2eq / mass_unit_kgco2eq, result_digits, number);
    snprintf(formula->result, sizeof formula->result, "%.20s%.12s", number, strchr(mass, ' '));
    product_kgco2eq = c_strtod(energy, NULL) * unit->kwh * c_strtod(building, NULL) * c_strtod(factor, NULL) / G_PER_KG;
    return rounds_to(product_kgco2eq / mass_unit_kgco2eq, number) && rounds_to(kgco2eq / mass_unit_kgco2eq, number);
}

struct formula formula_of(double it_kwh, double pue, double kgco2eq_per_kwh, int digits)
{
    struct formula formula = { "", "" };

    for (int result_digits = digits; result_digits <= digits + 3; result_digits++)
        for (int term_digits = 4; term_digits <= 15; term_digits++)
            if (print_sum(&formula, it_kwh, pue, kgco2eq_per_kwh, term_digits, result_digits))
                return formula;
    return formula;
}
