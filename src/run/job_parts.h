/* SPDX-License-Identifier: MIT
 * The process of a job, up to its execve: job_child.c, for job.c. Used by job.c and job_child.c. Begin with job_fork().
 */
#ifndef RUN_JOB_PARTS_H
#define RUN_JOB_PARTS_H

#include <stdbool.h>
#include <sys/types.h>

struct job;
struct job_options;

/* The ends of the two pipes that the child has. */
struct child_ends {
    int gate, failed;
};

/* Forks. The child waits at the gate and then runs the command, or writes errno to the other pipe; it does not
 * return. *inside: it is in its cgroup from its birth on. -1: errno says why. */
pid_t job_fork(const struct job *job, const struct job_options *options, struct child_ends ends, bool *inside);

#endif
