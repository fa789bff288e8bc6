/* SPDX-License-Identifier: MIT
 * The Slurm job that this process is part of, from its environment. Used in commands/measure, commands/slurm and
 * result. Begin with slurm_job_of(). */
#ifndef RUN_SLURM_JOB_H
#define RUN_SLURM_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unknown is "" and -1. */
struct slurm_job {
    bool known; /* false: not in a Slurm job */
    int64_t id, array_job, array_task;
    char step[32];       /* "0"; "" in the job's script itself */
    char node[128];      /* this one's name */
    char boot_id[40];    /* of its kernel's boot; "" if the kernel does not report it */
    int64_t nodes;       /* nodes of the job */
    int64_t tasks;       /* of the step, or those that the job asked for */
    int64_t node_tasks;  /* of the step on this node; 1 in the job's script */
    int64_t rank;        /* of this task in the step, from 0 */
    int64_t local_rank;  /* the same among those of this node */
    char partition[128]; /* and who pays, and where */
    char account[128], cluster[128];
};

/* NULL for a variable that is not set, like getenv. */
typedef const char *slurm_variable(void *context, const char *name);

void slurm_job_of(slurm_variable *variable, void *context, struct slurm_job *job);

/* Reads the job of this process. */
void slurm_job_read(struct slurm_job *job);

/* "2(x3),1": tasks of the node with this index, from 0; -1: the list does not say. */
int64_t slurm_tasks_at(const char *list, int64_t index);

#endif
