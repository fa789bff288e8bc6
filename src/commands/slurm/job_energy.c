/* SPDX-License-Identifier: MIT
 * A job's energy from that of its steps. */
#include "commands/slurm/job_energy.h"

#include "base/auto.h"
#include "commands/slurm/node_list.h"
#include "energy/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double slurm_row_energy(const struct sacct_row *row)
{
    /* counters are read every few seconds, so that a short step may have more than its time allows */
    const double seconds = (isnan(row->elapsed_s) ? 0 : row->elapsed_s) + 60;
    const double nodes = row->nodes >= 1 ? row->nodes : 1;

    return row->energy_j <= seconds * nodes * BOUNDS_MACHINE_W ? row->energy_j : NAN;
}

static int64_t end_of(const struct sacct_row *row)
{
    return row->end_s >= 0 ? row->end_s : row->start_s + (int64_t)(isnan(row->elapsed_s) ? 0 : row->elapsed_s);
}

static bool meets(const struct sacct_row *a, const struct sacct_row *b)
{
    return a->start_s < end_of(b) && b->start_s < end_of(a) && node_lists_meet(a->node_list, b->node_list);
}

static bool is_numbered(const struct sacct_row *row)
{
    return *row->step >= '0' && *row->step <= '9';
}

/* The larger one first; of two that are as large, the one that was listed first. */
static int by_energy(const void *a, const void *b)
{
    const struct sacct_row *const first = *(const struct sacct_row *const *)a;
    const struct sacct_row *const second = *(const struct sacct_row *const *)b;
    const double first_j = slurm_row_energy(first), second_j = slurm_row_energy(second);

    return first_j != second_j ? (first_j > second_j ? -1 : 1) : (first > second) - (first < second);
}

static bool meets_any(const struct sacct_row *step, const struct sacct_row *const *taken, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (meets(taken[i], step))
            return true;
    return false;
}

/* Those that meet no larger one. Without memory the energy of steps is unknown. */
static void of_steps(const struct sacct_row *steps, size_t count, struct slurm_energy *energy)
{
    AUTO_FREE const struct sacct_row **sorted = calloc(count + 1, sizeof *sorted);
    size_t told = 0, taken = 0;

    *energy = (struct slurm_energy){ .energy_j = 0, .from = "steps" };
    for (size_t i = 0; sorted && i < count; i++)
        if (is_numbered(&steps[i]) && !isnan(slurm_row_energy(&steps[i])))
            sorted[told++] = &steps[i];
    if (told)
        qsort(sorted, told, sizeof *sorted, by_energy);
    for (size_t i = 0; i < told; i++) {
        if (meets_any(sorted[i], sorted, taken))
            continue;
        energy->energy_j += slurm_row_energy(sorted[i]);
        energy->covered_s += isnan(sorted[i]->elapsed_s) ? 0 : sorted[i]->elapsed_s;
        sorted[taken++] = sorted[i];
    }
    if (taken == 0)
        energy->energy_j = NAN;
}

static void take_larger(const struct slurm_energy *other, struct slurm_energy *energy)
{
    if (isnan(energy->energy_j) || other->energy_j > energy->energy_j)
        *energy = *other;
}

void slurm_job_energy(const struct sacct_row *job, const struct sacct_row *steps, size_t count,
                      struct slurm_energy *energy)
{
    const double job_j = slurm_row_energy(job);

    of_steps(steps, count, energy);
    for (size_t i = 0; i < count; i++) {
        const bool extern_step = strcmp(steps[i].step, "extern") == 0;
        const bool script = strcmp(steps[i].step, "batch") == 0 && !(job->nodes > 1);
        const struct slurm_energy alone = {
            .energy_j = slurm_row_energy(&steps[i]),
            .from = extern_step ? "extern" : "batch",
            .covered_s = steps[i].elapsed_s,
        };

        if ((extern_step || script) && !isnan(alone.energy_j))
            take_larger(&alone, energy);
    }
    if (isnan(energy->energy_j))
        *energy = (struct slurm_energy){ job_j, isnan(job_j) ? "" : "job", job->elapsed_s, NAN };
    energy->job_row_j = job_j;
}
