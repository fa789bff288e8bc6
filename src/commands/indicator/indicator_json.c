/* SPDX-License-Identifier: MIT
 * The result of a performance indicator as docs/indicator-schema.json has it. The record of its runs is in it, so that
 * it can be the base of a later comparison. */
#include "commands/indicator/indicator_parts.h"

#include "base/auto.h"
#include "result/record_json.h"

#include <math.h>
#include <string.h>

/* What is kept of an output that is none. */
enum { TEXT_STORED = 1 << 16 };

static void add_problem(struct tree_node node, const struct fault *fault)
{
    struct tree_node problem;

    if (fault->kind == FAULT_NONE) {
        tree_null(node, "problem");
        return;
    }
    problem = tree_object(node, "problem");
    tree_text(problem, "name", fault_name(fault->kind));
    tree_nonzero_or_null(problem, "line", fault->line);
    tree_nonzero_or_null(problem, "column", fault->column);
    tree_text(problem, "what", fault->error.what);
    tree_text_or_null(problem, "why", fault->error.why);
    tree_text_or_null(problem, "fix", fault->error.fix);
}

static bool add_output(struct tree_node node, const struct indicator_report *report, size_t i, struct error *err)
{
    const struct indicator_run *run = &report->runs[i];
    const bool good = run->fault.kind == FAULT_NONE;
    AUTO_FREE char *output = good ? indicator_text(report, i, true, true, err) : NULL;
    AUTO_FREE char *text = good || !run->text ? NULL : strndup(run->text, TEXT_STORED);

    if (good && !output)
        return false;
    if (output)
        tree_json(node, "output", output);
    else
        tree_null(node, "output");
    tree_text_or_null(node, "text", text);
    add_problem(node, &run->fault);
    return true;
}

static bool add_run(struct tree_node runs, const struct indicator_report *report, size_t i, struct error *err)
{
    const struct tree_node node = tree_object(runs, NULL);
    const bool scored = report->options.score && report->runs[i].fault.kind == FAULT_NONE;

    tree_integer(node, "run", i + 1);
    if (!add_output(node, report, i, err))
        return false;
    tree_number(node, "overall_score", scored ? indicator_score(report, i) : NAN);
    indicator_add_run(node, report, i);
    return true;
}

static void add_summary(struct tree_node root, const struct report *report)
{
    const struct tree_node node = tree_object(root, "summary");
    const struct tree_node energy = tree_object(node, "@energy");
    const struct tree_node carbon = tree_object(node, "@carbon");
    const struct summary *summary = &report->summary;

    tree_integer(node, "runs", summary->runs);
    tree_text(energy, "energy_quality", quality_name(summary->quality));
    tree_text(energy, "energy_scope", scope_name(report->scope));
    json_spread(energy, "energy_duration_s", &summary->duration_s);
    json_spread(energy, "energy_gross_j", &summary->total.gross_j);
    json_spread(energy, "energy_idle_j", &summary->total.idle_j);
    json_spread(energy, "energy_net_j", &summary->total.net_j);
    json_interval(energy, "energy_net_interval_j", &summary->total.net_interval_j);
    json_spread(energy, "energy_own_j", &summary->total.own_j);
    json_interval(energy, "energy_own_interval_j", &summary->total.own_interval_j);
    tree_text(energy, "energy_own_method", own_method_name(summary->total.own_method));
    tree_text(energy, "energy_verdict", verdict_name(summary->verdict.verdict));
    tree_nonzero_or_null(energy, "energy_runs_needed", summary->verdict.runs_needed);
    tree_number(carbon, "carbon_gross_kgco2eq", report->gross.footprint.kgco2eq);
    tree_number(carbon, "carbon_net_kgco2eq", report->net.footprint.kgco2eq);
    tree_number(carbon, "carbon_own_kgco2eq", report->own.footprint.kgco2eq);
}

static void add_script(struct tree_node root, const struct indicator_report *report)
{
    const struct tree_node node = tree_object(root, "script");

    tree_text_or_null(node, "path", report->script);
    tree_text_or_null(node, "sha256", report->sha256);
}

bool indicator_json(const struct indicator_report *indicator, FILE *out, struct error *err)
{
    const struct report *report = indicator->report;
    struct tree_node root, runs;
    struct tree tree;
    bool good = true;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, INDICATOR_SCHEMA);
    tree_text(root, "id", report->id);
    json_time(root, "started_at", report->started_realtime_ns);
    json_time(root, "ended_at", report->ended_realtime_ns);
    tree_bool(root, "complete", report->complete);
    tree_bool(root, "interrupted", report->measurement->interrupted);
    json_session(root, report);
    add_script(root, indicator);
    runs = tree_array(root, "runs");
    for (size_t i = 0; good && i < indicator->run_count; i++)
        good = add_run(runs, indicator, i, err);
    add_summary(root, report);
    gate_json(root, "gate", indicator->gate);
    json_record(tree_object(root, "record"), report);
    if (good)
        return tree_write(&tree, out, "the JSON result", err);
    tree_close(&tree);
    return false;
}
