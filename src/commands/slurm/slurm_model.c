/* SPDX-License-Identifier: MIT
 * The energy of a job: what Slurm has measured, or else what its CPUs, memory and GPUs come to by published powers. */
#include "commands/slurm/slurm_work.h"

#include "base/units.h"
#include "commands/slurm/sacct_fields.h"
#include "power/cpu_power.h"

#include <math.h>
#include <string.h>

const struct option_spec option_slurm_cpu = OPTION(TEXT, "Model", "cpu", .argument = "<model>", .cli_only = true,
                                                   .help = "the nodes' processor, for jobs that were not measured");
const struct option_spec option_gpu_power =
    OPTION(NUMBER, "Model", "gpu-power", .argument = "<W>", .quantity = QUANTITY_POWER, .min = 0, .max = 100000,
           .help = "mean power of each GPU, for jobs that were not measured");

const struct option_spec option_slurm_doubted =
    OPTION(FLAG, "Job", "doubted", .cli_only = true, .help = "also count implausible energies as reported by Slurm");

/* Servers since Haswell: E5 and E7 from v3 on, and all that came after those names; not Xeons of the desktop's kind. */
static bool has_memory_unit(const char *cpu)
{
    static const char *const others[] = { "E3-", "E-2", "W-10", "W-11", "W-12", "W-13", " X", " L", " E55", " E56" };
    const char *xeon = strstr(cpu, "Xeon");

    if (!xeon)
        return false;
    if (strstr(xeon, "E5-") || strstr(xeon, "E7-"))
        return strstr(xeon, "v3") || strstr(xeon, "v4");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strstr(xeon, others[i]))
            return false;
    return true;
}

static void note_measured(const struct slurm_result *result, const char *cpu, struct notices *notices)
{
    const struct slurm_energy *measured = &result->measured;
    const double elapsed_s = result->row->elapsed_s;
    char one[UNITS_SIZE], other[UNITS_SIZE];

    if (isnan(result->share))
        notice_add(notices, NOTICE_SHARED,
                   result->doubted ? "implausible energies are counted as reported by Slurm"
                                   : "the list of its nodes cannot be read",
                   "sbatch --exclusive", "other jobs may have had nodes of job %.40s, and their energy is in its own",
                   result->row->id);
    else if (result->shared_evenly)
        notice_add(notices, NOTICE_SHARED, "neither CPU time nor CPUs of all of them are known",
                   "sacct --format with TotalCPU and NCPUS",
                   "job %.40s shares its nodes evenly with those that had them at the same time", result->row->id);
    else if (result->share < 1)
        notice_add(notices, NOTICE_SHARED, "Slurm measures whole nodes; each joule is in one job",
                   "carbon slurm --sacct with the output for all jobs of these nodes",
                   "jobs that had nodes at the same time share their energy by CPU time");
    else
        notice_add(notices, NOTICE_SHARED, "where others had a part of these nodes, their energy is in it, too",
                   "sbatch --exclusive", "Slurm measures whole nodes");
    if (cpu && has_memory_unit(cpu))
        notice_add(notices, NOTICE_UNIT,
                   "its rapl plugin reads memory by the unit of packages, that of these processors is 15.3 uJ",
                   "scontrol show config | grep AcctGatherEnergyType",
                   "memory energy measured by Slurm may be four times too large");
    if (strcmp(measured->from, "job") != 0 && measured->job_row_j > measured->energy_j * 1.01)
        notice_add(notices, NOTICE_DUPLICATE, "it adds up its steps, which had the same nodes at the same time", "",
                   "Slurm's total for job %.40s (%s) double-counts its steps; using %s (%s)", result->row->id,
                   units_energy(measured->job_row_j, one), units_energy(measured->energy_j, other), measured->from);
    if (strcmp(measured->from, "job") == 0)
        notice_add(notices, NOTICE_DUPLICATE, "where steps overlap it has their joules several times", "",
                   "of job %.40s there is only Slurm's own sum", result->row->id);
    if (measured->covered_s < 0.98 * elapsed_s - 1)
        notice_add(notices, NOTICE_GAPS, "other energy of the nodes is excluded", "",
                   "the steps of job %.40s that have an energy were %.6g of its %.6g s", result->row->id,
                   measured->covered_s, elapsed_s);
}

/* Something stands in the field that is no energy. */
static void note_absurd(const struct slurm_result *result, struct notices *notices)
{
    for (size_t i = 0; i <= result->step_count; i++) {
        const struct sacct_row *row = i ? &result->steps[i - 1] : result->row;
        const char *said = row->energy_said;

        if (*said && strcmp(said, "0") != 0 && isnan(slurm_row_energy(row)))
            notice_add(notices, NOTICE_ERROR_VALUE,
                       "Slurm's placeholder for an unknown value, or above the nodes' maximum power", "",
                       "'%.40s' is not a valid energy: energy of '%.60s' unknown", said, row->id);
    }
}

static void find_given(struct slurm_result *result)
{
    const struct sacct_row *row = result->row;

    result->gpus = sacct_tres(row->tres, "gres/gpu");
    if (isnan(result->gpus))
        result->gpus = 0;
    result->memory_gb = sacct_tres(row->tres, "mem") / ((double)(1 << 30));
    /* 0 is what stands there while it runs, and where nobody counted */
    result->load = row->cpu_s > 0 ? fmin(1, row->cpu_s / (row->elapsed_s * row->cpus)) : NAN;
}

/* Of the GPUs, at the power that the user says. */
static void add_gpus(struct slurm_work *work, struct slurm_result *result)
{
    const double each_w = settings_number(work->settings, &option_gpu_power);
    struct estimate_power *power = &result->estimate.power;

    result->gpu_j = NAN;
    if (!(result->gpus > 0))
        return;
    if (isnan(each_w)) {
        notice_add(&work->notices, NOTICE_LEFT_OUT, "Slurm reports their number, not their power", "--gpu-power W",
                   "the GPUs of job %.40s are not in its modelled energy", result->row->id);
        return;
    }
    result->gpu_j = result->gpus * each_w * result->row->elapsed_s;
    power->w += result->gpus * each_w;
    power->low_w += result->gpus * each_w;
    power->high_w += result->gpus * each_w;
}

static void note_model(struct slurm_work *work, const struct slurm_result *result)
{
    notice_add(&work->notices, NOTICE_MODELLED,
               result->doubted
                   ? "what Slurm says of it is doubted"
                   : "Slurm has no energy of it: no plugin (AcctGatherEnergyType), or it could not read a sensor",
               settings_text(work->settings, &option_slurm_cpu) ? "" : "--cpu MODEL names the nodes' processor",
               "energy of job %.40s is modelled from CPU time", result->row->id);
    if (isnan(result->load))
        notice_add(&work->notices, NOTICE_MODELLED, "the range goes from idle CPUs to busy ones", "",
                   "the CPU time of job %.40s is not known: its CPUs are taken for busy", result->row->id);
    if (isnan(result->memory_gb))
        notice_add(&work->notices, NOTICE_NO_MEMORY, "", "", "the memory of job %.40s is not in its modelled energy",
                   result->row->id);
}

static bool model(struct slurm_work *work, struct slurm_result *result, struct error *err)
{
    const char *cpu = settings_text(work->settings, &option_slurm_cpu);
    const double elapsed_s = result->row->elapsed_s;
    struct estimate *estimate = &result->estimate;

    estimate->from = "cpu";
    estimate->typed = cpu ? cpu : "";
    estimate->energy_quality = QUALITY_MODELLED;
    estimate->threads = result->row->cpus;
    estimate->cores = NAN;
    estimate->memory_gb = result->memory_gb;
    estimate->load = isnan(result->load) ? 1 : result->load;
    if (!estimate_cpu(estimate, err))
        return false;
    if (isnan(result->load)) {
        struct estimate *idle = &(struct estimate){ .typed = estimate->typed, .threads = estimate->threads };
        idle->cores = NAN;
        idle->memory_gb = result->memory_gb;
        if (!estimate_cpu(idle, err))
            return false;
        estimate->power.low_w = idle->power.low_w;
    }
    add_gpus(work, result);
    estimate->energy_j = estimate->power.w * elapsed_s;
    estimate->low_j = estimate->power.low_w * elapsed_s;
    estimate->high_j = estimate->power.high_w * elapsed_s;
    note_model(work, result);
    return true;
}

static void find_doubt(struct slurm_work *work, struct slurm_result *result)
{
    const char *doubt = slurm_doubt(work, result->row, &result->measured);
    char power[UNITS_SIZE];

    result->doubted = doubt != NULL;
    if (doubt)
        notice_add(&work->notices, NOTICE_IMPLAUSIBLE, doubt,
                   settings_flag(work->settings, &option_slurm_doubted) ? "" : "--doubted counts it",
                   "what Slurm says of job %.40s is doubted: %s a node", result->row->id,
                   units_power(slurm_node_w(result->row, &result->measured), power));
}

static bool take_measured(struct slurm_work *work, struct slurm_result *result, struct error *err)
{
    struct estimate *estimate = &result->estimate;

    if (!slurm_share(work, result, err))
        return false;
    estimate->energy_quality = result->share < 1 ? QUALITY_ATTRIBUTED : QUALITY_MEASURED;
    estimate->power.w = result->row->elapsed_s > 0 ? estimate->energy_j / result->row->elapsed_s : NAN;
    note_measured(result, settings_text(work->settings, &option_slurm_cpu), &work->notices);
    return true;
}

/* Cancelled while it waited, still waiting, or over before it began. */
static bool never_ran(const struct sacct_row *row)
{
    return row->elapsed_s == 0 || (isnan(row->elapsed_s) && (sacct_is(row, "PENDING") || sacct_is(row, "CANCELLED")) &&
                                   sacct_says_no_time(row->start_said));
}

static void note_time(struct slurm_work *work, const struct sacct_row *row)
{
    if (row->start_s < 0 && !sacct_says_no_time(row->start_said))
        notice_add(&work->notices, NOTICE_NOT_UNDERSTOOD, work->times.why, work->times.fix,
                   "the start of job %.40s cannot be read, its energy takes the factor of this year: '%.40s'", row->id,
                   row->start_said);
}

static void unknown(struct slurm_work *work, struct slurm_result *result)
{
    result->estimate.energy_quality = QUALITY_UNKNOWN;
    notice_add(&work->notices, NOTICE_UNKNOWN, "Slurm has neither its energy nor its CPUs and how long they were taken",
               "", "the energy of job %.40s is not known", result->row->id);
}

bool slurm_find_energy(struct slurm_work *work, struct slurm_result *result, struct error *err)
{
    const struct sacct_row *row = result->row;
    struct estimate *estimate = &result->estimate;

    estimate->energy_j = estimate->low_j = estimate->high_j = NAN;
    estimate->power = (struct estimate_power){ NAN, NAN, NAN };
    estimate->hours = row->elapsed_s / S_PER_H;
    estimate->threads = estimate->cores = estimate->memory_gb = estimate->load = result->gpu_j = NAN;
    estimate->from = "energy";
    estimate->typed = row->energy_said;
    result->share = 1;
    find_given(result);
    note_absurd(result, &work->notices);
    note_time(work, row);
    find_doubt(work, result);
    if (!isnan(result->measured.energy_j) && (!result->doubted || settings_flag(work->settings, &option_slurm_doubted)))
        return take_measured(work, result, err);
    if (never_ran(row)) {
        estimate->energy_j = 0;
        estimate->energy_quality = QUALITY_GIVEN;
        notice_add(&work->notices, NOTICE_UNFINISHED, "", "", "job %.40s has not been run (%.60s)", row->id,
                   row->state);
        return true;
    }
    if (row->elapsed_s > 0 && row->cpus > 0)
        return model(work, result, err);
    unknown(work, result);
    return true;
}
