/* SPDX-License-Identifier: MIT
 * A group of a job's own, and all that the job makes below it. Used in commands/serve, target and usage. Begin with
 * cgroup_folder(). */
#ifndef USAGE_CGROUP_TREE_H
#define USAGE_CGROUP_TREE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file of a group, opened by its folder's descriptor, or -1. */
int cgroup_folder(int above_fd, const char *name);

/* Processes in a group and in all that the job made below it. */
size_t cgroup_processes(int above_fd, const char *name, char *names, size_t size);

/* One of them, or 0. */
pid_t cgroup_first_process(int group_fd);

/* Whether no process is left in a group and in all below it; so it is once the group has been removed. */
bool cgroup_is_empty(int group_fd);

/* Version 2: the group holds threads of a process that belongs to a group above. */
bool cgroup_is_threaded(int group_fd);

/* Removes a group and all below it, if they are empty; waits until then, but no longer than until_ns
 * (CLOCK_MONOTONIC). */
void cgroup_remove_empty(int above_fd, const char *name, uint64_t until_ns);

/* "carbon-PID-NUMBER-NAMESPACE": carbon's process, and the PID namespace in which that number means it. What is between
 * them may be '_', too. */
void cgroup_own_name(char *name, size_t size, int number, char between);

/* Removes, of groups that a carbon of this PID namespace has made below a folder, those whose carbon is no more: of
 * another namespace's it is unknown whether it lives. A group in use cannot be removed, whoever owns it.
 * Calls removed, if any, with the name of each that has gone. */
void cgroup_remove_stale(int above_fd, void (*removed)(const char *name));

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
