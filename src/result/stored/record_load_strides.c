/* SPDX-License-Identifier: MIT
 * The strides of a record's windows, in the order of time again. */
#include "io/json_read.h"
#include "own/strides.h"
#include "result/stored/record_load.h"
#include "result/window_fields.h"

#include <math.h>

static bool take_stride(struct loaded_record *loaded, const struct cJSON *node, const struct window *window)
{
    const struct cJSON *energies = FIELD_MADE(node, stride_fields, record_stride_energies);
    struct stride stride = { .counted = json_kind(FIELD_ITEM(node, stride_times_fields, struct stride, all.cycles)) ==
                                        JSON_NUMBER };
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];
    uint8_t known[ENERGY_MAX_DOMAINS];

    fields_take(node, &stride_times_fields, &stride);
    stride.start_ns =
        window->start_ns + field_ns(json_number(FIELD_ITEM(node, stride_fields, struct stride_view, start_ns)));
    return stride.duration_ns && stride_is_in(&stride, window) &&
           record_load_energy(loaded, energies, energy_uj, known) &&
           strides_add(loaded->measurement.strides, &stride, energy_uj);
}

static bool take_strides(struct loaded_record *loaded, const struct cJSON *window_node, const struct window *window)
{
    for (const struct cJSON *node = json_first(FIELD_MADE(window_node, window_fields, record_strides)); node;
         node = json_next(node))
        if (loaded->measurement.strides->count == STRIDES_MAX || !take_stride(loaded, node, window))
            return false;
    return true;
}

static bool has_any(const struct cJSON *windows)
{
    for (const struct cJSON *node = json_first(windows); node; node = json_next(node))
        if (json_kind(FIELD_MADE(node, window_fields, record_strides)) == JSON_ARRAY)
            return true;
    return false;
}

/* Baselines and runs are in the order of time, each among themselves. */
bool record_load_strides(struct loaded_record *loaded, const struct cJSON *baselines, const struct cJSON *runs)
{
    struct measurement *measurement = &loaded->measurement;
    const struct cJSON *baseline = json_first(baselines), *run = json_first(runs);
    size_t b = 0, r = 0;

    if (!has_any(baselines) && !has_any(runs))
        return true;
    measurement->strides = strides_new(measurement->meter->domain_count, 0);
    if (!measurement->strides)
        return false;
    measurement->strides->concurrent = true;
    while (baseline || run) {
        const bool is_run =
            !baseline || (run && measurement->runs[r].window.start_ns < measurement->baselines[b].start_ns);
        if (!take_strides(loaded, is_run ? run : baseline,
                          is_run ? &measurement->runs[r].window : &measurement->baselines[b]))
            return false;
        if (is_run) {
            run = json_next(run);
            r++;
        } else {
            baseline = json_next(baseline);
            b++;
        }
    }
    return true;
}
