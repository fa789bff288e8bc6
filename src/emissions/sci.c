/* SPDX-License-Identifier: MIT
 * The arithmetic of the Software Carbon Intensity. */
#include "emissions/sci.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

void sci_work_out(struct sci *sci, double operational_kgco2eq, double duration_s)
{
    if (!sci->enabled) {
        *sci = (struct sci){ .units = NAN,
                             .hours = NAN,
                             .machine_kgco2eq = { NAN, QUALITY_UNKNOWN },
                             .lifetime_years = { NAN, QUALITY_UNKNOWN },
                             .reserved_share = { NAN, QUALITY_UNKNOWN },
                             .operational_kgco2eq = NAN,
                             .embodied_kgco2eq = NAN,
                             .kgco2eq_per_unit = NAN };
        return;
    }
    sci->hours = duration_s / S_PER_H;
    sci->operational_kgco2eq = operational_kgco2eq;
    sci->embodied_kgco2eq = sci->machine_kgco2eq.value * (sci->hours / (sci->lifetime_years.value * HOURS_PER_YEAR)) *
                            sci->reserved_share.value;
    sci->kgco2eq_per_unit = (sci->operational_kgco2eq + sci->embodied_kgco2eq) / sci->units;
}

bool sci_units_of(const char *text, struct sci *sci, struct error *err)
{
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    char number[64] = "";

    if (length < sizeof number)
        text_copy(number, length + 1, text);
    if (!text_to_number(number, &sci->units) || !(sci->units > 0) || !isfinite(sci->units) || (colon && !colon[1])) {
        error_set(err, ERROR_USAGE, "a number of units above 0 is needed, and their name if you like");
        return error_fix(err, "--sci 1000:requests, where one run does 1000 of them");
    }
    if (colon && strlen(colon + 1) >= sizeof sci->unit) {
        error_set(err, ERROR_USAGE, "the name of the unit is too long");
        return error_fix(err, "%zu bytes at most", sizeof sci->unit - 1);
    }
    text_copy(sci->unit, sizeof sci->unit, colon ? colon + 1 : "");
    sci->enabled = true;
    return true;
}
