/* SPDX-License-Identifier: MIT
 * A process and its descendants, followed by looking at them now and then. Used by target/target_process.c. Begin with
 * process_tree_open(). */
#ifndef USAGE_PROCESS_TREE_H
#define USAGE_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* CPU time in nanoseconds, with that of waited-for children in ticks; its user and system part in ticks. Reads
 * and writes are bytes, in the kernel's own sum of a process and of the children that it has waited for. */
enum tree_figure { TREE_CPU, TREE_USER, TREE_SYSTEM, TREE_MINOR, TREE_MAJOR, TREE_READ, TREE_WRITTEN, TREE_FIGURES };

struct tree_member;

struct process_tree {
    struct tree_member *first, **last; /* in the order in which they were found: parents before their children */
    struct tree_member *by_pid[256];
    uint64_t stored[TREE_FIGURES];  /* of ended members that no process waited for */
    uint64_t opening[TREE_FIGURES]; /* from before the tree was opened */
    uint64_t used[TREE_FIGURES];    /* since then; only grows */
    unsigned cpu_roundings;         /* number of figures in TREE_CPU, as seen last, rounded down to ticks */
    uint64_t memory_bytes;          /* the sum of resident memory, as seen last */
    uint64_t memory_peak_bytes;     /* the highest sum of resident memory */
    bool io_known;                  /* /proc/PID/io of every member could be read */
    bool by_scan;
};

/* False: no such process, or no memory; see errno. by_scan: children are searched among all processes,
 * as where the kernel does not list them (CONFIG_PROC_CHILDREN). */
bool process_tree_open(struct process_tree *tree, pid_t pid, bool by_scan);

/* One tree of several: descendants of two of them are in it once. False: none of them exists. */
bool process_tree_open_all(struct process_tree *tree, const pid_t *pids, size_t count, bool by_scan);

/* Looks at every member, and for new ones. */
void process_tree_poll(struct process_tree *tree);

/* Whether a process is one of its, as it was looked at last. */
bool process_tree_has(const struct process_tree *tree, pid_t pid);

size_t process_tree_count(const struct process_tree *tree);
void process_tree_close(struct process_tree *tree);

#endif
