/* SPDX-License-Identifier: MIT
 * The last-level cache of the processors, from /sys. Used by commands/probe/load_memory.c, measurement/attach.c
 * and usage/touched.c. Begin with cache_read(). */
#ifndef BASE_CPU_CACHE_H
#define BASE_CPU_CACHE_H

#include "base/sysroot.h"

struct cache {
    uint64_t bytes; /* of the largest one; 0: not known */
    unsigned count; /* how many there are, each shared by CPUs of its own */
};

struct cache cache_read(const struct root *root);

#endif
