/* SPDX-License-Identifier: MIT
 * The map that a JIT writes of its code for perf: /tmp/perf-PID.map, of Python (-X perf), node (--perf-basic-prof),
 * Java. Used by symbols.c. Begin with perf_map_read(). */
#ifndef PROFILE_PERF_MAP_H
#define PROFILE_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_map_entry {
    uint64_t start, end;
    const char *name; /* name within text */
};

/* Sorted; where two lie over each other the later line holds. */
struct perf_map {
    struct perf_map_entry *entries;
    size_t count;
    char *text;
    bool cut; /* it is longer than the part that is read */
};

enum { PERF_MAP_BYTES_MAX = 64 << 20 };

/* A line is "START SIZE NAME", in hexadecimal; others are left out. False: it cannot be read, or no memory. */
bool perf_map_read(struct perf_map *map, int fd);
void perf_map_close(struct perf_map *map);

/* NULL: nothing is there. */
const char *perf_map_name(const struct perf_map *map, uint64_t address);

#endif
