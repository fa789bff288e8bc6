/* SPDX-License-Identifier: MIT
 * Landlock: the files that this process, and its later children, may reach by their paths. Open files stay
 * so. By a kernel that has it (since Linux 5.13), without any rights. Used by commands/serve/confine.c. Begin with
 * landlock_open(). */
#ifndef RUN_LANDLOCK_H
#define RUN_LANDLOCK_H

#include "base/error.h"

#include <stdint.h>

enum {
    LANDLOCK_LIST = 1,  /* see what is in folders */
    LANDLOCK_READ = 2,  /* files, and folders */
    LANDLOCK_WRITE = 4, /* files and devices that are there */
    LANDLOCK_MAKE = 8,  /* files, and take them away */
    LANDLOCK_REMOVE = 16
};

struct landlock {
    int rules_fd;
    uint64_t files; /* what this kernel can forbid of them */
};

/* Nothing is allowed yet: no file, no connection by TCP (unless it connects), no other program. False: the kernel has
 * no Landlock, or does not let this process have it. */
bool landlock_open(struct landlock *landlock, bool connects, struct error *err) MUST_CHECK;

/* A file, or a folder and all below it. What is not there is left out. */
void landlock_allow(const struct landlock *landlock, const char *path, unsigned what);

/* Once and for all: for the calling thread and those that it makes. After PR_SET_NO_NEW_PRIVS. */
bool landlock_enter(const struct landlock *landlock, struct error *err) MUST_CHECK;
void landlock_close(struct landlock *landlock);

#endif
