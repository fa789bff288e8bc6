/* SPDX-License-Identifier: MIT
 * A batch as JSON, as docs/batch-schema.json describes it. Its runs can be read back: see batch_resume.c. */
#include "config.h"

#include "commands/batch/batch.h"

#include "io/json_tree.h"
#include "result/record_json.h"

#include <math.h>

/* A spread with both deviations: Fink's is numpy's, of the population. */
static void add_spread(struct tree_node parent, const char *key, const struct spread *spread)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "mean", spread->mean);
    tree_number(node, "deviation", spread->count > 1 ? spread->deviation : NAN);
    tree_number(node, "deviation_population", batch_population_deviation(spread));
    tree_number(node, "min", spread->min);
    tree_number(node, "max", spread->max);
    tree_integer(node, "count", spread->count);
}

static void add_emission(struct tree_node parent, const char *key, const struct emission *emission)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "it_kwh", emission->footprint.it_kwh);
    tree_number(node, "facility_kwh", emission->footprint.facility_kwh);
    tree_number(node, "kgco2eq", emission->footprint.kgco2eq);
    tree_number(node, "kgco2eq_per_h", emission->kgco2eq_per_h);
    tree_number(node, "kgco2eq_per_year", emission->kgco2eq_per_year);
    tree_number(node, "facility_kwh_per_h", emission->facility_kwh_per_h);
    tree_number(node, "facility_kwh_per_year", emission->facility_kwh_per_year);
}

static void add_run(struct tree_node runs, const struct batch_run *run)
{
    const struct tree_node node = tree_object(runs, NULL);

    tree_integer(node, "loop", run->loop);
    tree_text_or_null(node, "started_at", run->started_at);
    tree_number(node, "duration_s", run->figures.duration_s);
    tree_number(node, "gross_j", run->figures.gross_j);
    tree_number(node, "idle_j", run->figures.idle_j);
    tree_number(node, "net_j", run->figures.net_j);
    tree_number(node, "own_j", run->figures.own_j);
    tree_text(node, "own_method", own_method_name(run->own_method));
    tree_number(node, "gpu_own_j", run->gpu_own_j);
    tree_natural(node, "exit_status", run->ended ? run->exit_status : -1);
    tree_bool(node, "cut_short", run->cut_short);
    tree_bool(node, "counted", batch_run_is_counted(run));
}

static void add_cpus(struct tree_node node, const struct batch_module *module)
{
    tree_text_or_null(node, "cpus", module->cpus);
    tree_positive(node, "pinned_cpus", module->pinned_cpus);
}

static void add_module(struct tree_node modules, const struct batch_module *module)
{
    const struct tree_node node = tree_object(modules, NULL);
    struct tree_node runs;

    tree_text(node, "name", module->name);
    tree_text(node, "command", module->command);
    add_cpus(node, module);
    tree_number(node, "items", module->items);
    runs = tree_array(node, "runs");
    for (size_t i = 0; i < module->run_count; i++)
        add_run(runs, &module->runs[i]);
    tree_integer(node, "counted", module->counted);
    tree_integer(node, "failed", module->failed);
    json_problem(node, &module->problem);
    tree_text(node, "quality", quality_name(module->quality));
    tree_bool(node, "constant", module->constant);
    add_spread(node, "duration_s", &module->duration_s);
    add_spread(node, "gross_j", &module->gross_j);
    add_spread(node, "idle_j", &module->idle_j);
    add_spread(node, "net_j", &module->net_j);
    json_interval(node, "net_interval_j", &module->verdict.net_j_interval);
    add_spread(node, "own_j", &module->own_j);
    json_interval(node, "own_interval_j", &module->own_interval_j);
    tree_text(node, "own_method", own_method_name(module->own_method));
    tree_text(node, "verdict", verdict_name(module->verdict.verdict));
    tree_number(node, "detectable_j", module->verdict.detectable_j);
    tree_positive(node, "runs_needed", module->verdict.runs_needed);
    tree_number(node, "gross_w", module->gross_w);
    tree_number(node, "idle_w", module->idle_w);
    tree_number(node, "net_w", module->net_w);
    tree_number(node, "own_w", module->own_w);
    add_emission(node, "gross", &module->gross);
    add_emission(node, "idle", &module->idle);
    add_emission(node, "net", &module->net);
    add_emission(node, "own", &module->own);
    add_spread(node, "items_per_s", &module->items_per_s);
    tree_number(node, "items_per_s_per_cpu",
                module->pinned_cpus ? module->items_per_s.mean / (double)module->pinned_cpus : NAN);
    json_notices(node, &module->notices);
}

static void add_plan(struct tree_node root, const struct batch *batch)
{
    const struct tree_node sources = tree_array(root, "sources"), breaks = tree_array(root, "resumed");

    for (size_t i = 0; i < batch->source_count; i++)
        tree_text(sources, NULL, batch->sources[i]);
    tree_integer(root, "loops", batch->loops);
    tree_integer(root, "warmups", batch->warmups);
    tree_number(root, "baseline_s", batch->baseline_s);
    tree_text(root, "order", order_name(batch->order));
    if (batch->order == ORDER_SHUFFLED)
        tree_integer(root, "seed", batch->seed);
    else
        tree_null(root, "seed");
    for (size_t i = 0; i < batch->break_count; i++) {
        const struct tree_node node = tree_object(breaks, NULL);
        tree_text_or_null(node, "interrupted_at", batch->breaks[i].interrupted_at);
        tree_text_or_null(node, "resumed_at", batch->breaks[i].resumed_at);
        tree_integer(node, "runs_before", batch->breaks[i].runs_before);
    }
}

bool batch_json(const struct batch *batch, FILE *out, struct error *err)
{
    const struct report *session = batch->session;
    struct tree tree;
    struct tree_node root, modules;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "schema", BATCH_SCHEMA);
    tree_text(root, "id", session->id);
    tree_text(root, "carbon_version", PACKAGE_VERSION);
    tree_text_or_null(root, "started_at", batch->started_at);
    tree_text_or_null(root, "ended_at", batch->ended_at);
    tree_bool(root, "complete", batch->complete);
    tree_bool(root, "interrupted", batch->interrupted);
    tree_bool(root, "recorded_tree", session->recorded_tree);
    json_machine(root, session->machine);
    tree_text(root, "scope", scope_name(session->scope));
    add_plan(root, batch);
    json_value(root, "pue", session->pue, session->pue_quality);
    json_factor(root, "factor", &session->factor);
    json_value(root, "hours_per_year", session->hours_per_year, session->hours_quality);
    modules = tree_array(root, "modules");
    for (size_t i = 0; i < batch->module_count; i++)
        add_module(modules, &batch->modules[i]);
    json_notices(root, &batch->notices);
    return tree_write(&tree, out, "the JSON result", err);
}
