/* SPDX-License-Identifier: MIT
 * A map from texts to values of one size, in a bounded amount of memory: beyond that it is in a temporary file without
 * a name. Used by commands/history/codecarbon_runs.c. Begin with disk_map_open(). */
#ifndef IO_DISK_MAP_H
#define IO_DISK_MAP_H

#include "base/error.h"

#include <stddef.h>

/* Keys are equal if the first 96 bits of their SHA-256 are. */
enum { DISK_MAP_DIGEST = 24 };

struct disk_map {
    size_t slots, value_size;
    unsigned char *memory; /* of slots; NULL: they are in the file */
    int fd;
};

/* For at most this many keys. */
bool disk_map_open(struct disk_map *map, size_t keys, size_t value_size, struct error *err) MUST_CHECK;
void disk_map_close(struct disk_map *map);

/* *found is false, and value unchanged, for a key without a value. */
bool disk_map_find(const struct disk_map *map, const char *key, void *value, bool *found, struct error *err) MUST_CHECK;

/* Adds or replaces. */
bool disk_map_put(struct disk_map *map, const char *key, const void *value, struct error *err) MUST_CHECK;

#endif
