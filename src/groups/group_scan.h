/* SPDX-License-Identifier: MIT
 * A walk through the hierarchies of cgroups, version 2, version 1 or both: the usage of each group since the walk
 * before. Used by collector.h and gpu_shares.h. Begin with group_scan_open(). */
#ifndef GROUPS_GROUP_SCAN_H
#define GROUPS_GROUP_SCAN_H

#include "base/sysroot.h"
#include "groups/groups.h"

/* A folder of a hierarchy as it was found last. */
struct cgroup_cpu {
    ino_t folder; /* its number: one that is created again under the same name has another */
    uint64_t cpu_ns;
};

struct scan_nodes {
    struct cgroup_cpu *items; /* sorted by folder once the walk is over */
    size_t count, room;
};

struct group_scan {
    int roots[GROUP_HIERARCHIES_SEEN]; /* folders; -1: no such hierarchy */
    struct scan_nodes before[GROUP_HIERARCHIES_SEEN], now[GROUP_HIERARCHIES_SEEN];
    size_t paths_of;    /* which hierarchy's paths are those of GROUP_CGROUP */
    bool begun;         /* there was a walk before */
    size_t max_folders; /* maximum number of root's folders entered, and of users' */
    int max_deep;
    size_t cut[GROUP_HIERARCHIES_SEEN]; /* folders that were too many, or too deep, in the last walk */
};

/* Opens the roots: those that are mounted, or those of a recorded tree. False: there is none. */
bool group_scan_open(struct group_scan *scan, const struct root *root, struct error *err) MUST_CHECK;

/* Between groups_begin and groups_end: the CPU time of each group since the walk before goes to groups (recent_ns). The
 * first walk only takes note. What a
 * group used is taken without what belongs to a group of the same kind within it, so that nothing counts twice. What is
 * in a folder that is not entered counts with the group above. at_most_ns: the CPU time that there was; a group that is
 * new has not used more. */
void group_scan_walk(struct group_scan *scan, struct groups *groups, uint64_t at_most_ns);

/* For each kind, the group to which processes in this path belong; GROUP_NONE: none. */
void group_scan_owners(const struct group_scan *scan, struct groups *groups, const char *path,
                       size_t owners[GROUP_KINDS]);

void group_scan_close(struct group_scan *scan); /* harmless twice, and on a zeroed one with roots of -1 */

#endif
