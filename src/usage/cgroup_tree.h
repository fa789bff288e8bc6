/* SPDX-License-Identifier: MIT
 * A group of a job's own, and all that the job makes below it. */
#ifndef USAGE_CGROUP_TREE_H
#define USAGE_CGROUP_TREE_H

#include "base/error.h"

#include <stddef.h>

/* A file of a group, opened by its folder's descriptor, or -1. */
int cgroup_folder(int above_fd, const char *name);

/* Processes in a group and in all that the job made below it. */
size_t cgroup_processes(int above_fd, const char *name, char *names, size_t size);

/* Removes a group and all below it; processes that live on go to the group above. */
void cgroup_remove(int above_fd, const char *name);

/* A group that carbon has made for one job. */
struct job_group {
    int above_fd; /* carbon's own group */
    int fd;
    char name[48];
};

/* Makes it below a folder, where groups of a killed carbon are cleared away first. */
bool job_group_open(struct job_group *group, const char *above, struct error *err) MUST_CHECK;
void job_group_close(struct job_group *group);

#endif
