/* SPDX-License-Identifier: MIT
 * The Software Carbon Intensity and the equivalents as JSON. */
#include "result/record_json.h"

static void add_figure(struct tree_node parent, const char *key, const struct sci_figure *figure)
{
    json_value(parent, key, figure->value, figure->quality);
}

void json_sci_figures(struct tree_node node, const struct sci_sum *sum)
{
    tree_number(node, "kgco2eq_per_unit", sum->kgco2eq_per_unit);
    tree_text_or_null(node, "unit", sum->unit);
    tree_number(node, "units", sum->units);
    tree_number(node, "operational_kgco2eq", sum->operational_kgco2eq);
    tree_number(node, "embodied_kgco2eq", sum->embodied_kgco2eq);
}

void json_sci(struct tree_node parent, const struct sci *sci)
{
    struct tree_node node, machine;

    if (!sci->asked) {
        tree_null(parent, "sci");
        return;
    }
    node = tree_object(parent, "sci");
    json_sci_figures(node, &(struct sci_sum){ sci->unit, sci->units, sci->operational_kgco2eq, sci->embodied_kgco2eq,
                                              sci->kgco2eq_per_unit });
    tree_number(node, "hours", sci->hours);
    machine = tree_object(node, "machine");
    tree_number(machine, "kgco2eq", sci->machine_kgco2eq.value);
    tree_text(machine, "quality", quality_name(sci->machine_kgco2eq.quality));
    tree_text_or_null(machine, "name", sci->machine);
    tree_text_or_null(machine, "source_id", sci->source_id);
    tree_text_or_null(machine, "version", sci->version);
    add_figure(node, "lifetime_years", &sci->lifetime_years);
    add_figure(node, "reserved_share", &sci->reserved_share);
}

void json_equivalents(struct tree_node parent, const struct equivalents *equivalents)
{
    struct tree_node array;

    if (!equivalents->count) {
        tree_null(parent, "equivalents");
        return;
    }
    array = tree_array(parent, "equivalents");
    for (size_t i = 0; i < equivalents->count; i++) {
        const struct equivalent *item = &equivalents->items[i];
        const struct tree_node node = tree_object(array, NULL);
        tree_text(node, "name", item->name);
        tree_number(node, "amount", item->amount);
        tree_text(node, "unit", item->unit);
        tree_number(node, "kgco2eq_per_unit", item->kgco2eq_per_unit);
        tree_text_or_null(node, "region", item->region);
        tree_integer(node, "year", (uint64_t)item->year);
        tree_text(node, "source_id", item->source_id);
        tree_text(node, "source", item->source);
    }
}
