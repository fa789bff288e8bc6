/* SPDX-License-Identifier: MIT
 * The steps that every look-up of a processor's power takes. */
#include "power/cpu_search.h"

#include "base/c_locale.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void take_profile(const struct profile_row *row, void *context)
{
    struct search *search = context;

    if (search->profile_count < SEARCH_MOST_PROFILES)
        search->profiles[search->profile_count] = *row;
    search->profile_count++;
}

bool search_profiles(struct search *search, const char *text, struct error *err)
{
    size_t i = 0;

    while (i < SEARCH_MOST_TEXTS - 1 && search->texts[i][0] && strcmp(search->texts[i], text) != 0)
        i++;
    if (!*text || strcmp(search->texts[i], text) == 0)
        return true;
    text_copy(search->texts[i], sizeof search->texts[i], text);
    if (!profile_rows(text, take_profile, search, err))
        return false;
    if (search->profile_count <= SEARCH_MOST_PROFILES)
        return true;
    search->profile_count = SEARCH_MOST_PROFILES;
    error_set(err, ERROR_BAD_DATA, "the tables of processors have more than %d profiles of '%s'", SEARCH_MOST_PROFILES,
              text);
    return error_fix(err, "take some out of cpu_profiles.csv");
}

int search_threads(const struct search *search, struct cpu_power *power)
{
    const bool needed = search->identity->by_thread && !power->per_thread;

    if (search->cpu.threads > 0 || !needed)
        return search->cpu.threads;
    power->high_ratio *= 2; /* two threads a core is a guess: with one, each has twice the share */
    return 2 * search->cpu.cores;
}

void power_widen(struct cpu_power *power, const struct power_curve *other)
{
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double load = (double)i / (CURVE_POINTS - 1);
        const double ratio = curve_w(other, load) / curve_w(&power->curve, load);
        if (isfinite(ratio) && ratio > 0) {
            power->low_ratio = fmin(power->low_ratio, ratio);
            power->high_ratio = fmax(power->high_ratio, ratio);
        }
    }
}

void power_how(struct cpu_power *power, const char *id, const char *format, ...)
{
    va_list arguments;

    text_copy(power->id, sizeof power->id, id);
    va_start(arguments, format);
    c_vsnprintf(power->how, sizeof power->how, format, arguments);
    va_end(arguments);
}
