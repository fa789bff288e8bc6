/* SPDX-License-Identifier: MIT
 * Other processes, from /proc of the running system. Used in measurement, run, target and usage. Begin with
 * process_read(). */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
    char name[64]; /* what cannot be printed is '?' */
    char state;    /* 'Z': ended, not yet waited for */
    pid_t parent;
};

/* A line of /proc/PID/stat, which is changed. False: it is none. */
bool process_of_line(char *line, struct process *process) MUST_CHECK;

bool process_read(pid_t pid, struct process *process) MUST_CHECK;

/* The CPU time of a process and all threads that it has had, to the nanosecond. False: it has gone, or its clock cannot
 * be read. */
bool process_cpu_ns(pid_t pid, uint64_t *cpu_ns) MUST_CHECK;

/* The calling thread's children, the ended ones too: how many there are, the first of them into
 * pids. 0 if the kernel does not report them (before 4.2, or without CONFIG_PROC_CHILDREN). */
size_t process_children(pid_t *pids, size_t max);

/* All of them, to be freed; NULL: none, or no memory. */
pid_t *process_all_children(size_t *count);

/* Whether it is that process, or descends from it. False as well where it has gone. */
bool process_descends(pid_t pid, pid_t from);

/* Calls for each child of each thread of a process; for none if the kernel does not report them. */
void process_each_child(pid_t pid, void (*each)(void *context, pid_t child), void *context);

/* A process and all that it and its descendants have started, ended ones included, the process itself first: the number
 * have found room in pids. */
size_t process_family(pid_t pid, pid_t *pids, size_t max);

/* The same with all of them, to be freed. NULL: no memory, and *count is 0. */
pid_t *process_whole_family(pid_t pid, size_t *count);

/* Adds a name to a list "sleep, nginx", once, where there is room for it. */
void process_name_add(const char *name, char *names, size_t size);

#endif
