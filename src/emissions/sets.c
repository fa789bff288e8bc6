/* SPDX-License-Identifier: MIT
 * Official national sets of factors: rows of grid_intensity.csv by the publisher that their source_id begins with. */
#include "emissions/factor.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *sources, *zones;
} sets[] = {
    { "desnz", "UK_DESNZ_", "GB" },
    { "epa", "EPA_EGRID_", "US, its states (US-CA, ...) and eGRID subregions (EGRID:CAMX, ...)" },
    { "nga", "AU_NGA_", "AU and its states and territories" },
    { "eccc", "ECCC_NIR_", "CA and its provinces" },
    { "mee", "CN_MEE_", "CN, its provinces and grids" },
    { "cea", "IN_CEA_", "IN" },
    { "dffe", "ZA_DFFE_", "ZA" },
    { "ema", "SG_EMA", "SG" },
    { "gir", "KR_GIR", "KR" },
    { "mcti", "BR_MCTI_", "BR" },
    { "moe", "JP_MOE_", "JP and JP-47" },
    { "moea", "TW_ENERGY_ADMIN", "TW" },
    { "uba", "DE_UBA_", "DE" },
};

enum { SETS = sizeof sets / sizeof sets[0] };

const char *const factor_set_names[] = {
    "desnz", "epa", "nga",  "eccc", "mee",  "cea", "dffe",
    "ema",   "gir", "mcti", "moe",  "moea", "uba", FACTOR_SET_OFFICIAL,
    NULL,
};

bool factor_set_has(const char *set, const char *source_id)
{
    for (size_t i = 0; i < SETS; i++)
        if ((strcmp(sets[i].name, set) == 0 || strcmp(FACTOR_SET_OFFICIAL, set) == 0) &&
            strncmp(source_id, sets[i].sources, strlen(sets[i].sources)) == 0)
            return true;
    return false;
}

const char *factor_set_zones(const char *set)
{
    for (size_t i = 0; i < SETS; i++)
        if (strcmp(sets[i].name, set) == 0)
            return sets[i].zones;
    return "AU, BR, CA, CN, DE, GB, IN, JP, KR, SG, TW, US, ZA, and subdivisions of AU, CA, CN and US";
}
