/* SPDX-License-Identifier: MIT
 * What pods used as JSON, as docs/prometheus-schema.json describes it. */
#include "commands/prometheus/pods.h"

#include "base/clock.h"
#include "base/units.h"
#include "emissions/plant_fuel.h"
#include "result/beside_json.h"
#include "result/record_json.h"

#include <math.h>

/* A time of a sample; null where it is not known. */
static void add_time(struct tree_node parent, const char *key, double time_s)
{
    json_time(parent, key, time_s > 1e8 && time_s < 1e10 ? (uint64_t)llround(time_s * 1000) * 1000000 : 0);
}

static void add_mode(struct tree_node parent, const char *key, const struct kind_figure *figure)
{
    struct tree_node node;

    if (figure->series == 0) {
        tree_null(parent, key);
        return;
    }
    node = tree_object(parent, key);
    tree_number(node, "joules", figure->joules);
    tree_number(node, "watts", figure->watts);
    tree_number(node, "irate_watts", figure->irate_w);
}

/* null: the exporter tells nothing of it. */
static void add_part(struct tree_node parent, enum kind_part part, const struct kind_row *row)
{
    const struct kind_figure *all = &row->figures[part][KIND_ALL], *dynamic = &row->figures[part][KIND_DYNAMIC],
                             *idle = &row->figures[part][KIND_IDLE];
    struct tree_node node;

    if (all->series + dynamic->series + idle->series == 0) {
        tree_null(parent, kind_part_name(part));
        return;
    }
    node = tree_object(parent, kind_part_name(part));
    tree_number(node, "joules", all->joules);
    tree_number(node, "at_least_joules", all->low_j);
    tree_number(node, "at_most_joules", all->high_j);
    tree_number(node, "watts", all->watts);
    tree_number(node, "irate_watts", all->irate_w);
    add_mode(node, "dynamic", dynamic);
    add_mode(node, "idle", idle);
    tree_integer(node, "series", all->series);
    tree_integer(node, "series_of_one_sample", all->single);
    tree_integer(node, "samples", all->points);
    tree_integer(node, "resets", all->resets);
    tree_integer(node, "wraps", all->wraps);
    tree_integer(node, "gaps", all->gaps);
    tree_integer(node, "implausible_steps", all->implausible);
    tree_number(node, "doubtful_joules", all->doubtful_j);
}

static void add_emissions(struct tree_node parent, const struct pods *pods, const struct kind_row *row)
{
    const struct footprint footprint = pods_footprint(pods, row);
    const struct tree_node node = tree_object(parent, "emissions");

    tree_number(node, "it_kwh", footprint.it_kwh);
    tree_number(node, "facility_kwh", footprint.facility_kwh);
    tree_number(node, "kgco2eq", footprint.kgco2eq);
    tree_number(node, "kgco2eq_per_h",
                footprint_of(kind_sum(row)->watts * 3600, pods->pue, pods->factor.kgco2eq_per_kwh).kgco2eq);
    tree_number(node, "market_kgco2eq",
                footprint_of(kind_sum(row)->joules, pods->pue, pods->beside.market.kgco2eq_per_kwh).kgco2eq);
    tree_number(node, "market_location_kgco2eq",
                footprint_of(kind_sum(row)->joules, pods->pue, beside_market(&pods->beside)->kgco2eq_per_kwh).kgco2eq);
    tree_number(node, "co2_pounds", pods_pounds(pods, row));
}

static void add_row(struct tree_node rows, const struct pods *pods, const struct kind_row *row)
{
    const struct tree_node node = tree_object(rows, NULL);

    tree_text(node, "level", kind_level_name(row->level));
    tree_text(node, "exporter", kind_name(row->kind));
    tree_text_or_null(node, "node", row->node);
    tree_text_or_null(node, "namespace", row->namespace);
    tree_text_or_null(node, "pod", row->pod);
    tree_text_or_null(node, "container", row->container);
    tree_text_or_null(node, "name", row->name);
    tree_text_or_null(node, "id", row->id);
    tree_text(node, "quality", quality_name(row->quality));
    add_time(node, "from", kind_sum(row)->first_s);
    add_time(node, "to", kind_sum(row)->last_s);
    tree_number(node, "seconds", kind_sum(row)->last_s - kind_sum(row)->first_s);
    tree_number(node, "covered", row->covered);
    for (enum kind_part part = 0; part < KIND_PART_COUNT; part++)
        add_part(node, part, row);
    add_emissions(node, pods, row);
}

static void add_window(struct tree_node root, const struct pods *pods)
{
    const struct tree_node node = tree_object(root, "window");

    add_time(node, "from", pods->window.from_s);
    add_time(node, "to", pods->window.to_s);
    tree_number(node, "seconds", pods->duration_s);
    tree_bool(node, "since_start_of_counters", pods->window.totals);
}

static void add_fuel(struct tree_node root, const struct pods *pods)
{
    struct tree_node node;

    if (!pods->fuel) {
        tree_null(root, "fuel");
        return;
    }
    node = tree_object(root, "fuel");
    tree_text(node, "name", pods->fuel);
    tree_number(node, "co2_pounds_per_kwh", plant_fuel_pounds_per_kwh(pods->fuel));
}

static void add_exporters(struct tree_node root, const struct pods *pods)
{
    const struct tree_node list = tree_array(root, "exporters");
    unsigned found = 0;

    for (size_t i = 0; i < pods->rows->count; i++)
        found |= 1u << pods->rows->items[i].kind;
    for (enum kind_exporter kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (found & 1u << kind)
            tree_text(list, NULL, kind_name(kind));
}

bool pods_json(const struct pods *pods, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, list;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, PODS_SCHEMA);
    json_time(root, "created_at", pods->created_realtime_ns);
    tree_text(root, "command", pods->command);
    list = tree_array(root, "sources");
    for (size_t i = 0; i < PODS_SOURCES && pods->sources[i]; i++)
        tree_text(list, NULL, pods->sources[i]);
    add_exporters(root, pods);
    add_window(root, pods);
    json_pue(root, pods->pue, pods->pue_quality, &pods->beside);
    json_factor(root, "factor", &pods->factor);
    json_beside(root, &pods->beside);
    add_fuel(root, pods);
    list = tree_array(root, "rows");
    for (size_t i = 0; i < pods->rows->count; i++)
        if (pods_wants(pods, &pods->rows->items[i]))
            add_row(list, pods, &pods->rows->items[i]);
    json_notices(root, &pods->notices);
    return tree_write(&tree, out, "the energies as JSON", err);
}
