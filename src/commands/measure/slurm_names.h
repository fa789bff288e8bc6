/* SPDX-License-Identifier: MIT
 * A measurement as part of a cluster job: file names that no two tasks share, and warnings about energy outside the
 * measurement. Used by cmd_measure.c. Begin with slurm_notices(). */
#ifndef COMMANDS_MEASURE_SLURM_NAMES_H
#define COMMANDS_MEASURE_SLURM_NAMES_H

#include "base/notice.h"
#include "run/slurm_job.h"

enum { SLURM_NAME_SIZE = 4096 };

/* In a Slurm job, %h in the name of an output file is the node, %j the job, %t the task's rank and %% a percent sign,
 * as in srun and sbatch; elsewhere the name is unchanged. Returns it, in room or as given (NULL, too). ERROR_USAGE if
 * it is too long: err, and NULL. */
const char *slurm_file_name(const struct slurm_job *job, const char *path, char room[SLURM_NAME_SIZE],
                            struct error *err) MUST_CHECK;

/* Warnings about counted energy: several tasks on a node count it several times, and a command that starts tasks on
 * other nodes is measured on this node only. command: argv, or empty. */
void slurm_notices(const struct slurm_job *job, char *const *command, struct notices *notices);

#endif
