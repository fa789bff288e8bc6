/* SPDX-License-Identifier: MIT
 * Programs of users in place of single processes, for series that last: the largest by CPU time have a group each, the
 * rest has one together. Used by process_scan.h. Begin with process_names_credit(). */
#ifndef GROUPS_PROCESS_NAMES_H
#define GROUPS_PROCESS_NAMES_H

#include "groups/groups.h"

enum { PROCESS_COMM_SIZE = 16 };

struct process_name {
    char comm[PROCESS_COMM_SIZE];
    uid_t owner;
    uint64_t cpu_ns, recent_ns; /* since it was seen first, and in this walk */
    bool alive;                 /* seen in this walk */
    bool shown;                 /* has a group of its own now */
    bool known;                 /* had one at some time: its totals go on from there */
};

struct process_names {
    size_t max; /* groups at a time; 0: processes are not put together */
    struct process_name *items;
    size_t count, room;
    bool begun;
};

/* During a walk. */
void process_names_credit(struct process_names *names, const char *comm, uid_t owner, uint64_t used_ns);

/* After it: chooses who has a group, and gives the CPU time of the walk to the groups. A program takes the place of
 * another only with more than twice its CPU time, so that places seldom change; the energy of a program until it has a
 * group, and after it has lost it, is in the rest. Totals never go back: a program that had a group goes on with its
 * totals. */
void process_names_share(struct process_names *names, struct groups *groups);

/* The group of a program, or the rest. */
size_t process_names_group(const struct process_names *names, struct groups *groups, const char *comm, uid_t owner);

void process_names_close(struct process_names *names); /* harmless twice */

#endif
