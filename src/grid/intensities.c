/* SPDX-License-Identifier: MIT
 * Intensities over time: read, sorted, and settled if several values exist for one time. */
#include "grid/intensities.h"

#include "base/array.h"
#include "base/c_locale.h"
#include "io/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INTENSITIES = 200000 };

const char *intensity_kind_name(enum intensity_kind kind)
{
    static const char *const names[] = { "forecast", "estimated", "actual" };

    return names[kind];
}

bool live_malformed(struct error *err, const char *why, ...)
{
    char text[sizeof err->why];
    va_list arguments;

    va_start(arguments, why);
    c_vsnprintf(text, sizeof text, why, arguments);
    va_end(arguments);
    error_set(err, ERROR_BAD_DATA, "the answer makes no sense");
    error_why(err, "%s", text);
    return error_fix(err, "the service may have changed; a newer carbon may know it");
}

bool intensities_add(struct intensities *found, uint64_t start_s, uint64_t step_s, double kgco2eq_per_kwh,
                     enum intensity_kind kind, struct error *err)
{
    if (!(kgco2eq_per_kwh >= 0 && kgco2eq_per_kwh <= LIVE_MAX_KGCO2EQ_PER_KWH))
        return live_malformed(err, "it has %g gCO2eq/kWh, impossible for a grid", kgco2eq_per_kwh * G_PER_KG);
    if (start_s % 60 != 0 || step_s % 60 != 0 || step_s == 0 || step_s > LIVE_DAY_S)
        return live_malformed(err, "it has a time that is not a whole minute, or lacks an interval");
    if (found->count == MAX_INTENSITIES)
        return live_malformed(err, "it has more than %d values", MAX_INTENSITIES);
    found->items = array_room(found->items, &found->size, found->count + 1, sizeof *found->items);
    if (found->count == found->size)
        return error_set(err, ERROR_SYSTEM, "no memory for the intensities");
    found->items[found->count++] = (struct intensity){
        .start_realtime_s = start_s,
        .end_realtime_s = start_s + step_s,
        .kgco2eq_per_kwh = kgco2eq_per_kwh,
        .kind = kind,
        .answer = found->answer_count,
    };
    return true;
}

bool intensities_add_item(struct intensities *found, uint64_t start_s, uint64_t step_s, const struct cJSON *item,
                          double g_per_kwh, enum intensity_kind kind, struct error *err)
{
    const double value = json_number(item);

    if (json_is_null(item))
        return true;
    if (isnan(value))
        return live_malformed(err, "it has something else where a number should be");
    return intensities_add(found, start_s, step_s, value * g_per_kwh / G_PER_KG, kind, err);
}

/* By time; of one time the strongest first, and of these the one that was taken in first. */
static int compare_intensities(const void *first, const void *second)
{
    const struct intensity *a = first, *b = second;

    if (a->start_realtime_s != b->start_realtime_s)
        return a->start_realtime_s < b->start_realtime_s ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind > b->kind ? -1 : 1;
    if (a->answer != b->answer)
        return a->answer < b->answer ? -1 : 1;
    return a->end_realtime_s < b->end_realtime_s ? -1 : a->end_realtime_s > b->end_realtime_s;
}

/* The number of values from here on with the same time and strength in the same answer; whether they agree. */
static size_t reported_alike(const struct intensities *found, size_t at, bool *agree)
{
    const struct intensity *first = &found->items[at];
    size_t count = 1;

    *agree = true;
    for (; at + count < found->count; count++) {
        const struct intensity *item = &found->items[at + count];
        if (item->start_realtime_s != first->start_realtime_s || item->kind != first->kind ||
            item->answer != first->answer)
            break;
        *agree &= item->kgco2eq_per_kwh == first->kgco2eq_per_kwh;
    }
    return count;
}

/* Where one that is kept goes on into the next, the stronger of the two has the time. How many are kept then. */
static size_t make_room(struct intensities *found, size_t stored, struct intensity *next)
{
    for (; stored > 0 && found->items[stored - 1].end_realtime_s > next->start_realtime_s; stored--) {
        struct intensity *last = &found->items[stored - 1];

        if (next->kind <= last->kind) {
            next->start_realtime_s = last->end_realtime_s;
            return stored;
        }
        last->end_realtime_s = next->start_realtime_s;
        if (last->start_realtime_s < last->end_realtime_s)
            return stored;
    }
    return stored;
}

/* The part of it within the requested period. */
static uint64_t within_s(const struct intensities *found, const struct intensity *item)
{
    const uint64_t from_s = found->from_realtime_s, to_s = found->to_realtime_s;
    const uint64_t start_s = item->start_realtime_s > from_s ? item->start_realtime_s : from_s;
    const uint64_t end_s = item->end_realtime_s < to_s ? item->end_realtime_s : to_s;

    return end_s > start_s ? end_s - start_s : 0;
}

void intensities_order(struct intensities *found)
{
    if (found->count > 1)
        qsort(found->items, found->count, sizeof *found->items, compare_intensities);
}

/* The error of the forecast, if forecast and outcome are in one answer. */
static void judge_forecast(struct intensities *found)
{
    double squares = 0;

    found->forecasts_judged = 0;
    for (size_t i = 1; i < found->count; i++) {
        const struct intensity *came = &found->items[i - 1], *forecast = &found->items[i];
        if (forecast->kind != INTENSITY_FORECAST || came->kind == INTENSITY_FORECAST ||
            came->start_realtime_s != forecast->start_realtime_s || came->answer != forecast->answer)
            continue;
        const double off = forecast->kgco2eq_per_kwh - came->kgco2eq_per_kwh;
        squares += off * off;
        found->forecasts_judged++;
    }
    found->forecast_error_kgco2eq_per_kwh =
        found->forecasts_judged ? sqrt(squares / (double)found->forecasts_judged) : NAN;
}

void intensities_leave_zeros(struct intensities *found)
{
    size_t stored = 0;

    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].kgco2eq_per_kwh > 0)
            found->items[stored++] = found->items[i];
    found->zeros += found->count - stored;
    found->count = stored;
}

void intensities_settle(struct intensities *found)
{
    size_t stored = 0, alike;
    bool agree;

    intensities_order(found);
    judge_forecast(found);
    for (size_t i = 0; i < found->count; i += alike) {
        struct intensity item = found->items[i];

        alike = reported_alike(found, i, &agree);
        if (item.end_realtime_s <= found->from_realtime_s || item.start_realtime_s >= found->to_realtime_s)
            continue;
        if (!agree) {
            found->contradictions++;
            continue;
        }
        stored = make_room(found, stored, &item);
        if (item.start_realtime_s < item.end_realtime_s)
            found->items[stored++] = item;
    }
    found->count = stored;
    found->known_s = 0;
    for (size_t i = 0; i < stored; i++)
        found->known_s += within_s(found, &found->items[i]);
}

double intensities_mean(const struct intensities *found)
{
    double sum = 0;

    for (size_t i = 0; i < found->count; i++)
        sum += found->items[i].kgco2eq_per_kwh * (double)within_s(found, &found->items[i]);
    return found->known_s ? sum / (double)found->known_s : NAN;
}

void intensities_close(struct intensities *found)
{
    free(found->items);
    found->items = NULL;
    found->count = found->size = 0;
}
