/* SPDX-License-Identifier: MIT
 * From options to a factor. */
#include "cli/emission_options.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>

static enum quality given_or_default(const struct settings *settings, const struct option_spec *option)
{
    return settings_origin(settings, option) == ORIGIN_STANDARD ? QUALITY_DEFAULT : QUALITY_GIVEN;
}

/* "84.879" g is 0.084879 kg, which 84.879 / 1000 just misses. NAN: not given. */
double emission_options_intensity(const struct settings *settings)
{
    const double g_per_kwh = settings_number(settings, &option_intensity);
    char exact[96];
    double kg_per_kwh;

    if (isnan(g_per_kwh))
        return NAN;
    snprintf(exact, sizeof exact, "%se-3", settings_text(settings, &option_intensity));
    return text_to_number(exact, &kg_per_kwh) ? kg_per_kwh : g_per_kwh / 1000;
}

bool emission_options_read(const struct settings *settings, uint64_t realtime_ns, struct emission_options *options,
                           struct notices *notices, struct error *err)
{
    const double year = settings_number(settings, &option_year);
    const char *duty = settings_text(settings, &option_duty);
    struct factor_query query = {
        .zone = settings_text(settings, &option_zone),
        .year = isnan(year) ? clock_year(realtime_ns) : (int)year,
        .intensity = emission_options_intensity(settings),
        .tables = settings_texts(settings, &option_factors),
        .share_alike = settings_flag(settings, &option_share_alike),
    };

    if (!factor_basis_of(settings_text(settings, &option_basis), &query.basis))
        return error_set(err, ERROR_USAGE, "unknown basis");
    options->zone = isnan(query.intensity) ? query.zone : NULL;
    options->year = query.year;
    options->share_alike = query.share_alike;
    options->pue = settings_number(settings, &option_pue);
    options->pue_quality = given_or_default(settings, &option_pue);
    options->hours_per_year = HOURS_PER_YEAR;
    options->hours_quality = given_or_default(settings, &option_duty);
    return (!duty || duty_hours_per_year(duty, &options->hours_per_year, err)) &&
           factor_lookup(&query, &options->factor, notices, err);
}
