/* SPDX-License-Identifier: MIT
 * The power of a processor whose model is unknown: that of others of its microarchitecture, and
 * where that is unknown as well, a stated default. */
#include "power/cpu_search.h"

#include "base/auto.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* The TDP per hardware thread of the models since 2014 in cpu_power.csv: median, 5th and 95th
 * percentile. */
#define DEFAULT_THREAD_W 4.25
#define DEFAULT_LOW_THREAD_W 1.25
#define DEFAULT_HIGH_THREAD_W 16.25

enum { MOST_MODELS = 1024 };

/* Curves of models with the same cores: the middle one by its power at full load. In a guest they
 * are those of the processors that clouds use; elsewhere the same cores may be in quite another
 * product. */
static bool find_curve(const struct search *search, struct cpu_power *power)
{
    const struct profile_row *kin[SEARCH_MOST_PROFILES];
    const bool guest = search->identity->by_thread;
    size_t count = 0;

    for (size_t i = 0; i < search->profile_count; i++) {
        const struct profile_row *row = &search->profiles[i];
        size_t at = count;

        if (row->kind != KIND_MODEL || row->boundary != BOUNDARY_PACKAGE || row->per != PER_THREAD ||
            strcmp(row->microarchitecture, search->microarchitecture) != 0)
            continue;
        for (; at > 0 && curve_w(&kin[at - 1]->curve, 1) > curve_w(&row->curve, 1); at--)
            kin[at] = kin[at - 1];
        kin[at] = row;
        count++;
    }
    if (count == 0)
        return false;
    const struct profile_row *middle = kin[(count - 1) / 2];
    power->basis = POWER_MICROARCHITECTURE;
    power->per_thread = true;
    power->curve = middle->curve;
    power->low_ratio = guest ? CURVE_LOW : GENERIC_LOW;
    power->high_ratio = guest ? CURVE_HIGH : GENERIC_HIGH;
    for (size_t i = 0; i < count; i++)
        power_widen(power, &kin[i]->curve);
    power_how(power, middle->id, "curve %s per hardware thread, the middle one of %zu for %s (%s)", middle->id, count,
              search->microarchitecture, middle->source_id);
    return true;
}

struct model_watts {
    double w_per_thread;
    int threads;
    char source_id[48];
};

struct kin {
    const struct search *search;
    struct model_watts models[MOST_MODELS];
    size_t count;
};

static void take_model(const struct cpu_row *row, void *context)
{
    struct kin *kin = context;

    if (strcmp(row->microarchitecture, kin->search->microarchitecture) != 0 || row->threads == 0 ||
        row->server != kin->search->server || !(row->tdp_w > 0) || kin->count == MOST_MODELS)
        return;
    struct model_watts *model = &kin->models[kin->count++];
    model->w_per_thread = row->tdp_w / row->threads;
    model->threads = row->threads;
    text_copy(model->source_id, sizeof model->source_id, row->source_id);
}

static int by_watts(const void *a, const void *b)
{
    const double left = ((const struct model_watts *)a)->w_per_thread;
    const double right = ((const struct model_watts *)b)->w_per_thread;

    return (left > right) - (left < right);
}

/* The median TDP per hardware thread, weighted by how many threads each model has. */
static const struct model_watts *middle_thread(const struct kin *kin)
{
    const struct model_watts *model = kin->models;
    long all = 0, below = 0;

    for (size_t i = 0; i < kin->count; i++)
        all += kin->models[i].threads;
    while (2 * (below += model->threads) < all)
        model++;
    return model;
}

static void use_thread_tdp(const struct search *search, double tdp_w, double low_w, double high_w,
                           struct cpu_power *power)
{
    power->per_thread = true;
    power->curve = curve_scaled(search->generic.curve, tdp_w);
    power->low_ratio = GENERIC_LOW * low_w / tdp_w;
    power->high_ratio = GENERIC_HIGH * high_w / tdp_w;
}

static bool find_tdp(const struct search *search, struct cpu_power *power, bool *found, struct error *err)
{
    AUTO_FREE struct kin *kin = calloc(1, sizeof *kin);

    if (!kin)
        return error_set(err, ERROR_SYSTEM, "no memory to read cpu_power.csv");
    kin->search = search;
    if (!cpu_rows(search->microarchitecture, take_model, kin, err))
        return false;
    *found = kin->count > 0;
    if (!*found)
        return true;
    qsort(kin->models, kin->count, sizeof kin->models[0], by_watts);
    const double low_w = kin->models[0].w_per_thread, high_w = kin->models[kin->count - 1].w_per_thread;
    const struct model_watts *middle = middle_thread(kin);
    power->basis = POWER_MICROARCHITECTURE;
    use_thread_tdp(search, middle->w_per_thread, low_w, high_w, power);
    power_how(power, GENERIC_CURVE, "TDP %.2f W a thread (%.2f to %.2f W in %zu %s%s models) × %s (%s, %s)",
              middle->w_per_thread, low_w, high_w, kin->count, search->microarchitecture,
              search->server ? " server" : "", GENERIC_CURVE, middle->source_id, search->generic.source_id);
    return true;
}

bool kin_find(struct search *search, struct cpu_power *power, bool *found, struct error *err)
{
    *found = false;
    if (!search->microarchitecture[0])
        return true;
    if (!search_profiles(search, search->microarchitecture, err))
        return false;
    *found = find_curve(search, power);
    return *found || find_tdp(search, power, found, err);
}

void kin_default(const struct search *search, struct cpu_power *power)
{
    power->basis = POWER_DEFAULT;
    use_thread_tdp(search, DEFAULT_THREAD_W, DEFAULT_LOW_THREAD_W, DEFAULT_HIGH_THREAD_W, power);
    power_how(power, GENERIC_CURVE, "an unknown processor: TDP %g W a thread (%g to %g W) × %s (%s)", DEFAULT_THREAD_W,
              DEFAULT_LOW_THREAD_W, DEFAULT_HIGH_THREAD_W, GENERIC_CURVE, search->generic.source_id);
}
