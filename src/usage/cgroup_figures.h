/* SPDX-License-Identifier: MIT
 * What the files of a cgroup say that all in it used, since the group was made. Used in target and usage. Begin with
 * cgroup2_cpu_ns(). */
#ifndef USAGE_CGROUP_FIGURES_H
#define USAGE_CGROUP_FIGURES_H

#include "usage/usage.h"

extern const char cgroup2_from[], cgroup1_from[]; /* "cgroup", "cgroup1" */

/* The CPU time of a group of either version. False: its files do not have it. */
bool cgroup2_cpu_ns(int group_fd, uint64_t *cpu_ns);
bool cgroup1_cpu_ns(int group_fd, uint64_t *cpu_ns);

/* The time in which at least one of its tasks waited for a CPU. */
bool cgroup2_cpu_stall_ns(int group_fd, uint64_t *stall_ns);

/* Whether anything has ever run in a group of version 2. */
bool cgroup2_has_run(int group_fd);

/* Fills the fields that are not known yet, from the files that are there. A group of version 1 has those of its
 * hierarchy's controllers. */
void cgroup2_figures(int group_fd, struct usage *usage);
void cgroup1_figures(int group_fd, struct usage *usage);

/* A descriptor of a group of version 2 whose mark of memory begins now, for it alone (memory.peak, since Linux 6.12).
 * -1: the kernel keeps one mark for all, from the group's making on. */
int cgroup2_peak_open(int group_fd);

/* The highest use since then. False: the group has gone. */
bool cgroup2_peak_read(int peak_fd, uint64_t *peak_bytes);

/* Version 1 samples user and system time at ticks; this brings both to the CPU time, which is exact. */
void cgroup1_split_cpu(struct usage *usage);

#endif
