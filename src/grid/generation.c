/* SPDX-License-Identifier: MIT
 * From generation by series to intensities: the steps of all are cut to the shortest, and summed up. */
#include "grid/generation.h"

#include "base/array.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 2000000, KWH_PER_MWH = 1000 };

void generation_close(struct generation *generation)
{
    free(generation->items);
    *generation = (struct generation){ 0 };
}

static bool grow(struct generation *generation, struct error *err)
{
    if (generation->count == MAX_ITEMS)
        return live_malformed(err, "it has more than %d values", MAX_ITEMS);
    generation->items =
        array_room(generation->items, &generation->size, generation->count + 1, sizeof *generation->items);
    return generation->count < generation->size || error_set(err, ERROR_SYSTEM, "no memory for the generation");
}

bool generation_add(struct generation *generation, const struct live_request *request, uint64_t start_s,
                    uint64_t step_s, unsigned series, double mw, double kg_per_h, struct error *err)
{
    if (start_s % 60 != 0 || step_s % 60 != 0 || step_s == 0 || step_s > LIVE_DAY_S)
        return live_malformed(err, "it has a time that is not a whole minute, or lacks an interval");
    if (isnan(mw) || isnan(kg_per_h) || start_s >= request->to_s || start_s + step_s <= request->from_s)
        return true;
    if (!grow(generation, err))
        return false;
    generation->items[generation->count++] = (struct generation_item){ start_s, step_s, mw, kg_per_h, series };
    return true;
}

bool generation_add_fuel(struct generation *generation, const struct live_request *request,
                         const struct fuel_factors *factors, uint64_t start_s, uint64_t step_s, unsigned series,
                         enum fuel fuel, double mw, struct error *err)
{
    const double generated_mw = mw < 0 ? 0 : mw;

    if (fuel == FUEL_STORAGE)
        return true;
    return generation_add(generation, request, start_s, step_s, series, generated_mw,
                          generated_mw * KWH_PER_MWH * factors->kgco2eq_per_kwh[fuel], err);
}

static int compare_items(const void *a, const void *b)
{
    const struct generation_item *first = a, *second = b;

    if (first->start_s != second->start_s)
        return first->start_s < second->start_s ? -1 : 1;
    return (first->series > second->series) - (first->series < second->series);
}

/* Cuts what lasts longer than the shortest step. */
static bool cut(struct generation *generation, uint64_t step_s, struct error *err)
{
    const size_t count = generation->count;

    for (size_t i = 0; i < count; i++) {
        struct generation_item item = generation->items[i];
        if (item.step_s % step_s != 0)
            return live_malformed(err, "its steps do not go into one another");
        generation->items[i].step_s = step_s;
        for (uint64_t later_s = step_s; later_s < item.step_s; later_s += step_s) {
            if (!grow(generation, err))
                return false;
            generation->items[generation->count++] =
                (struct generation_item){ item.start_s + later_s, step_s, item.mw, item.kg_per_h, item.series };
        }
    }
    return true;
}

/* All that begins where the item does: how many; whether every series has one value of it. */
static size_t sum_step(const struct generation *generation, size_t first, uint64_t series, double *mw, double *kg_per_h,
                       bool *whole)
{
    uint64_t seen = 0;
    size_t i = first;

    *mw = *kg_per_h = 0;
    *whole = true;
    for (; i < generation->count && generation->items[i].start_s == generation->items[first].start_s; i++) {
        const struct generation_item *item = &generation->items[i], *before = i > first ? item - 1 : NULL;
        const bool again = before && before->series == item->series;

        if (again) {
            *whole &= before->mw == item->mw && before->kg_per_h == item->kg_per_h;
            continue;
        }
        seen |= UINT64_C(1) << item->series;
        *mw += item->mw;
        *kg_per_h += item->kg_per_h;
    }
    *whole &= seen == series;
    return i - first;
}

bool generation_settle(struct generation *generation, struct intensities *found, struct error *err)
{
    uint64_t step_s = LIVE_DAY_S, series = 0;
    double mw, kg_per_h;
    bool whole;

    for (size_t i = 0; i < generation->count; i++) {
        if (generation->items[i].step_s < step_s)
            step_s = generation->items[i].step_s;
        series |= UINT64_C(1) << generation->items[i].series;
    }
    if (!cut(generation, step_s, err))
        return false;
    if (generation->count)
        qsort(generation->items, generation->count, sizeof *generation->items, compare_items);
    for (size_t i = 0, count; i < generation->count; i += count) {
        count = sum_step(generation, i, series, &mw, &kg_per_h, &whole);
        if (whole && mw > 0 &&
            !intensities_add(found, generation->items[i].start_s, step_s, kg_per_h / (mw * KWH_PER_MWH),
                             INTENSITY_ESTIMATED, err))
            return false;
    }
    return true;
}
