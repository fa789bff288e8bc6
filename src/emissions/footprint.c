/* SPDX-License-Identifier: MIT
 * From joules to kilograms, and the names of the two bases. */
#include "emissions/factor.h"

#include "base/units.h"

#include <string.h>

struct footprint footprint_of(double energy_j, double pue, double kgco2eq_per_kwh)
{
    const double it_kwh = energy_j / J_PER_KWH;
    const double facility_kwh = it_kwh * pue;

    return (struct footprint){
        .it_kwh = it_kwh,
        .facility_kwh = facility_kwh,
        .kgco2eq = facility_kwh * kgco2eq_per_kwh,
    };
}

const char *factor_basis_name(enum factor_basis basis)
{
    return basis == FACTOR_NO_BASIS ? "" : basis == FACTOR_DIRECT ? "direct" : "lifecycle";
}

bool factor_basis_of(const char *name, enum factor_basis *basis)
{
    for (enum factor_basis each = FACTOR_LIFECYCLE; name && each <= FACTOR_DIRECT; each++)
        if (strcmp(name, factor_basis_name(each)) == 0) {
            *basis = each;
            return true;
        }
    return false;
}
