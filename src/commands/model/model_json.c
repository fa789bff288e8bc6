/* SPDX-License-Identifier: MIT
 * A model's runs with several numbers of inputs as JSON, as docs/model-schema.json describes it. */
#include "commands/model/model_report.h"

#include "io/json_tree.h"
#include "result/record_json.h"

#include <math.h>

static void add_emission(struct tree_node parent, const char *key, const struct emission *emission)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "it_kwh", emission->footprint.it_kwh);
    tree_number(node, "facility_kwh", emission->footprint.facility_kwh);
    tree_number(node, "kgco2eq", emission->footprint.kgco2eq);
}

static void add_figure(struct tree_node parent, const char *key, const struct usage_figure *figure)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "value", figure->value);
    tree_text_or_null(node, "from", isfinite(figure->value) ? figure->from : NULL);
}

static void add_figures(struct tree_node node, const struct model_row *row)
{
    const struct report *record = row->record;
    const struct domain_energy *total = &record->summary.total;

    json_spread(node, "duration_s", &record->summary.duration_s);
    add_figure(node, "cpu_s", &record->usage.cpu_s);
    add_figure(node, "cpu_percent_of_core", &record->usage.cpu_percent_of_core);
    add_figure(node, "cpu_percent_of_machine", &record->usage.cpu_percent_of_machine);
    add_figure(node, "memory_peak_bytes", &record->usage.memory_peak_bytes);
    json_spread(node, "gross_j", &total->gross_j);
    json_spread(node, "idle_j", &total->idle_j);
    json_spread(node, "net_j", &total->net_j);
    tree_number(node, "gross_j_per_input", model_row_per_input(row, total->gross_j.mean));
    tree_number(node, "net_j_per_input", model_row_per_input(row, total->net_j.mean));
    add_emission(node, "gross", &record->gross);
    add_emission(node, "net", &record->net);
    tree_text(node, "quality", quality_name(record->summary.quality));
}

static void add_row(struct tree_node sizes, const struct model_row *row)
{
    const struct tree_node node = tree_object(sizes, NULL);

    tree_integer(node, "inputs", row->inputs);
    tree_text(node, "state", model_state_name(row->state));
    tree_text_or_null(node, "record_id", row->record->measurement->run_count ? row->record->id : NULL);
    tree_integer(node, "runs", row->record->summary.runs);
    tree_int_or_null(node, "exit_status", row->record->exit_known ? row->record->exit_status : -1);
    if (model_row_has_figures(row))
        add_figures(tree_object(node, "figures"), row);
    else
        tree_null(node, "figures");
}

static void add_plan(struct tree_node root, const struct model_report *report)
{
    tree_text(root, "model", report->model);
    tree_text(root, "recipe", report->recipe);
    tree_text_or_null(root, "label", report->label);
    tree_text_or_null(root, "target", report->session->target);
    tree_text_or_null(root, "started_at", report->started_at);
    tree_text_or_null(root, "ended_at", report->ended_at);
    tree_bool(root, "complete", report->complete);
    tree_bool(root, "interrupted", report->interrupted != 0);
    tree_integer(root, "runs", report->runs);
    tree_number(root, "baseline_s", report->baseline_s);
    tree_number(root, "timeout_s", report->timeout_s);
}

bool model_report_json(const struct model_report *report, FILE *out, struct error *err)
{
    const struct report *session = report->session;
    struct tree tree;
    struct tree_node root, sizes;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, MODEL_SCHEMA);
    tree_text(root, "id", session->id);
    add_plan(root, report);
    json_session(root, session);
    sizes = tree_array(root, "sizes");
    for (size_t i = 0; i < report->row_count; i++)
        add_row(sizes, &report->rows[i]);
    json_notices(root, &report->notices);
    return tree_write(&tree, out, "the JSON result", err);
}
