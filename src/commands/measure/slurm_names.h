/* SPDX-License-Identifier: MIT
 * A measurement as part of a job on a cluster: names of its files that no two tasks share, and what it does not see.
 * Used by cmd_measure.c. Begin with slurm_notices(). */
#ifndef COMMANDS_MEASURE_SLURM_NAMES_H
#define COMMANDS_MEASURE_SLURM_NAMES_H

#include "base/notice.h"
#include "run/slurm_job.h"

enum { SLURM_NAME_SIZE = 4096 };

/* In a job of Slurm %h of an output file's name is the node, %j the job, %t the task's rank and %% a percent sign, as
 * srun and sbatch have it of theirs; elsewhere the name stays as it is. Returns it, in room or as it was given (NULL,
 * too). ERROR_USAGE where it gets too long: err, and NULL. */
const char *slurm_file_name(const struct slurm_job *job, const char *path, char room[SLURM_NAME_SIZE],
                            struct error *err) MUST_CHECK;

/* Doubts about what is counted: several tasks on a node count it several times, and what starts tasks on other nodes is
 * measured on this one alone. command: argv, or empty. */
void slurm_notices(const struct slurm_job *job, char *const *command, struct notices *notices);

#endif
