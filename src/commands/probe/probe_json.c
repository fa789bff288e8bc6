/* SPDX-License-Identifier: MIT
 * The result of `carbon probe` as docs/probe-schema.json describes it. */
#include "config.h"

#include "commands/probe/probe.h"

#include "base/clock.h"
#include "result/record_json.h"

#include <math.h>

static const char *const domain_keys[SPLIT_DOMAINS] = { "package", "memory", "machine", "gpu" };

static void add_time(struct tree_node parent, const char *key, uint64_t realtime_ns)
{
    char text[CLOCK_TEXT_SIZE];

    tree_text_or_null(parent, key, realtime_ns ? clock_text(realtime_ns, text) : NULL);
}

static void add_domains(struct tree_node parent, const struct probe_result *result)
{
    const struct tree_node domains = tree_object(parent, "domains");

    for (size_t i = 0; i < SPLIT_DOMAINS; i++) {
        struct tree_node node;
        if (result->meter.quality[i] == QUALITY_UNKNOWN) {
            tree_null(domains, domain_keys[i]);
            continue;
        }
        node = tree_object(domains, domain_keys[i]);
        tree_text(node, "names", result->domains[i]);
        tree_text(node, "component", i == SPLIT_MACHINE && result->meter.platform ? "platform" : domain_keys[i]);
        tree_text(node, "quality", quality_name(result->meter.quality[i]));
    }
}

static void add_watts(struct tree_node parent, const char *key, const double w[SPLIT_DOMAINS])
{
    const struct tree_node node = tree_object(parent, key);

    for (size_t i = 0; i < SPLIT_DOMAINS; i++)
        tree_number(node, domain_keys[i], w[i]);
}

static void add_runs(struct tree_node parent, const struct probe_entry *entry)
{
    const struct tree_node runs = tree_array(parent, "runs");

    for (size_t i = 0; i < entry->run_count; i++) {
        const struct split_run *run = &entry->runs[i];
        const struct tree_node node = tree_object(runs, NULL);
        tree_number(node, "duration_s", run->duration_s);
        tree_number(node, "busy_cpus", run->busy_cpus);
        tree_number(node, "bytes_per_s", run->bytes_per_s);
        add_watts(node, "gross_w", run->gross_w);
        add_watts(node, "net_w", run->net_w);
        add_watts(node, "own_w", run->own_w);
    }
}

static void add_spreads(struct tree_node parent, const char *key, const struct spread spreads[SPLIT_DOMAINS])
{
    const struct tree_node node = tree_object(parent, key);

    for (size_t i = 0; i < SPLIT_DOMAINS; i++) {
        if (spreads[i].count)
            json_spread(node, domain_keys[i], &spreads[i]);
        else
            tree_null(node, domain_keys[i]);
    }
}

static void add_part(struct tree_node parent, const struct probe_entry *entry, enum split_part part)
{
    const struct split_figure *figure = &entry->row.parts[part];
    struct tree_node node;

    if (isnan(figure->w)) {
        tree_null(parent, split_part_name(part));
        return;
    }
    node = tree_object(parent, split_part_name(part));
    tree_number(node, "w", figure->w);
    tree_number(node, "error_w", figure->error_w);
    tree_number(node, "freedom", figure->freedom);
    tree_number(node, "detectable_w", figure->detectable_w);
    tree_number(node, "percent", figure->percent);
    tree_bool(node, "told", figure->told);
    tree_bool(node, "assumed", figure->assumed);
}

static void add_load(struct tree_node loads, const struct probe_entry *entry)
{
    const struct tree_node node = tree_object(loads, NULL);
    const struct split_row *row = &entry->row;
    const enum split_part largest = entry->run_count ? split_largest(row) : SPLIT_PARTS;
    struct tree_node parts;

    tree_text(node, "name", entry->name);
    tree_text(node, "kind", load_kind_name(entry->kind));
    tree_positive(node, "threads", entry->threads);
    if (entry->failed)
        json_error(tree_object(node, "error"), &entry->error);
    else
        tree_null(node, "error");
    tree_number(node, "total_gross_w", row->total_gross_w);
    add_spreads(node, "gross_w", entry->gross_w);
    add_spreads(node, "net_w", entry->net_w);
    add_spreads(node, "own_w", entry->own_w);
    tree_number(node, "busy_cpus", row->busy_cpus);
    tree_number(node, "bytes_per_s", row->bytes_per_s);
    tree_number(node, "j_per_gib", row->j_per_gib);
    parts = tree_object(node, "parts");
    for (enum split_part part = 0; part < SPLIT_PARTS; part++)
        add_part(parts, entry, part);
    tree_text_or_null(node, "largest", largest == SPLIT_PARTS ? NULL : split_part_name(largest));
    add_runs(node, entry);
}

static void add_standing(struct tree_node parent, const struct probe_result *result)
{
    const struct tree_node node = tree_object(parent, "standing");

    tree_number(node, "w", result->idle_w);
    json_value(node, "hours_per_year", result->hours_per_year, result->hours_quality);
    tree_number(node, "it_kwh_per_year", result->idle_year.it_kwh);
    tree_number(node, "facility_kwh_per_year", result->idle_year.facility_kwh);
    tree_number(node, "kgco2eq_per_year", result->idle_year.kgco2eq);
}

bool probe_write_json(const struct probe_result *result, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, loads;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "schema", PROBE_SCHEMA);
    tree_text(root, "id", result->id);
    tree_text(root, "carbon_version", PACKAGE_VERSION);
    add_time(root, "started_at", result->started_realtime_ns);
    add_time(root, "ended_at", result->ended_realtime_ns);
    tree_bool(root, "complete", result->complete);
    tree_bool(root, "interrupted", result->interrupted);
    tree_bool(root, "recorded_tree", result->recorded_tree);
    tree_text_or_null(root, "cpus", result->cpus);
    tree_number(root, "load_s", result->load_s);
    tree_number(root, "baseline_s", result->baseline_s);
    tree_integer(root, "runs", result->runs);
    tree_number(root, "baseline_busy_cpus", result->baseline_busy_cpus);
    tree_number(root, "baseline_busy_mask_cpus", result->baseline_busy_mask_cpus);
    tree_text(root, "own_method", own_method_name(result->own_method));
    add_domains(root, result);
    loads = tree_array(root, "loads");
    for (size_t i = 0; i < result->entry_count; i++)
        add_load(loads, &result->entries[i]);
    add_standing(root, result);
    json_value(root, "pue", result->pue, result->pue_quality);
    json_factor(root, "factor", &result->factor);
    json_machine(root, result->machine);
    json_notices(root, &result->notices);
    tree_integer(root, "notices_left_out", result->notices.left_out);
    return tree_write(&tree, out, "the JSON result", err);
}
