/* SPDX-License-Identifier: MIT
 * What code lies in: files, the kernel, memory that a JIT has written. Each once, however many processes have it. Used
 * by processes.h. Begin with objects_open(). */
#ifndef PROFILE_OBJECTS_H
#define PROFILE_OBJECTS_H

#include "profile/perf_record.h"

#include "base/error.h"

enum object_kind {
    OBJECT_UNKNOWN, /* an address without a mapping */
    OBJECT_KERNEL,
    OBJECT_FILE,
    OBJECT_JIT,  /* memory without a file, of one process */
    OBJECT_VDSO, /* code that the kernel gives each process, which carbon has, too */
};

struct object {
    enum object_kind kind;
    char *path; /* as the process saw it; of others than files "[kernel]" and the like */
    uint64_t device, inode;
    uint64_t start, end; /* addresses of a file's mapping in `pid` */
    bool deleted;        /* the file had no name any more when it was mapped, or looked at */
    pid_t pid;           /* of OBJECT_JIT: whose; of a file: that was seen first with it */
    int fd;              /* of a file that was sampled, or the perf map of a JIT's process; -1: none */
    bool tried;          /* to open it */
    bool changed;        /* the file is another one by now */
    uint32_t next;
};

enum { OBJECT_OF_NOTHING = 0, OBJECT_OF_KERNEL = 1, OBJECTS_BUCKETS = 1024, OBJECTS_MAX = 1 << 16 };

struct objects {
    struct object *items;
    size_t count, size;
    uint32_t buckets[OBJECTS_BUCKETS];
    size_t open; /* files that are */
};

bool objects_open(struct objects *objects, struct error *err) MUST_CHECK;
void objects_close(struct objects *objects);

/* Of a mapping of a process; OBJECT_OF_NOTHING without room. */
uint32_t objects_of_mapping(struct objects *objects, pid_t pid, const struct perf_mapping *mapping);

/* It was sampled in this process: it is opened while that lives, so that a file of a container or one that is removed
 * can be read in the end. */
void objects_sampled(struct objects *objects, uint32_t object, pid_t pid);

/* The name for people: "libc.so.6", "[kernel]". */
const char *object_name(const struct object *object);

#endif
