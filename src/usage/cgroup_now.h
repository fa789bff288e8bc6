/* SPDX-License-Identifier: MIT
 * What a group uses now, by descriptors that are kept open: cheap enough for a time series. Used by
 * groups/group_scan.c and target/target_groups.c. Begin with cgroup_now_open(). */
#ifndef USAGE_CGROUP_NOW_H
#define USAGE_CGROUP_NOW_H

#include "usage/usage.h"

struct cgroup_now {
    int cpu_fd, stall_fd, memory_fd, pages_fd; /* -1: not there (yet) */
    const char *cpu_from, *memory_from;        /* whose they are: cgroup2_from, cgroup1_from */
};

#define CGROUP_NOW_NONE ((struct cgroup_now){ .cpu_fd = -1, .stall_fd = -1, .memory_fd = -1, .pages_fd = -1 })

/* Opens of a group's files what is not open yet; a controller may be given to a group later. */
void cgroup_now_open(struct cgroup_now *now, int group_fd);
void cgroup_now_close(struct cgroup_now *now);

/* CPU time since the group was made. */
struct usage_value cgroup_now_cpu(const struct cgroup_now *now);

/* The same of a group that is not kept open, in a hierarchy of this version (1 or 2). False: it says nothing. */
bool cgroup_now_cpu_once(int group_fd, int version, uint64_t *cpu_ns);

/* How long at least one of its tasks has waited for a CPU since the group was made; of version 2 alone. */
struct usage_value cgroup_now_cpu_stall(const struct cgroup_now *now);

/* Memory in use, page cache included, and without inactive pages of files. */
void cgroup_now_memory(const struct cgroup_now *now, struct usage_value *memory_bytes,
                       struct usage_value *working_set_bytes);

#endif
