/* SPDX-License-Identifier: MIT
 * A job's energy from that of its steps. */
#include "commands/slurm/job_energy.h"

#include "commands/slurm/node_list.h"
#include "energy/bounds.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 256 }; /* that are held against each other; further ones are small */

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

/* The largest of the steps that meets none of those taken; NULL: none is left. */
static const struct sacct_row *next_step(const struct sacct_row *steps, size_t count,
                                         const struct sacct_row *const *taken, size_t taken_count)
{
    const struct sacct_row *best = NULL;

    for (size_t i = 0; i < count; i++) {
        bool free = is_numbered(&steps[i]) && !isnan(slurm_row_energy(&steps[i]));

        for (size_t j = 0; free && j < taken_count; j++)
            free = taken[j] != &steps[i] && !meets(taken[j], &steps[i]);
        if (free && (!best || slurm_row_energy(&steps[i]) > slurm_row_energy(best)))
            best = &steps[i];
    }
    return best;
}

static void of_steps(const struct sacct_row *steps, size_t count, struct slurm_energy *energy)
{
    const struct sacct_row *taken[MOST_STEPS];
    size_t taken_count = 0;

    *energy = (struct slurm_energy){ .energy_j = 0, .from = "steps" };
    while (taken_count < MOST_STEPS) {
        const struct sacct_row *step = next_step(steps, count, taken, taken_count);

        if (!step)
            break;
        taken[taken_count++] = step;
        energy->energy_j += slurm_row_energy(step);
        energy->covered_s += isnan(step->elapsed_s) ? 0 : step->elapsed_s;
    }
    if (taken_count == 0)
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
