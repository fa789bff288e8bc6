/* SPDX-License-Identifier: MIT
 * The processes of a job from perf: the mapped files of each, and the names of their threads. Used
 * by sampler.h. Begin with processes_open(). */
#ifndef PROFILE_PROCESSES_H
#define PROFILE_PROCESSES_H

#include "profile/objects.h"

struct process_map;

/* Processes that are known at a time: a ring that was full hides the end of some, and these would stay for ever. */
enum { THREADS_MAX = 4096, PROCESSES_MAX = 8192, PROCESS_BUCKETS = 1024 };

/* A thread under one name; an execve, which gives it another, makes it another. */
struct thread {
    pid_t pid, tid;
    char name[16];
    uint64_t began_ns;
};

struct processes {
    struct objects objects;
    struct process_map *buckets[PROCESS_BUCKETS];
    size_t process_count;
    struct thread *threads; /* all that were sampled, [0] those without room */
    size_t thread_count;
};

bool processes_open(struct processes *processes, struct error *err) MUST_CHECK;
void processes_close(struct processes *processes);

/* Applies a record other than a sample. */
void processes_take(struct processes *processes, const struct perf_record *record);

/* A running target, from /proc. */
void processes_find(struct processes *processes, pid_t pid);

/* Where an address of a process lies: the object, and the place in it (of a file the offset, else the address). */
struct place {
    uint32_t object;
    uint64_t at;
};
struct place processes_place(const struct processes *processes, pid_t pid, uint64_t address);

/* The number of a thread in `threads`. */
uint32_t processes_thread(struct processes *processes, pid_t pid, pid_t tid, uint64_t time_ns);

#endif
