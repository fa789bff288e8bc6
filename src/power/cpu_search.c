/* SPDX-License-Identifier: MIT
 * The steps that every look-up of a processor's power takes. */
#include "power/cpu_search.h"

#include "base/array.h"
#include "base/c_locale.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_profile(const struct profile_row *row, void *context)
{
    struct search *search = context;

    search->profiles =
        array_room(search->profiles, &search->profile_room, search->profile_count + 1, sizeof *search->profiles);
    if (search->profile_count < search->profile_room)
        search->profiles[search->profile_count++] = *row;
    else
        search->no_memory = true;
}

bool search_profiles(struct search *search, const char *text, struct error *err)
{
    size_t i = 0;

    while (i < SEARCH_MAX_TEXTS - 1 && search->texts[i][0] && strcmp(search->texts[i], text) != 0)
        i++;
    if (!*text || strcmp(search->texts[i], text) == 0)
        return true;
    text_copy(search->texts[i], sizeof search->texts[i], text);
    if (!profile_rows(text, take_profile, search, err))
        return false;
    return !search->no_memory || error_errno(err, "no memory for the profiles of '%s'", text);
}

void search_close(struct search *search)
{
    if (!search)
        return;
    free(search->profiles);
    free(search->wall);
    free(search);
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
