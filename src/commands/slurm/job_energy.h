/* SPDX-License-Identifier: MIT
 * Which of the energies that Slurm has of a job and its steps is the job's. Used by slurm_work.h. Begin with
 * slurm_row_energy(). */
#ifndef COMMANDS_SLURM_JOB_ENERGY_H
#define COMMANDS_SLURM_JOB_ENERGY_H

#include "commands/slurm/sacct.h"

/* A row's own, or NAN where it is not known or cannot be: more than any node draws is a fault of the counter. */
double slurm_row_energy(const struct sacct_row *row);

struct slurm_energy {
    double energy_j;  /* NAN: no row has one */
    const char *from; /* which rows, for people; "" */
    double covered_s; /* how long these rows were, of the job's time */
    double job_row_j; /* what the job's own row says, which adds up what overlaps */
};

/* Steps have the energy of whole nodes while they ran, so that the job's script, its extern step and what srun starts
 * count the same joules again. Of the sums in which nothing overlaps the largest is the job's: the extern step alone,
 * the script alone where there is one node, the other steps, of which each node's time counts once, by the longest.
 * Only where no step has one it is what the job's own row says. */
void slurm_job_energy(const struct sacct_row *job, const struct sacct_row *steps, size_t count,
                      struct slurm_energy *energy);

#endif
