/* SPDX-License-Identifier: MIT
 * Chooses the energy of a job among those that Slurm has of the job and its steps. Used by slurm_work.h. Begin with
 * slurm_row_energy(). */
#ifndef COMMANDS_SLURM_JOB_ENERGY_H
#define COMMANDS_SLURM_JOB_ENERGY_H

#include "commands/slurm/sacct.h"

/* The energy of a row, or NAN if it is unknown or implausible: above the maximum of any node, the counter is faulty. */
double slurm_row_energy(const struct sacct_row *row);

struct slurm_energy {
    double energy_j;  /* NAN: no row has one */
    const char *from; /* which rows, for people; "" */
    double covered_s; /* duration of these rows, part of the job's time */
    double job_row_j; /* energy of the job's own row, which adds up overlapping steps */
};

/* Steps have the energy of whole nodes while they run, so that the job's script, its extern step and the steps of srun
 * count the same joules again. The energy of the job is the largest of the sums without overlap: the extern step; the
 * script on one node; the other steps, each node's time counted once, by the longest. If no step has an energy, it is
 * that of the job's own row. */
void slurm_job_energy(const struct sacct_row *job, const struct sacct_row *steps, size_t count,
                      struct slurm_energy *energy);

#endif
