/* SPDX-License-Identifier: MIT
 * An estimate for machines, JSON and CSV: every field of it, and what it means; numbers exact, unknown null or empty.
 */
#include "result/estimate/estimate.h"

#include "base/units.h"
#include "form/columns.h"
#include "result/carbon_fields.h"
#include "result/session_fields.h"

#include <math.h>

static const char *const origins[] = { "power", "energy", "cpu", "instance", "gpu", NULL };

static bool has_cpu(const void *estimate)
{
    return *((const struct estimate *)estimate)->cpu.how;
}

static bool has_memory(const void *estimate)
{
    return has_cpu(estimate) && !isnan(((const struct estimate *)estimate)->memory_gb);
}

static bool has_wall(const void *estimate)
{
    return has_cpu(estimate) && !isnan(((const struct estimate *)estimate)->wall.w);
}

static bool has_gpu(const void *estimate)
{
    return ((const struct estimate *)estimate)->gpu_typed;
}

static bool has_equivalents(const void *estimate)
{
    return ((const struct estimate *)estimate)->equivalents.count > 0;
}

static const char *cpu_name(const void *of)
{
    const struct estimate *estimate = of;

    return !has_cpu(of) ? NULL : *estimate->cpu.model ? estimate->cpu.model : estimate->typed;
}

#define OF struct estimate_power
static const struct fields power_fields = FIELDS({
    FIELD_NUMBER_AS("power_w", w, "its mean power, in watts"),
    FIELD_NUMBER(low_w, "the least that it may truly be, in watts"),
    FIELD_NUMBER(high_w, "and the most"),
});
#undef OF

static bool has_job(const void *estimate)
{
    return ((const struct estimate *)estimate)->job.known;
}

#define OF struct estimate_slice_view
const struct fields estimate_slice_fields = FIELDS({
    FIELD_TIME_AS("started_at", started_ns, "its begin, UTC"),
    FIELD_NUMBER(duration_s, "how long it is, in seconds"),
    FIELD_NUMBER(energy_j, "energy used in it, in joules"),
});
#undef OF

void estimate_slices(struct tree_node array, const void *of)
{
    const struct estimate_job *job = of;

    for (size_t i = 0; i < job->slice_count; i++) {
        const struct estimate_slice *slice = &job->slices[i];
        const struct estimate_slice_view view = { (uint64_t)(slice->from_s * NS_PER_S), slice->to_s - slice->from_s,
                                                  slice->energy_j };
        fields_json(tree_object(array, NULL), &estimate_slice_fields, &view);
    }
}

#define OF struct estimate_job
static const struct fields estimate_job_fields = FIELDS({
    FIELD_CONSTANT("scheduler", "slurm", "whose job it is"),
    FIELD_INT64(id, "its number; null: not known", .flags = FIELD_NULL_NEGATIVE),
    FIELD_NAME(cluster, "that it ran on", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(node_list, "the nodes that it had, as Slurm writes them", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(nodes, "how many these are"),
    FIELD_BOOL(whole_nodes, "the energy is all that they used, not the job's part of it"),
    FIELD_EACH("slices", estimate_slices, &estimate_slice_fields,
               "when it was used, where that is known better than even over the job's hours"),
});
#undef OF

#define OF struct estimate
/* The powers of one part and how they were worked out. */
#define POWER(member)                                                                                                  \
    FIELD_PART(struct estimate_power, member, &power_fields, 0), FIELD_CONSTANT("quality", "modelled", "of these")
#define HOW(member) FIELD_TEXT_AS("how", member, "basis of the calculation", .flags = FIELD_NULL_EMPTY)
static const struct fields cpu_fields = FIELDS({
    FIELD_NAME_AS("asked", typed, "the value given", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT_AS("model", cpu.model, "as its vendor writes it; null: the tables do not know it",
                  .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT_AS("microarchitecture", cpu.microarchitecture, "null: not known", .flags = FIELD_NULL_EMPTY),
    FIELD_CONSTANT("boundary", "package", "meaning of its power"),
    FIELD_TEXT_AS("curve", cpu.id, "by which its power follows its load", .flags = FIELD_NULL_EMPTY),
    FIELD_INT_AS("cores_of_package", cpu.cores, "null: not known", .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE),
    FIELD_INT_AS("threads_of_package", cpu.threads, "null: not known", .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE),
    FIELD_NUMBER(threads, "number of its hardware threads; null: a whole package"),
    FIELD_NUMBER(load, "how busy it is, 0 to 1"),
    POWER(package),
    HOW(cpu.how),
});

static const struct fields memory_fields = FIELDS({
    FIELD_NUMBER_AS("gb", memory_gb, "its size, in GB"),
    POWER(memory_power),
    HOW(memory.how),
});

static const struct field wall_list[] = { POWER(wall), HOW(wall_how) };
static const struct fields wall_fields = FIELDS_OF(NULL, NULL, struct estimate, wall_list);

static const struct fields gpu_fields = FIELDS({
    FIELD_NAME_AS("asked", gpu_typed, "the value given", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT_AS("model", gpu.model, "as the table has it", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER_AS("count", gpus, "their number"),
    FIELD_NUMBER_AS("load", gpu_load, "how busy their processors are, 0 to 1"),
    POWER(gpu_power),
    HOW(gpu.how),
});

static const struct fields pue_fields = FIELDS({ PUE_VALUE, PUE_SOURCE });

static const struct fields hours_fields = FIELDS({
    FIELD_NUMBER_AS("value", hours_per_year, "hours of this in a year, in h"),
    FIELD_QUALITY_AS("quality", hours_per_year_quality, "given or default"),
});

static const struct fields emissions_fields = FIELDS({
    FIELD_PART(struct footprint, footprint, &footprint_fields, 0),
    FIELD_NUMBER(kgco2eq_low, "of energy_low_j; null: the energy was given"),
    FIELD_NUMBER(kgco2eq_high, "of energy_high_j, likewise"),
    FIELD_NUMBER(kgco2eq_per_h, "of power_w, in kgCO2eq per hour; null: an energy was given without its time"),
    FIELD_NUMBER(kgco2eq_per_year, "kgco2eq_per_h times hours_per_year"),
    FIELD_NUMBER(facility_kwh_per_h, "energy per hour at power_w with the PUE, in kWh; null as kgco2eq_per_h"),
    FIELD_NUMBER(facility_kwh_per_year, "facility_kwh_per_h times hours_per_year"),
    FIELD_NUMBER_AS("market_kgco2eq", market.kgco2eq, "by market_factor in place of factor; null: there is none"),
    FIELD_NUMBER_AS("market_location_kgco2eq", market_location.kgco2eq,
                    "by market_location_factor: the location-based figure comparable with market_kgco2eq"),
    FIELD_NUMBER(td_losses_kgco2eq, "emissions of grid losses, in none of the others; null: no table has them"),
    FIELD_NUMBER(upstream_kgco2eq, "of the supply of the fuel, likewise"),
    FIELD_NUMBER(water_l, "litres, by wue; null: none was given"),
});

const struct fields estimate_fields = FIELDS({
    FIELD_CONSTANT("schema", ESTIMATE_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_TIME_AS("created_at", created_realtime_ns, "time of the calculation, UTC"),
    FIELD_TEXT(id, "random UUID of one that is kept in the ledger; null: it is not", .flags = FIELD_NULL_EMPTY),
    FIELD_TIME_AS("started_at", started_realtime_ns, "when what is estimated began, of one that is kept; else null"),
    FIELD_NAME(label, "label given by the user", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(project, "project given by the user", .flags = FIELD_NULL_EMPTY),
    FIELD_OBJECT(struct estimate_job, job, &estimate_job_fields, "the job of Slurm that it is of; null: of none",
                 .known = has_job),
    FIELD_ONE_OF(from, origins, "option that sets the subject of the estimate"),
    FIELD_GROUP("cpu", &cpu_fields, "the processor; null: not requested", .known = has_cpu),
    FIELD_GROUP("memory", &memory_fields, "memory, added to it; null: excluded", .known = has_memory),
    FIELD_GROUP("wall", &wall_fields,
                "the whole machine at its plug, never added; null: unknown, or a share of a machine was requested",
                .known = has_wall),
    FIELD_GROUP("gpu", &gpu_fields, "graphics cards; null: not requested", .known = has_gpu),
    FIELD_NUMBER_AS("power_w", power.w, "mean power of all of it, in watts; null: an energy was given"),
    FIELD_NUMBER(hours, "for how long, in h"),
    FIELD_NUMBER(energy_j, "resulting energy, in joules"),
    FIELD_NUMBER_AS("energy_low_j", low_j, "the least that it may truly be; null: it was given"),
    FIELD_NUMBER_AS("energy_high_j", high_j, "and the most"),
    FIELD_QUALITY_AS("quality", energy_quality, "of power and energy: given or modelled"),
    FIELD_GROUP("pue", &pue_fields, "power usage effectiveness"),
    FIELD_OBJECT(struct factor, factor, &factor_fields, "emission factor and its source"),
    FIELD_PART(struct supplementary, supplementary, &supplementary_fields, 0),
    FIELD_GROUP("hours_per_year", &hours_fields, "the declared duty"),
    FIELD_GROUP("emissions", &emissions_fields, "kWh, kgCO2eq and rates"),
    FIELD_OBJECT(struct sci, sci, &sci_fields,
                 "Software Carbon Intensity (ISO/IEC 21031): (operational + embodied) / units; null: no functional "
                 "unit was declared",
                 FIELD_WHERE(sci.enabled)),
    FIELD_ARRAY_AS("equivalents", struct equivalent, equivalents.items, equivalents.count, &equivalent_fields,
                   "equivalents of the same emissions, each by its own rough figure; null: not requested",
                   .known = has_equivalents),
    FIELD_NOTICES,
});

static const struct fields row_fields = FIELDS({
    FIELD_SAID("cpu_model", cpu_name, NULL, "the processor's model, or the name given"),
});
#undef OF

enum { ESTIMATE, ROW };
static const struct fields *const row_of[] = { &estimate_fields, &row_fields };

static const struct column columns[] = {
    COLUMNS(ESTIMATE, schema, created_at, from, quality),
    COLUMN(cpu_model, ROW),
    { "cpu_load", "cpu.load", ESTIMATE },
    { "cpu_threads", "cpu.threads", ESTIMATE },
    { "memory_gb", "memory.gb", ESTIMATE },
    COLUMNS(ESTIMATE, power_w, hours, energy_j, energy_low_j, energy_high_j),
    { "it_kwh", "emissions.it_kwh", ESTIMATE },
    { "pue", "pue.value", ESTIMATE },
    { "facility_kwh", "emissions.facility_kwh", ESTIMATE },
    { "factor_kgco2eq_per_kwh", "factor.kgco2eq_per_kwh", ESTIMATE },
    { "kgco2eq", "emissions.kgco2eq", ESTIMATE },
    { "kgco2eq_low", "emissions.kgco2eq_low", ESTIMATE },
    { "kgco2eq_high", "emissions.kgco2eq_high", ESTIMATE },
    { "kgco2eq_per_h", "emissions.kgco2eq_per_h", ESTIMATE },
    { "hours_per_year", "hours_per_year.value", ESTIMATE },
    { "kgco2eq_per_year", "emissions.kgco2eq_per_year", ESTIMATE },
    { "sci_kgco2eq_per_unit", "sci.kgco2eq_per_unit", ESTIMATE },
    { "sci_units", "sci.units", ESTIMATE },
    { "sci_embodied_kgco2eq", "sci.embodied_kgco2eq", ESTIMATE },
    { "pue_quality", "pue.quality", ESTIMATE },
    { "factor_quality", "factor.quality", ESTIMATE },
    { "hours_per_year_quality", "hours_per_year.quality", ESTIMATE },
    { "zone", "factor.zone", ESTIMATE },
    { "year", "factor.year", ESTIMATE },
    { "basis", "factor.basis", ESTIMATE },
    { "source_id", "factor.source_id", ESTIMATE },
    { "pue_source", "pue.source", ESTIMATE },
    { "market_kgco2eq_per_kwh", "market_factor.kgco2eq_per_kwh", ESTIMATE },
    { "market_source_id", "market_factor.source_id", ESTIMATE },
    { "market_kgco2eq", "emissions.market_kgco2eq", ESTIMATE },
    { "td_losses_kgco2eq", "emissions.td_losses_kgco2eq", ESTIMATE },
    { "upstream_kgco2eq", "emissions.upstream_kgco2eq", ESTIMATE },
    { "wue_l_per_kwh", "wue.l_per_kwh", ESTIMATE },
    { "water_l", "emissions.water_l", ESTIMATE },
    { "market_location_kgco2eq_per_kwh", "market_location_factor.kgco2eq_per_kwh", ESTIMATE },
    { "market_location_kgco2eq", "emissions.market_location_kgco2eq", ESTIMATE },
    { "facility_kwh_per_h", "emissions.facility_kwh_per_h", ESTIMATE },
    { "facility_kwh_per_year", "emissions.facility_kwh_per_year", ESTIMATE },
};
static const struct table estimate_columns = TABLE_OF(columns, row_of);

const struct schema estimate_schema = { "estimate", ESTIMATE_SCHEMA,
                                        "Output of carbon estimate, also saved in the ledger: an energy that was "
                                        "stated or modelled, not measured, and its emissions.",
                                        &estimate_fields, &estimate_columns };

bool estimate_json(const struct estimate *estimate, FILE *out, struct error *err)
{
    return document_json(&estimate_schema, estimate, out, "the estimate as JSON", err);
}

bool estimate_csv(const struct estimate *estimate, FILE *out, struct error *err)
{
    (void)err;
    table_head(&estimate_columns, out);
    table_row(&estimate_columns, (const void *const[]){ estimate, estimate }, out);
    return true;
}
