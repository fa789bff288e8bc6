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

enum { MAX_MODELS = 1024 };

/* Curves of models with the same cores: the middle one by its power at full load. In a guest they
 * are those of the processors that clouds use; elsewhere the same cores may be in quite another
 * product. */
static bool find_curve(const struct search *search, struct cpu_power *power)
{
    AUTO_FREE const struct profile_row **similar = calloc(search->profile_count + 1, sizeof *similar);
    const bool guest = search->identity->by_thread;
    size_t count = 0;

    for (size_t i = 0; similar && i < search->profile_count; i++) {
        const struct profile_row *row = &search->profiles[i];
        size_t at = count;

        if (row->kind != KIND_MODEL || row->boundary != BOUNDARY_PACKAGE || row->per != PER_THREAD ||
            strcmp(row->microarchitecture, search->microarchitecture) != 0)
            continue;
        for (; at > 0 && curve_w(&similar[at - 1]->curve, 1) > curve_w(&row->curve, 1); at--)
            similar[at] = similar[at - 1];
        similar[at] = row;
        count++;
    }
    if (count == 0)
        return false;
    const struct profile_row *middle = similar[(count - 1) / 2];
    power->basis = POWER_MICROARCHITECTURE;
    power->per_thread = true;
    power->curve = middle->curve;
    power->low_ratio = guest ? CURVE_LOW : GENERIC_LOW;
    power->high_ratio = guest ? CURVE_HIGH : GENERIC_HIGH;
    for (size_t i = 0; i < count; i++)
        power_widen(power, &similar[i]->curve);
    power_how(power, middle->id, "curve %s per hardware thread, the middle one of %zu for %s (%s)", middle->id, count,
              search->microarchitecture, middle->source_id);
    return true;
}

struct model_watts {
    double w_per_thread;
    int threads;
    char source_id[48];
};

struct similar_cpus {
    const struct search *search;
    struct model_watts models[MAX_MODELS];
    size_t count;
};

static void take_model(const struct cpu_row *row, void *context)
{
    struct similar_cpus *similar = context;

    if (strcmp(row->microarchitecture, similar->search->microarchitecture) != 0 || row->threads == 0 ||
        row->server != similar->search->server || !(row->tdp_w > 0) || similar->count == MAX_MODELS)
        return;
    struct model_watts *model = &similar->models[similar->count++];
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
static const struct model_watts *middle_thread(const struct similar_cpus *similar)
{
    const struct model_watts *model = similar->models;
    long all = 0, below = 0;

    for (size_t i = 0; i < similar->count; i++)
        all += similar->models[i].threads;
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
    AUTO_FREE struct similar_cpus *similar = calloc(1, sizeof *similar);

    if (!similar)
        return error_set(err, ERROR_SYSTEM, "no memory to read cpu_power.csv");
    similar->search = search;
    if (!cpu_rows(search->microarchitecture, take_model, similar, err))
        return false;
    *found = similar->count > 0;
    if (!*found)
        return true;
    qsort(similar->models, similar->count, sizeof similar->models[0], by_watts);
    const double low_w = similar->models[0].w_per_thread, high_w = similar->models[similar->count - 1].w_per_thread;
    const struct model_watts *middle = middle_thread(similar);
    power->basis = POWER_MICROARCHITECTURE;
    use_thread_tdp(search, middle->w_per_thread, low_w, high_w, power);
    power_how(power, GENERIC_CURVE, "TDP %.2f W a thread (%.2f to %.2f W in %zu %s%s models) × %s (%s, %s)",
              middle->w_per_thread, low_w, high_w, similar->count, search->microarchitecture,
              search->server ? " server" : "", GENERIC_CURVE, middle->source_id, search->generic.source_id);
    return true;
}

bool similar_cpus_find(struct search *search, struct cpu_power *power, bool *found, struct error *err)
{
    *found = false;
    if (!search->microarchitecture[0])
        return true;
    if (!search_profiles(search, search->microarchitecture, err))
        return false;
    *found = find_curve(search, power);
    return *found || find_tdp(search, power, found, err);
}

void default_thread_power(const struct search *search, struct cpu_power *power)
{
    power->basis = POWER_DEFAULT;
    use_thread_tdp(search, DEFAULT_THREAD_W, DEFAULT_LOW_THREAD_W, DEFAULT_HIGH_THREAD_W, power);
    power_how(power, GENERIC_CURVE, "an unknown processor: TDP %g W a thread (%g to %g W) × %s (%s)", DEFAULT_THREAD_W,
              DEFAULT_LOW_THREAD_W, DEFAULT_HIGH_THREAD_W, GENERIC_CURVE, search->generic.source_id);
}
