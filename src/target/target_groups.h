/* SPDX-License-Identifier: MIT
 * A group as it is in the hierarchies that have it, followed as a target. Used throughout target. Begin with
 * target_open_group(). */
#ifndef TARGET_TARGET_GROUPS_H
#define TARGET_TARGET_GROUPS_H

#include "target/target.h"

/* Version 2, cpuacct, memory, blkio: the one with the most figures first. NULL is version 2. */
enum { GROUP_HIERARCHIES = 4 };
extern const char *const group_hierarchies[GROUP_HIERARCHIES];

/* How a group is followed. */
enum groups_from {
    GROUPS_SINCE_NOW,      /* what it used before does not count */
    GROUPS_SINCE_MADE,     /* all its usage: it was made for this measurement */
    GROUPS_SINCE_MADE_WAIT /* the same, and it is still empty: it ends after its first process */
};

/* As target_open_cgroup, of a group that is followed in this way. */
bool target_open_group(struct target *target, const char *path, enum groups_from from, struct error *err) MUST_CHECK;

/* Takes over the folders' descriptors, whatever comes of it. Whether it has ended is asked of the first, where no
 * process is awaited. False: no memory. */
bool target_open_groups(struct target *target, const int *fds, size_t count, enum groups_from from, const char *name,
                        struct error *err) MUST_CHECK;

#endif
