/* SPDX-License-Identifier: MIT
 * The strides of a window in the record. */
#include "base/units.h"
#include "measurement/measurement.h"
#include "own/strides.h"
#include "result/record_json.h"

static void add_count(struct tree_node node, const char *key, const struct stride *stride, uint64_t count)
{
    if (stride->counted)
        tree_integer(node, key, count);
    else
        tree_null(node, key);
}

static void add_stride(struct tree_node array, const struct strides *strides, size_t i, const struct window *window)
{
    const struct tree_node node = tree_object(array, NULL), energy = tree_array(node, "energy_uj");
    const struct stride *stride = &strides->items[i];

    for (size_t d = 0; d < strides->domain_count; d++)
        tree_integer(energy, NULL, stride_energy_uj(strides, i)[d]);
    tree_number(node, "start_s", s_from_ns(stride->start_ns - window->start_ns));
    tree_number(node, "duration_s", s_from_ns(stride->duration_ns));
    tree_number(node, "machine_busy_s", s_from_ns(stride->busy_ns));
    tree_number(node, "job_cpu_s", s_from_ns(stride->job_ns));
    tree_integer(node, "job_cpu_roundings", stride->job_roundings);
    add_count(node, "cycles", stride, stride->all.cycles);
    add_count(node, "instructions", stride, stride->all.instructions);
    add_count(node, "cache_misses", stride, stride->all.misses);
}

void json_strides(struct tree_node parent, const struct measurement *measurement, const struct window *window)
{
    const struct strides *strides = measurement->strides;
    struct tree_node array;

    if (!strides || !strides->beside) {
        tree_null(parent, "strides");
        return;
    }
    array = tree_array(parent, "strides");
    for (size_t i = 0; i < strides->count; i++)
        if (stride_is_in(&strides->items[i], window))
            add_stride(array, strides, i, window);
}
