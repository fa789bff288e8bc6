/* SPDX-License-Identifier: MIT
 * Where a cgroup is: its name in a hierarchy, and the folder in which a mount shows it. Used in commands/serve, target
 * and usage. Begin with cgroup_folder_of(). */
#ifndef USAGE_CGROUP_PLACE_H
#define USAGE_CGROUP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* A hierarchy is called by a controller of it: "memory" is that of version 1 which has memory; NULL is
 * version 2. */

/* The folder of the group that a /proc/PID/cgroup names, in a mount of its mountinfo that shows it.
 * Either may be NULL: not there. */
bool cgroup_folder_of(FILE *cgroup, FILE *mountinfo, const char *controller, char *folder, size_t size);

/* The folder of the group that a process is in; 0 is carbon itself. */
bool cgroup_folder_of_process(pid_t pid, const char *controller, char *folder, size_t size);

/* The folder in which a group of this name ("/system.slice/x.service") would be. */
bool cgroup_folder_named(const char *name, const char *controller, char *folder, size_t size);

/* Calls for the root folder of every hierarchy that a mount shows whole, once for each. */
void cgroup_each_root(void (*each)(void *context, const char *folder), void *context);

/* The other way round: the name of the group that a folder shows. False: no cgroup file system is there. */
bool cgroup_name_of(const char *folder, char *name, size_t size);

#endif
