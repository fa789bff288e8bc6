/* SPDX-License-Identifier: MIT
 * What Slurm says of a job, held against what its nodes can draw over the time that was measured. */
#include "commands/slurm/slurm_work.h"

#include "commands/slurm/sacct_fields.h"
#include "energy/power_bounds.h"

#include <math.h>

/* Slurm reads counters every few seconds: a step may have what was drawn before and behind it. */
#define SLURM_READS_S 60.0

bool slurm_read_bounds(struct slurm_work *work, struct error *err)
{
    struct domain package = { .component = COMPONENT_PACKAGE };
    struct estimate like = { .typed = settings_text(work->settings, &option_slurm_cpu), .threads = 1 };

    like.cores = like.memory_gb = work->package_w = NAN;
    if (!like.typed)
        return true;
    if (!estimate_cpu(&like, err)) {
        notices_clear(&like.notices);
        return false;
    }
    notices_clear(&like.notices);
    if (!(cpu_tdp_w(like.typed) > 0) || !(like.cpu.threads > 0))
        return true;
    bounds_set(&package, 1, false, cpu_tdp_w(like.typed));
    work->package_w = package.max_w;
    work->package_threads = like.cpu.threads;
    return true;
}

/* The most that one of its nodes draws: by the processor that --cpu names, of which a node has two or as many as the
 * job's CPUs fill; else what any machine does. */
static double node_max_w(const struct slurm_work *work, const struct sacct_row *row)
{
    const double nodes = row->nodes >= 1 ? row->nodes : 1, gpus = sacct_tres(row->tres, "gres/gpu");
    const double sockets = fmax(2, ceil(row->cpus / nodes / work->package_threads));

    if (isnan(work->package_w))
        return BOUNDS_MACHINE_W;
    return fmin(BOUNDS_MACHINE_W, sockets * (work->package_w + bounds_class_w(COMPONENT_MEMORY)) +
                                      (isnan(gpus) ? 0 : gpus) / nodes * bounds_class_w(COMPONENT_GPU));
}

double slurm_node_w(const struct sacct_row *row, const struct slurm_energy *energy)
{
    return energy->energy_j / (energy->covered_s > 0 ? energy->covered_s : row->elapsed_s) /
           (row->nodes >= 1 ? row->nodes : 1);
}

const char *slurm_doubt(const struct slurm_work *work, const struct sacct_row *row, const struct slurm_energy *energy)
{
    const double seconds = energy->covered_s > 0 ? energy->covered_s : row->elapsed_s;
    const double node_w = slurm_node_w(row, energy);

    if (isnan(energy->energy_j) || !(seconds > 0))
        return NULL;
    if (node_w * seconds > node_max_w(work, row) * (seconds + SLURM_READS_S))
        return "it is more than such a node draws";
    return seconds > SLURM_READS_S && node_w < BOUNDS_MACHINE_MIN_W ? "no node runs on so little" : NULL;
}
