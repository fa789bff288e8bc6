/* SPDX-License-Identifier: MIT
 * An estimate for machines: JSON ("carbon.estimate/1") and CSV, numbers exact, unknown null or empty. */
#include <config.h> /* not the one beside this file */

#include "app/estimate.h"

#include "base/clock.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"
#include "ledger/contribution.h"
#include "result/record_json.h"

#include <math.h>

static void add_power(struct tree_node node, const struct estimate_power *power, const char *how)
{
    tree_number(node, "power_w", power->w);
    tree_number(node, "low_w", power->low_w);
    tree_number(node, "high_w", power->high_w);
    tree_text_or_null(node, "quality", quality_name(QUALITY_MODELLED));
    tree_text_or_null(node, "how", how);
}

static void add_parts(struct tree_node root, const struct estimate *estimate)
{
    const struct cpu_power *cpu = &estimate->cpu;
    struct tree_node node;

    if (!estimate->cpu.how[0]) {
        tree_null(root, "cpu");
        tree_null(root, "memory");
        tree_null(root, "wall");
        return;
    }
    node = tree_object(root, "cpu");
    tree_text_or_null(node, "asked", estimate->typed);
    tree_text_or_null(node, "model", cpu->model);
    tree_text_or_null(node, "microarchitecture", cpu->microarchitecture);
    tree_text_or_null(node, "boundary", "package");
    tree_text_or_null(node, "curve", cpu->id);
    tree_nonzero_or_null(node, "cores_of_package", (uint64_t)cpu->cores);
    tree_nonzero_or_null(node, "threads_of_package", (uint64_t)cpu->threads);
    tree_number(node, "threads", estimate->threads);
    tree_number(node, "load", estimate->load);
    add_power(node, &estimate->package, cpu->how);
    if (isnan(estimate->memory_gb)) {
        tree_null(root, "memory");
    } else {
        node = tree_object(root, "memory");
        tree_number(node, "gb", estimate->memory_gb);
        add_power(node, &estimate->memory_power, estimate->memory.how);
    }
    if (isnan(estimate->wall.w))
        tree_null(root, "wall");
    else
        add_power(tree_object(root, "wall"), &estimate->wall, estimate->wall_how);
}

static void add_emissions(struct tree_node root, const struct estimate *estimate)
{
    const struct tree_node node = tree_object(root, "emissions");

    tree_number(node, "it_kwh", estimate->footprint.it_kwh);
    tree_number(node, "facility_kwh", estimate->footprint.facility_kwh);
    tree_number(node, "kgco2eq", estimate->footprint.kgco2eq);
    tree_number(node, "kgco2eq_low", estimate->low_kgco2eq);
    tree_number(node, "kgco2eq_high", estimate->high_kgco2eq);
    tree_number(node, "kgco2eq_per_h", estimate->kgco2eq_per_h);
    tree_number(node, "kgco2eq_per_year", estimate->kgco2eq_per_year);
    tree_number(node, "facility_kwh_per_h", estimate->facility_kwh_per_h);
    tree_number(node, "facility_kwh_per_year", estimate->facility_kwh_per_year);
    tree_number(node, "market_kgco2eq", estimate->market.kgco2eq);
    tree_number(node, "market_location_kgco2eq", estimate->market_location.kgco2eq);
    tree_number(node, "td_losses_kgco2eq", estimate->td_losses_kgco2eq);
    tree_number(node, "upstream_kgco2eq", estimate->upstream_kgco2eq);
    tree_number(node, "water_l", estimate->water_l);
}

static void add_gpu(struct tree_node root, const struct estimate *estimate)
{
    struct tree_node node;

    if (!estimate->gpu_typed) {
        tree_null(root, "gpu");
        return;
    }
    node = tree_object(root, "gpu");
    tree_text_or_null(node, "asked", estimate->gpu_typed);
    tree_text_or_null(node, "model", estimate->gpu.model);
    tree_number(node, "count", estimate->gpus);
    tree_number(node, "load", estimate->gpu_load);
    add_power(node, &estimate->gpu_power, estimate->gpu.how);
}

static void add_job(struct tree_node root, const struct estimate_job *job)
{
    const struct tree_node node = job->known ? tree_object(root, "job") : root;
    struct tree_node list;

    if (!job->known) {
        tree_null(root, "job");
        return;
    }
    tree_text(node, "scheduler", "slurm");
    if (job->id >= 0)
        tree_integer(node, "id", (uint64_t)job->id);
    else
        tree_null(node, "id");
    tree_text_or_null(node, "cluster", job->cluster);
    tree_text_or_null(node, "node_list", job->node_list);
    tree_number(node, "nodes", job->nodes);
    tree_bool(node, "whole_nodes", job->whole_nodes);
    list = tree_array(node, "slices");
    for (size_t i = 0; i < job->slice_count; i++) {
        const struct estimate_slice *slice = &job->slices[i];
        const struct tree_node item = tree_object(list, NULL);
        json_time(item, "started_at", (uint64_t)(slice->from_s * NS_PER_S));
        tree_number(item, "duration_s", slice->to_s - slice->from_s);
        tree_number(item, "energy_j", slice->energy_j);
    }
}

bool estimate_json(const struct estimate *estimate, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root;
    char time[CLOCK_TEXT_SIZE];

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text_or_null(root, "schema", ESTIMATE_SCHEMA);
    tree_text_or_null(root, "carbon_version", PACKAGE_VERSION);
    tree_text_or_null(root, "created_at", clock_text(estimate->created_realtime_ns, time));
    tree_text_or_null(root, "id", estimate->id);
    json_time(root, "started_at", estimate->started_realtime_ns);
    tree_text_or_null(root, "label", estimate->label);
    tree_text_or_null(root, "project", estimate->project);
    add_job(root, &estimate->job);
    tree_text_or_null(root, "from", estimate->from);
    add_parts(root, estimate);
    add_gpu(root, estimate);
    tree_number(root, "power_w", estimate->power.w);
    tree_number(root, "hours", estimate->hours);
    tree_number(root, "energy_j", estimate->energy_j);
    tree_number(root, "energy_low_j", estimate->low_j);
    tree_number(root, "energy_high_j", estimate->high_j);
    tree_text_or_null(root, "quality", quality_name(estimate->energy_quality));
    json_pue(root, estimate->pue, estimate->pue_quality, &estimate->supplementary);
    json_factor(root, "factor", &estimate->factor);
    json_supplementary(root, &estimate->supplementary);
    json_value(root, "hours_per_year", estimate->hours_per_year, estimate->hours_per_year_quality);
    add_emissions(root, estimate);
    json_sci(root, &estimate->sci);
    json_equivalents(root, &estimate->equivalents);
    json_notices(root, &estimate->notices);
    return tree_write(&tree, out, "the estimate as JSON", err);
}

bool estimate_csv(const struct estimate *estimate, FILE *out, struct error *err)
{
    const double numbers[] = {
        estimate->power.w,
        estimate->hours,
        estimate->energy_j,
        estimate->low_j,
        estimate->high_j,
        estimate->footprint.it_kwh,
        estimate->pue,
        estimate->footprint.facility_kwh,
        estimate->factor.kgco2eq_per_kwh,
        estimate->footprint.kgco2eq,
        estimate->low_kgco2eq,
        estimate->high_kgco2eq,
        estimate->kgco2eq_per_h,
        estimate->hours_per_year,
        estimate->kgco2eq_per_year,
        estimate->sci.kgco2eq_per_unit,
        estimate->sci.units,
        estimate->sci.embodied_kgco2eq,
    };
    const double beside[] = {
        estimate->market.kgco2eq,
        estimate->td_losses_kgco2eq,
        estimate->upstream_kgco2eq,
        estimate->supplementary.wue.value,
        estimate->water_l,
        supplementary_market(&estimate->supplementary)->kgco2eq_per_kwh,
        estimate->market_location.kgco2eq,
        estimate->facility_kwh_per_h,
        estimate->facility_kwh_per_year,
    };
    char time[CLOCK_TEXT_SIZE];

    (void)err;
    fputs("schema,created_at,from,quality,cpu_model,cpu_load,cpu_threads,memory_gb,power_w,hours,energy_j,energy_low_j,"
          "energy_high_j,it_kwh,pue,facility_kwh,factor_kgco2eq_per_kwh,kgco2eq,kgco2eq_low,kgco2eq_high,kgco2eq_per_h,"
          "hours_per_year,kgco2eq_per_year,sci_kgco2eq_per_unit,sci_units,sci_embodied_kgco2eq,pue_quality,factor_"
          "quality,hours_per_year_quality,zone,year,basis,"
          "source_id,pue_source,market_kgco2eq_per_kwh,market_source_id,market_kgco2eq,td_losses_kgco2eq,"
          "upstream_kgco2eq,wue_l_per_kwh,water_l,market_location_kgco2eq_per_kwh,market_location_kgco2eq,"
          "facility_kwh_per_h,facility_kwh_per_year\n",
          out);
    fprintf(out, "%s,%s,%s,%s", ESTIMATE_SCHEMA, clock_text(estimate->created_realtime_ns, time), estimate->from,
            quality_name(estimate->energy_quality));
    csv_add_field(out, !estimate->cpu.how[0] ? "" : estimate->cpu.model[0] ? estimate->cpu.model : estimate->typed);
    csv_add_number(out, estimate->load);
    csv_add_number(out, estimate->threads);
    csv_add_number(out, estimate->memory_gb);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        csv_add_number(out, numbers[i]);
    csv_add_field(out, quality_name(estimate->pue_quality));
    csv_add_field(out, quality_name(estimate->factor.quality));
    csv_add_field(out, quality_name(estimate->hours_per_year_quality));
    csv_add_field(out, estimate->factor.zone);
    csv_add_number(out, estimate->factor.year > 0 ? estimate->factor.year : NAN);
    csv_add_field(out, factor_basis_name(estimate->factor.basis));
    csv_add_field(out, estimate->factor.source_id);
    csv_add_field(out, estimate->supplementary.pue.source);
    csv_add_number(out, estimate->supplementary.market.kgco2eq_per_kwh);
    csv_add_field(out, estimate->supplementary.market.source_id);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
        csv_add_number(out, beside[i]);
    fputc('\n', out);
    return true;
}
