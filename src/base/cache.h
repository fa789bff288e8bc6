/* SPDX-License-Identifier: MIT
 * The last-level cache of the processors, as /sys tells it. */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "base/root.h"

struct cache {
    uint64_t bytes; /* of the largest one; 0: not known */
    unsigned count; /* how many there are, each shared by CPUs of its own */
};

struct cache cache_read(const struct root *root);

#endif
