/* SPDX-License-Identifier: MIT
 * Where carbon's own cgroup is, and the groups below one of carbon's making. */
#ifndef USAGE_CGROUP_TREE_H
#define USAGE_CGROUP_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The folder of the version 2 group that a /proc/PID/cgroup names, in a mount of its mountinfo that
 * shows it. Either may be NULL: not there. */
bool cgroup_folder_of(FILE *cgroup, FILE *mountinfo, char *folder, size_t size);

/* The folder of carbon's own group (version 2), in a mount that shows it. */
bool cgroup_own_folder(char *folder, size_t size);

/* A file of a group, opened by its folder's descriptor, or -1. */
int cgroup_folder(int above_fd, const char *name);

/* Processes in a group and in all that the job made below it. */
size_t cgroup_processes(int above_fd, const char *name, char *names, size_t size);

/* Removes a group and all below it; processes that live on go to the group above. */
void cgroup_remove(int above_fd, const char *name);

#endif
