/* SPDX-License-Identifier: MIT
 * Jobs of Slurm as JSON and CSV: every field of them, and what it means. CSV has a row a job and a step. */
#include "commands/slurm/slurm_work.h"

#include "base/units.h"
#include "form/columns.h"
#include "result/session_fields.h"

#include <math.h>

/* A row of the accounting, and a job, with their times as a document has them. */
struct row_view {
    const struct sacct_row *row;
    uint64_t start_ns, end_ns;
};

struct job_view {
    struct row_view row;
    const struct slurm_result *result;
};

static const char *const whose[] = { "extern", "batch", "steps", "job", "step", NULL };

static double row_energy(const void *row)
{
    return slurm_row_energy(row);
}

static bool is_modelled(const void *result)
{
    return ((const struct slurm_result *)result)->estimate.energy_quality == QUALITY_MODELLED;
}

static bool has_memory(const void *result)
{
    return !isnan(((const struct slurm_result *)result)->memory_gb);
}

static const char *cpu_model(const void *result)
{
    const struct estimate *estimate = &((const struct slurm_result *)result)->estimate;

    return estimate->cpu.model[0] ? estimate->cpu.model : estimate->typed;
}

#define OF struct sacct_row
static const struct fields whose_fields = FIELDS({
    FIELD_NAME(id, "its number, of a step with that behind a dot", .flags = FIELD_FULL),
    FIELD_NAME_AS("raw_id", raw, "its number where that is part of an array", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(name, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(state, "its state, in Slurm's words", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(exit_code, "status and signal, as Slurm has them", .flags = FIELD_NULL_EMPTY),
});

static const struct fields used_fields = FIELDS({
    FIELD_NUMBER(elapsed_s, "how long it ran", .flags = FIELD_FROM_0),
    FIELD_NUMBER(nodes, "that it was given", .flags = FIELD_FROM_0),
    FIELD_NAME(node_list, "their names", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(cpus, "that it was given", .flags = FIELD_FROM_0),
    FIELD_NUMBER(cpu_s, "CPU time that it has used; 0 while it goes on", .flags = FIELD_FROM_0),
    FIELD_NUMBER(memory_peak_bytes, "the most that one of its tasks had in memory", .flags = FIELD_FROM_0),
    FIELD_FIGURE("slurm_energy_j", row_energy, "measured by Slurm, of whole nodes; invalid energies are null",
                 .flags = FIELD_FROM_0),
});

static const struct fields contribution_fields = FIELDS({
    FIELD_NAME(partition, "that it ran in", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(account, "that it is charged to", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(cluster, "that it ran on", .flags = FIELD_NULL_EMPTY),
});
#undef OF
#define ROW(fields) FIELD_PART(const struct sacct_row *, row, fields, FIELD_BEHIND)

#define OF struct row_view
static const struct fields row_fields = FIELDS_NAMED("row", "a job or a step, as Slurm has it")({
    ROW(&whose_fields),
    FIELD_TIME_AS("started_at", start_ns, "when it began, UTC; null: it has not"),
    FIELD_TIME_AS("ended_at", end_ns, "when it ended, UTC"),
    ROW(&used_fields),
});
#undef OF

static struct row_view row_view_of(const struct sacct_row *row)
{
    return (struct row_view){
        row,
        row->start_s > 0 ? (uint64_t)row->start_s * NS_PER_S_INT : 0,
        row->end_s > 0 ? (uint64_t)row->end_s * NS_PER_S_INT : 0,
    };
}

static void add_steps(struct tree_node array, const void *of)
{
    const struct slurm_result *result = of;

    for (size_t i = 0; i < result->step_count; i++) {
        const struct row_view view = row_view_of(&result->steps[i]);
        fields_json(tree_object(array, NULL), &row_fields, &view);
    }
}

#define OF struct slurm_result
static const struct fields model_fields = FIELDS({
    FIELD_SAID("cpu", cpu_model, NULL, "model of its processor; null: unknown", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT_AS("cpu_how", estimate.cpu.how, "whose power that is"),
    FIELD_NUMBER_AS("cpu_w", estimate.package.w, "mean power of its CPUs"),
    FIELD_NUMBER(load, "how busy they were, 0 to 1; null: not known, and taken for 1"),
    FIELD_NUMBER_AS("memory_w", estimate.memory_power.w, "power of the memory that it was given", .known = has_memory),
    FIELD_TEXT_AS("memory_how", estimate.memory.how, "whose power that is", .flags = FIELD_NULL_EMPTY,
                  .known = has_memory),
    FIELD_NUMBER(gpu_j, "energy of its GPUs at the power that the user gave; null: not in it"),
});

static const struct fields pue_fields = FIELDS({
    FIELD_NUMBER_AS("value", estimate.pue, "facility energy over IT energy", .flags = FIELD_KNOWN | FIELD_FROM_1),
    FIELD_QUALITY_AS("quality", estimate.pue_quality, "given or default"),
    FIELD_TEXT_AS("source", estimate.supplementary.pue.source,
                  "provider or site, year and publisher (--pue-of); else null", .flags = FIELD_NULL_EMPTY),
});

static const struct fields result_fields = FIELDS({
    ROW(&contribution_fields),
    FIELD_BOOL(running, "it goes on: these are the figures so far"),
    FIELD_BOOL(requeued, "it was run again under the same number after that"),
    FIELD_NUMBER(gpus, "that it was given", .flags = FIELD_FROM_0),
    FIELD_NUMBER(memory_gb, "that it was given, in GiB", .flags = FIELD_FROM_0),
    FIELD_NUMBER_AS("energy_j", estimate.energy_j, "its energy, each joule once", .flags = FIELD_FROM_0),
    FIELD_NUMBER_AS("energy_low_j", estimate.low_j, "the least that a modelled one may be"),
    FIELD_NUMBER_AS("energy_high_j", estimate.high_j, "the most that a modelled one may be"),
    FIELD_QUALITY_AS("quality", estimate.energy_quality,
                     "measured by Slurm, attributed (a share of that by CPU time), modelled, given (0, of one that "
                     "never ran) or unknown"),
    FIELD_ONE_OF_AS("energy_from", measured.from, whose,
                    "origin of its measured energy: its extern step, its script, its other steps, its own row, or a "
                    "requested step; null: none",
                    .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER_AS("node_share", share,
                    "of its nodes' energy, by CPU time, where other jobs of the list had them at the same time; 1: "
                    "none had; null: not known, and all is in energy_j",
                    .flags = FIELD_FROM_0, .max = 1),
    FIELD_BOOL(doubted, "no nodes can have drawn what Slurm says, which is not in energy_j unless --doubted was given"),
    FIELD_GROUP("model", &model_fields, "basis of a modelled energy; null: not modelled", .known = is_modelled),
    FIELD_GROUP("pue", &pue_fields, "power usage effectiveness"),
    FIELD_OBJECT_AS("factor", struct factor, estimate.factor, &factor_fields, "emission factor"),
    FIELD_NUMBER_AS("it_kwh", estimate.footprint.it_kwh, "energy_j in kWh"),
    FIELD_NUMBER_AS("facility_kwh", estimate.footprint.facility_kwh, "with the PUE"),
    FIELD_NUMBER_AS("kgco2eq", estimate.footprint.kgco2eq, "its emissions"),
    FIELD_NUMBER_AS("kgco2eq_low", estimate.kgco2eq_low, "of energy_low_j"),
    FIELD_NUMBER_AS("kgco2eq_high", estimate.kgco2eq_high, "of energy_high_j"),
    FIELD_EACH("steps", add_steps, &row_fields, "its steps, as Slurm has them"),
});
#undef OF

#define OF struct job_view
static const struct fields job_view_fields = FIELDS({
    FIELD_PART(struct row_view, row, &row_fields, 0),
    FIELD_PART(const struct slurm_result *, result, &result_fields, FIELD_BEHIND),
});
#undef OF

static void add_jobs(struct tree_node array, const void *of)
{
    const struct slurm_work *work = of;

    for (size_t i = 0; i < work->count; i++) {
        const struct job_view view = { row_view_of(work->results[i].row), &work->results[i] };
        fields_json(tree_object(array, NULL), &job_view_fields, &view);
    }
}

#define OF struct slurm_work
static const struct fields work_fields = FIELDS({
    FIELD_CONSTANT("schema", SLURM_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_NUMBER(energy_j, "of all jobs whose energy is known"),
    FIELD_NUMBER_AS("energy_low_j", low_j, "the least that it may be"),
    FIELD_NUMBER_AS("energy_high_j", high_j, "the most that it may be"),
    FIELD_QUALITY(quality, "the worst of the jobs that were run"),
    FIELD_COUNT(unknown, "jobs whose energy is not known, and not in the sum"),
    FIELD_NUMBER(facility_kwh, "with the PUE"),
    FIELD_NUMBER(kgco2eq, "their emissions"),
    FIELD_EACH("jobs", add_jobs, &job_view_fields, "the jobs, or the requested step", .flags = FIELD_FULL),
    FIELD_NOTICES,
});
#undef OF

enum { WORK, ROW_OF, RESULT };
static const struct fields *const row_of[] = { &work_fields, &row_fields, &result_fields };
static const struct column columns[] = {
    COLUMN(schema, WORK),
    COLUMNS(ROW_OF, id, name, state, started_at, ended_at, node_list, elapsed_s, nodes),
    COLUMNS(ROW_OF, cpus, cpu_s, memory_peak_bytes, slurm_energy_j),
    COLUMNS(RESULT, energy_j, energy_low_j, energy_high_j, quality, facility_kwh, kgco2eq),
    { "zone", "factor.zone", RESULT },
};
static const struct table slurm_columns = TABLE_OF(columns, row_of);

const struct schema slurm_schema = { "slurm", SLURM_SCHEMA,
                                     "What jobs of Slurm have used and emit, from its accounting.", &work_fields,
                                     &slurm_columns };

bool slurm_json(const struct slurm_work *work, FILE *out, struct error *err)
{
    return document_json(&slurm_schema, work, out, "the jobs as JSON", err);
}

/* of: NULL for a step, which has no part of the job's energy: what it says is of the same nodes. */
static void write_row(const struct slurm_work *work, const struct sacct_row *row, const struct slurm_result *of,
                      FILE *out)
{
    const struct row_view view = row_view_of(row);

    table_row(&slurm_columns, (const void *const[]){ work, &view, of }, out);
}

bool slurm_csv(const struct slurm_work *work, FILE *out, struct error *err)
{
    (void)err;
    table_head(&slurm_columns, out);
    for (size_t i = 0; i < work->count; i++) {
        write_row(work, work->results[i].row, &work->results[i], out);
        for (size_t j = 0; j < work->results[i].step_count; j++)
            write_row(work, &work->results[i].steps[j], NULL, out);
    }
    return true;
}
