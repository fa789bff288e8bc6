/* SPDX-License-Identifier: MIT
 * One record of perf's ring, parsed. Pure: begin here to see the kernel's data, then rings.h. Used by
 * objects.h and rings.h. Begin with perf_record_of(). */
#ifndef PROFILE_PERF_RECORD_H
#define PROFILE_PERF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a sample has, and in the same order but for frames what ends every other record (sample_id_all). */
#define PERF_RECORD_FIELDS                                                                                             \
    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN)

/* And behind that, where stacks are to be found by DWARF. */
#define PERF_RECORD_STACK_FIELDS (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

enum perf_kind {
    PERF_OTHER, /* nothing that matters, or not a whole record */
    PERF_SAMPLED,
    PERF_MAPPED,   /* memory that can be executed has a file behind it, or none */
    PERF_NAMED,    /* a thread has a name */
    PERF_EXECUTED, /* likewise, and its process is another program: nothing of the old one is mapped any more */
    PERF_FORKED,   /* a thread or a process has begun */
    PERF_ENDED,    /* a thread has ended */
    PERF_LOST_SOME,
};

struct perf_mapping {
    uint64_t start, length, offset;
    uint64_t device, inode; /* inode 0: no file */
    const char *path;       /* as the process sees it: "/usr/bin/sh", "//anon", "[vdso]" */
};

struct perf_record {
    enum perf_kind kind;
    uint64_t time_ns; /* CLOCK_MONOTONIC */
    pid_t pid, tid;
    pid_t parent_pid;     /* parent in a PERF_FORKED */
    const char *name;     /* of PERF_NAMED and PERF_EXECUTED */
    uint64_t lost;        /* of PERF_LOST_SOME: how many records */
    bool in_kernel;       /* context of a PERF_SAMPLED */
    uint64_t ip;          /* address of a PERF_SAMPLED */
    const uint64_t *from; /* likewise: frames, innermost first, with marks of their kinds (perf_frame_is_mark) */
    size_t from_count;
    const uint64_t *registers; /* likewise, of the user, as unwind.h wants them; NULL: not asked for, or of 32 bits */
    const char *stack;         /* what the user's stack pointer points to */
    size_t stack_size;
    struct perf_mapping mapping; /* mapping of a PERF_MAPPED */
};

/* From here on the frames are of the kernel, or of the user. */
#define PERF_FRAME_KERNEL ((uint64_t)-128)
#define PERF_FRAME_USER ((uint64_t)-512)

static inline bool perf_frame_is_mark(uint64_t frame)
{
    return frame >= (uint64_t)-4095;
}

/* The record of this number of bytes, aligned to 8; its pointers point into them. Any other content is PERF_OTHER
 * where it does not fit. */
struct perf_record perf_record_of(const void *bytes, size_t size);

#endif
