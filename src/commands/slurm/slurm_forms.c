/* SPDX-License-Identifier: MIT
 * Jobs of Slurm for machines: JSON ("carbon.slurm/1") and CSV, a row a job and a step; unknown null or empty. */
#include "commands/slurm/slurm_work.h"

#include "base/clock.h"
#include "base/csv.h"
#include "base/units.h"
#include "result/record_json.h"

#include <math.h>
#include <string.h>

static uint64_t ns_of(int64_t seconds)
{
    return seconds > 0 ? (uint64_t)seconds * NS_PER_S_INT : 0;
}

static void add_row(struct tree_node node, const struct sacct_row *row)
{
    tree_text(node, "id", row->id);
    tree_text_or_null(node, "raw_id", row->raw);
    tree_text_or_null(node, "name", row->name);
    tree_text_or_null(node, "state", row->state);
    tree_text_or_null(node, "exit_code", row->exit_code);
    json_time(node, "started_at", ns_of(row->start_s));
    json_time(node, "ended_at", ns_of(row->end_s));
    tree_number(node, "elapsed_s", row->elapsed_s);
    tree_number(node, "nodes", row->nodes);
    tree_text_or_null(node, "node_list", row->node_list);
    tree_number(node, "cpus", row->cpus);
    tree_number(node, "cpu_s", row->cpu_s);
    tree_number(node, "memory_peak_bytes", row->memory_peak_bytes);
    tree_number(node, "slurm_energy_j", slurm_row_energy(row));
}

static void add_model(struct tree_node node, const struct slurm_result *result)
{
    const struct estimate *estimate = &result->estimate;
    struct tree_node model;

    if (estimate->energy_quality != QUALITY_MODELLED) {
        tree_null(node, "model");
        return;
    }
    model = tree_object(node, "model");
    tree_text_or_null(model, "cpu", estimate->cpu.model[0] ? estimate->cpu.model : estimate->typed);
    tree_text(model, "cpu_how", estimate->cpu.how);
    tree_number(model, "cpu_w", estimate->package.w);
    tree_number(model, "load", result->load);
    tree_number(model, "memory_w", isnan(result->memory_gb) ? NAN : estimate->memory_power.w);
    tree_text_or_null(model, "memory_how", isnan(result->memory_gb) ? "" : estimate->memory.how);
    tree_number(model, "gpu_j", result->gpu_j);
}

static void add_result(struct tree_node jobs, const struct slurm_result *result)
{
    const struct tree_node node = tree_object(jobs, NULL);
    const struct estimate *estimate = &result->estimate;
    struct tree_node list;

    add_row(node, result->row);
    tree_text_or_null(node, "partition", result->row->partition);
    tree_text_or_null(node, "account", result->row->account);
    tree_text_or_null(node, "cluster", result->row->cluster);
    tree_bool(node, "running", result->running);
    tree_bool(node, "requeued", result->requeued);
    tree_number(node, "gpus", result->gpus);
    tree_number(node, "memory_gb", result->memory_gb);
    tree_number(node, "energy_j", estimate->energy_j);
    tree_number(node, "energy_low_j", estimate->low_j);
    tree_number(node, "energy_high_j", estimate->high_j);
    tree_text(node, "quality", quality_name(estimate->energy_quality));
    tree_text_or_null(node, "energy_from", result->measured.from);
    tree_number(node, "node_share", result->share);
    tree_bool(node, "doubted", result->doubted);
    add_model(node, result);
    json_pue(node, estimate->pue, estimate->pue_quality, &estimate->supplementary);
    json_factor(node, "factor", &estimate->factor);
    tree_number(node, "it_kwh", estimate->footprint.it_kwh);
    tree_number(node, "facility_kwh", estimate->footprint.facility_kwh);
    tree_number(node, "kgco2eq", estimate->footprint.kgco2eq);
    tree_number(node, "kgco2eq_low", estimate->low_kgco2eq);
    tree_number(node, "kgco2eq_high", estimate->high_kgco2eq);
    list = tree_array(node, "steps");
    for (size_t i = 0; i < result->step_count; i++)
        add_row(tree_object(list, NULL), &result->steps[i]);
}

bool slurm_json(const struct slurm_work *work, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root, jobs;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, SLURM_SCHEMA);
    tree_number(root, "energy_j", work->energy_j);
    tree_number(root, "energy_low_j", work->low_j);
    tree_number(root, "energy_high_j", work->high_j);
    tree_text(root, "quality", quality_name(work->quality));
    tree_integer(root, "unknown", work->unknown);
    tree_number(root, "facility_kwh", work->facility_kwh);
    tree_number(root, "kgco2eq", work->kgco2eq);
    jobs = tree_array(root, "jobs");
    for (size_t i = 0; i < work->count; i++)
        add_result(jobs, &work->results[i]);
    json_notices(root, &work->notices);
    return tree_write(&tree, out, "the jobs as JSON", err);
}

/* A step has no part of the job's energy: what it says is of the same nodes. */
static void write_row(FILE *out, const struct sacct_row *row, const struct slurm_result *of)
{
    char time[CLOCK_TEXT_SIZE];
    const double figures[] = { row->elapsed_s,         row->nodes,           row->cpus, row->cpu_s,
                               row->memory_peak_bytes, slurm_row_energy(row) };

    fputs(SLURM_SCHEMA, out);
    csv_add_field(out, row->id);
    csv_add_field(out, row->name);
    csv_add_field(out, row->state);
    csv_add_field(out, row->start_s > 0 ? clock_text(ns_of(row->start_s), time) : "");
    csv_add_field(out, row->end_s > 0 ? clock_text(ns_of(row->end_s), time) : "");
    csv_add_field(out, row->node_list);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        csv_add_number(out, figures[i]);
    csv_add_number(out, of ? of->estimate.energy_j : NAN);
    csv_add_number(out, of ? of->estimate.low_j : NAN);
    csv_add_number(out, of ? of->estimate.high_j : NAN);
    csv_add_field(out, of ? quality_name(of->estimate.energy_quality) : "");
    csv_add_number(out, of ? of->estimate.footprint.facility_kwh : NAN);
    csv_add_number(out, of ? of->estimate.footprint.kgco2eq : NAN);
    csv_add_field(out, of ? of->estimate.factor.zone : "");
    fputc('\n', out);
}

bool slurm_csv(const struct slurm_work *work, FILE *out, struct error *err)
{
    (void)err;
    fputs("schema,id,name,state,started_at,ended_at,node_list,elapsed_s,nodes,cpus,cpu_s,memory_peak_bytes,slurm_"
          "energy_j,"
          "energy_j,energy_low_j,energy_high_j,quality,facility_kwh,kgco2eq,zone\n",
          out);
    for (size_t i = 0; i < work->count; i++) {
        write_row(out, work->results[i].row, &work->results[i]);
        for (size_t j = 0; j < work->results[i].step_count; j++)
            write_row(out, &work->results[i].steps[j], NULL);
    }
    return true;
}
