/* SPDX-License-Identifier: MIT
 * A pipeline as JSON, as docs/pipeline-schema.json describes it. */
#include "config.h"

#include "commands/pipeline/pipeline_report.h"

#include "io/json_tree.h"
#include "result/record_json.h"

#include <math.h>

static void add_figures(struct tree_node parent, const char *key, const struct step_figures *figures)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "average", figures->average);
    tree_number(node, "maximum", figures->maximum);
}

static void add_request(struct tree_node parent, const char *key, const struct request *request)
{
    const struct tree_node node = tree_object(parent, key);

    tree_positive(node, "cpu", request->cpu);
    tree_positive(node, "memory_mb", request->memory_mb);
}

static void add_footprint(struct tree_node parent, const char *key, const struct footprint *footprint)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "it_kwh", footprint->it_kwh);
    tree_number(node, "facility_kwh", footprint->facility_kwh);
    tree_number(node, "kgco2eq", footprint->kgco2eq);
}

static void add_run(struct tree_node runs, const struct pipeline_run *run)
{
    const struct tree_node node = tree_object(runs, NULL);

    tree_integer(node, "round", run->round);
    tree_text_or_null(node, "started_at", run->started_at);
    tree_natural(node, "exit_status", run->ended ? run->exit_status : -1);
    tree_bool(node, "timed_out", run->timed_out);
    tree_bool(node, "cut_short", run->cut_short);
    tree_bool(node, "short", run->is_short);
    tree_number(node, "duration_s", run->duration_s);
    tree_number(node, "cpu_s", run->cpu_s);
    add_figures(node, "cpu_percent_of_core", &run->cpu_percent);
    add_figures(node, "memory_mb", &run->memory_mb);
    tree_number(node, "cpu_stall_s", run->cpu_stall_s);
    tree_number(node, "memory_peak_mb", run->peak_mb);
    tree_text_or_null(node, "memory_peak_from", run->peak_from);
    tree_number(node, "read_bytes", run->read_bytes);
    tree_number(node, "written_bytes", run->written_bytes);
    tree_number(node, "gross_j", run->gross_j);
    tree_number(node, "idle_j", run->idle_j);
    tree_number(node, "net_j", run->net_j);
    tree_number(node, "own_j", run->own_j);
    tree_text(node, "own_method", own_method_name(run->own_method));
    tree_number(node, "gpu_own_j", run->gpu_own_j);
}

static void add_step(struct tree_node steps, const struct pipeline_step_report *step)
{
    const struct tree_node node = tree_object(steps, NULL);
    struct tree_node list;

    tree_text(node, "name", step->name);
    tree_text(node, "runner", step->runner);
    tree_text_or_null(node, "image", step->image);
    list = tree_array(node, "command");
    for (char *const *word = step->command; word && *word; word++)
        tree_text(list, NULL, *word);
    tree_bool(node, "may_fail", step->may_fail);
    tree_bool(node, "failed", step->failed);
    list = tree_array(node, "runs");
    for (size_t i = 0; i < step->run_count; i++)
        add_run(list, &step->runs[i]);
    json_problem(node, &step->problem);
    tree_text(node, "quality", quality_name(step->quality));
    json_spread(node, "duration_s", &step->duration_s);
    json_spread(node, "cpu_s", &step->cpu_s);
    add_figures(node, "cpu_percent_of_core", &step->cpu_percent);
    add_figures(node, "memory_mb", &step->memory_mb);
    tree_number(node, "memory_peak_mb", step->peak_mb);
    add_request(node, "requests_given", &step->given);
    add_request(node, "requests", &step->request);
    if (isfinite(step->wanted_cpu_percent))
        tree_bool(node, "request_cpu_at_least", step->cpu_at_least);
    else
        tree_null(node, "request_cpu_at_least");
    json_spread(node, "gross_j", &step->gross_j);
    json_spread(node, "idle_j", &step->idle_j);
    json_spread(node, "net_j", &step->net_j);
    json_spread(node, "own_j", &step->own_j);
    tree_text(node, "own_method", own_method_name(step->own_method));
    json_spread(node, "gpu_own_j", &step->gpu_own_j);
    add_footprint(node, "gross", &step->gross);
    add_footprint(node, "net", &step->net);
    add_footprint(node, "own", &step->own);
    json_notices(node, &step->notices);
}

static void add_plan(struct tree_node root, const struct pipeline_report *report)
{
    tree_text(root, "name", report->name);
    tree_text(root, "file", report->file);
    tree_text_or_null(root, "started_at", report->started_at);
    tree_text_or_null(root, "ended_at", report->ended_at);
    tree_bool(root, "complete", report->complete);
    tree_bool(root, "interrupted", report->interrupted != 0);
    tree_text_or_null(root, "stopped_by", report->stopped_by ? report->steps[report->stopped_by - 1].name : NULL);
    tree_integer(root, "rounds", report->rounds);
    tree_number(root, "interval_s", report->interval_s);
    tree_number(root, "baseline_s", report->baseline_s);
    tree_number(root, "headroom_percent", report->headroom_percent);
}

bool pipeline_report_json(const struct pipeline_report *report, FILE *out, struct error *err)
{
    const struct report *session = report->session;
    struct tree tree;
    struct tree_node root, steps;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, PIPELINE_SCHEMA);
    tree_text(root, "id", session->id);
    add_plan(root, report);
    json_session(root, session);
    steps = tree_array(root, "steps");
    for (size_t i = 0; i < report->step_count; i++)
        add_step(steps, &report->steps[i]);
    tree_integer(root, "failed", report->failed);
    tree_integer(root, "not_run", report->not_run);
    tree_text(root, "quality", quality_name(report->quality));
    tree_number(root, "duration_s", report->duration_s);
    tree_number(root, "gross_j", report->gross_j);
    tree_number(root, "idle_j", report->idle_j);
    tree_number(root, "net_j", report->net_j);
    tree_number(root, "own_j", report->own_j);
    tree_text(root, "own_method", own_method_name(report->own_method));
    add_footprint(root, "gross", &report->gross);
    add_footprint(root, "net", &report->net);
    add_footprint(root, "own", &report->own);
    json_notices(root, &report->notices);
    return tree_write(&tree, out, "the JSON result", err);
}
