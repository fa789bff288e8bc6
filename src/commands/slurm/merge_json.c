/* SPDX-License-Identifier: MIT
 * A merged result as JSON ("carbon.merge/1"): numbers exact, unknown null. */
#include "commands/slurm/merge.h"

#include "form/json_parts.h"

static void add_natural(struct tree_node node, const char *key, int64_t value)
{
    if (value < 0)
        tree_null(node, key);
    else
        tree_integer(node, key, (uint64_t)value);
}

static void add_sum(struct tree_node node, const struct merge_sum *sum)
{
    struct tree_node emissions;

    tree_number(node, "gross_j", sum->gross_j);
    tree_number(node, "idle_j", sum->idle_j);
    tree_number(node, "net_j", sum->net_j);
    tree_number(node, "gross_low_j", sum->gross_low_j);
    tree_number(node, "gross_high_j", sum->gross_high_j);
    tree_number(node, "own_j", sum->own_j);
    tree_number(node, "own_low_j", sum->own_low_j);
    tree_number(node, "own_high_j", sum->own_high_j);
    emissions = tree_object(node, "emissions");
    tree_number(emissions, "facility_kwh", sum->facility_kwh);
    tree_number(emissions, "gross_kgco2eq", sum->gross_kgco2eq);
    tree_number(emissions, "net_kgco2eq", sum->net_kgco2eq);
    tree_number(emissions, "own_kgco2eq", sum->own_kgco2eq);
}

static void add_node(struct tree_node nodes, const struct merge_node *node)
{
    const struct tree_node item = tree_object(nodes, NULL);

    tree_text(item, "node", node->name);
    tree_text_or_null(item, "boot_id", node->boot_id);
    tree_integer(item, "records", node->records);
    add_natural(item, "tasks_expected", node->tasks);
    json_time(item, "started_at", node->start_ns);
    json_time(item, "ended_at", node->end_ns);
    tree_number(item, "duration_s", node->duration_s);
    tree_text(item, "quality", quality_name(node->quality));
    tree_text(item, "own_method", own_method_name(node->own_method));
    add_sum(item, &node->sum);
    tree_number(item, "overlap_j", node->overlap_j);
}

static void add_record(struct tree_node records, const struct merge *merge, const struct merge_part *part)
{
    const struct tree_node item = tree_object(records, NULL);

    tree_text(item, "path", part->path);
    tree_text_or_null(item, "id", part->id);
    tree_text(item, "node", merge->nodes[part->node].name);
    add_natural(item, "rank", part->job.known ? part->job.rank : -1);
    tree_bool(item, "complete", part->complete);
    tree_text(item, "quality", quality_name(part->quality));
    tree_text(item, "own_method", own_method_name(part->own_method));
    tree_number(item, "counted", part->counted);
    add_sum(item, &part->all);
    tree_number(item, "pue", part->pue);
    tree_number(item, "kgco2eq_per_kwh", part->kgco2eq_per_kwh);
}

bool merge_json(const struct merge *merge, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, list;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, MERGE_SCHEMA);
    add_natural(root, "job_id", merge->job.known ? merge->job.id : -1);
    tree_text_or_null(root, "cluster", merge->job.known ? merge->job.cluster : "");
    json_time(root, "started_at", merge->start_ns);
    json_time(root, "ended_at", merge->end_ns);
    tree_bool(root, "recorded_tree", merge->recorded_tree);
    add_natural(root, "nodes_expected", merge->nodes_expected);
    tree_text(root, "quality", quality_name(merge->quality));
    tree_text(root, "own_method", own_method_name(merge->own_method));
    add_sum(root, &merge->sum);
    tree_number(root, "overlap_j", merge->overlap_j);
    json_interval(root, "net_interval_j", &merge->net_interval_j);
    list = tree_array(root, "nodes");
    for (size_t i = 0; i < merge->node_count; i++)
        add_node(list, &merge->nodes[i]);
    list = tree_array(root, "records");
    for (size_t i = 0; i < merge->part_count; i++)
        add_record(list, merge, &merge->parts[i]);
    json_notices(root, &merge->notices);
    return tree_write(&tree, out, "the merged result as JSON", err);
}
