/* SPDX-License-Identifier: MIT
 * A walk through all processes: the CPU time of each since the walk before, and whose it is. Used by collector.h and
 * gpu_shares.h. Begin with process_scan_open(). */
#ifndef GROUPS_PROCESS_SCAN_H
#define GROUPS_PROCESS_SCAN_H

#include "base/notice.h"
#include "base/sysroot.h"
#include "groups/process_names.h"

/* A process as it was seen last. What it is called is read once it has done something. */
struct process_seen {
    pid_t pid;
    ino_t folder; /* number of /proc/PID, by which a later process with this number differs; 0: not known */
    uint64_t cpu_ns;
    uint64_t started; /* ticks after boot; 0: not known (yet) */
    uid_t owner;
    bool named;
    char comm[PROCESS_COMM_SIZE]; /* "": not to be seen */
};

struct process_list {
    struct process_seen *items; /* sorted by their number once the walk is over */
    size_t count, room;
};

struct process_scan {
    const struct root *root;
    DIR *folder; /* /proc; NULL: it is not open */
    struct process_list before, now;
    bool begun; /* there was a walk before */
    size_t walks;
    struct process_names names; /* max by the caller, where programs are wanted in place of processes */
    bool hidden;                /* this user does not see the processes of others, */
    bool nameless;              /* or not what they are called */
    bool elsewhere;             /* carbon is in a PID namespace of its own: others may be outside it */
};

/* False: there is no /proc to read. */
bool process_scan_open(struct process_scan *scan, const struct root *root, struct error *err) MUST_CHECK;

/* Between groups_begin and groups_end: the CPU time of each process since the walk before goes to the groups
 * GROUP_PROCESS and GROUP_USER, where they are wanted. The first walk only takes note; at_most_ns: as in
 * group_scan_walk. A process that has done nothing is in no group. */
void process_scan_walk(struct process_scan *scan, struct groups *groups, uint64_t at_most_ns);

/* Of both kinds, the group of a process, made if it is missing; GROUP_NONE: the process has gone, or the table is full.
 */
void process_scan_owners(const struct process_scan *scan, struct groups *groups, pid_t pid, size_t owners[GROUP_KINDS]);

/* What is hidden from this user. */
void process_scan_notices(const struct process_scan *scan, struct notices *notices);

void process_scan_close(struct process_scan *scan); /* harmless twice, and on a zeroed one */

#endif
