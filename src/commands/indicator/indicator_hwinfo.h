/* SPDX-License-Identifier: MIT
 * The machine of a script, as in reports of Amun. Facts that carbon does not know are null. Used by indicator_amun.c,
 * indicator_cpuinfo.c and indicator_cputype.c. Begin with hwinfo_add(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_HWINFO_H
#define COMMANDS_INDICATOR_INDICATOR_HWINFO_H

#include "io/arena.h"
#include "io/json_tree.h"

#include <stdio.h>
#include <sys/utsname.h>

/* This machine, whatever counters were read; root: "/", or a recorded machine. */
void hwinfo_add(struct tree_node node, const char *root, const struct utsname *host);

/* A file of the machine, by its path without the first slash; NULL: missing. */
FILE *hwinfo_open(const char *root, const char *path);

/* Parts of it: the value of "key : " in its first line in /proc/cpuinfo, "" if missing; and "cpu_type"
 * (indicator_cputype.c). */
void hwinfo_value(const char *root, const char *key, char *value, size_t size);
void hwinfo_add_type(struct tree_node node, const char *root, int cpus);

/* "os_release": /etc/os-release with its keys in lower case, which are kept in the arena and must live as long as the
 * tree; and "runtime_environment". */
void hwinfo_add_system(struct tree_node parent, const char *root, struct arena *keys);

#endif
