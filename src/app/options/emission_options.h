/* SPDX-License-Identifier: MIT
 * What the options of the group "Carbon" come to: PUE, factor and duty, each with its quality. Used in app and 4
 * commands. Begin with emission_options_read(). */
#ifndef APP_OPTIONS_EMISSION_OPTIONS_H
#define APP_OPTIONS_EMISSION_OPTIONS_H

#include "app/options/options.h"
#include "emissions/factor.h"
#include "emissions/supplementary.h"

#include <stdint.h>

struct emission_options {
    double pue;
    enum quality pue_quality; /* given, default */
    struct factor factor;
    const char *zone; /* as it was typed; NULL: none was */
    const char *fuel; /* of --fuel, where the factor is that; NULL: it is not */
    int year;
    bool share_alike;
    const char *set; /* an official one; NULL: any */
    struct supplementary supplementary;
    double hours_per_year;
    enum quality hours_quality; /* given, default */
};

/* --intensity in kgCO2eq/kWh; NAN: not given. One that looks like kilograms is noticed. */
double emission_options_intensity(const struct settings *settings, struct notices *notices);

/* realtime_ns: when the energy is used, for the year of the factor. */
bool emission_options_read(const struct settings *settings, uint64_t realtime_ns, struct emission_options *options,
                           struct notices *notices, struct error *err) MUST_CHECK;

/* The same where it is known which year's factor is wanted: --year is of something else then. */
bool emission_options_of_year(const struct settings *settings, int year, struct emission_options *options,
                              struct notices *notices, struct error *err) MUST_CHECK;

#endif
