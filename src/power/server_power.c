/* SPDX-License-Identifier: MIT
 * The power of whole servers at their plug, as published for a processor: a boundary of its own,
 * with memory, disks, fans and supplies inside. */
#include "power/cpu_search.h"

#include <string.h>

/* The curve in the unit wanted, threads or packages; false: the row is of something else. */
static bool in_unit(const struct search *search, const struct profile_row *row, int threads, struct power_curve *curve)
{
    const bool by_thread = search->identity->by_thread;
    const bool this_model = row->kind == KIND_MODEL && strcmp(row->key, search->key) == 0;
    const bool this_kind = row->kind == KIND_MICROARCHITECTURE && search->server &&
                           strcmp(row->microarchitecture, search->microarchitecture) == 0;

    if (row->boundary != BOUNDARY_SERVER || !(this_model || this_kind))
        return false;
    if ((row->per == PER_THREAD) == by_thread)
        *curve = row->curve;
    else if (threads > 0)
        *curve = curve_scaled(row->curve, by_thread ? 1.0 / threads : threads);
    else
        return false;
    return true;
}

/* The model's own results before its microarchitecture's, more steps of load before fewer. */
static bool is_better(const struct profile_row *row, const struct profile_row *best)
{
    return !best || row->kind < best->kind ||
           (row->kind == best->kind && curve_points(&row->curve) > curve_points(&best->curve));
}

bool server_find(struct search *search, struct cpu_power *power, bool *found, struct error *err)
{
    const struct profile_row *best = NULL;
    struct power_curve curve;

    if (!search_profiles(search, search->key, err) || !search_profiles(search, search->microarchitecture, err))
        return false;
    power->low_ratio = CURVE_LOW;
    power->high_ratio = CURVE_HIGH;
    power->per_thread = search->identity->by_thread;
    power->threads = search_threads(search, power);
    for (size_t i = 0; i < search->profile_count; i++)
        if (in_unit(search, &search->profiles[i], power->threads, &curve) && is_better(&search->profiles[i], best)) {
            best = &search->profiles[i];
            power->curve = curve;
        }
    *found = best != NULL;
    if (!best)
        return true;
    for (size_t i = 0; i < search->profile_count; i++)
        if (in_unit(search, &search->profiles[i], power->threads, &curve))
            power_widen(power, &curve);
    power->basis = best->kind == KIND_MODEL ? POWER_MODEL : POWER_MICROARCHITECTURE;
    power_how(power, best->id, "%s, whole servers at the plug (%s)", best->id, best->source_id);
    return true;
}
