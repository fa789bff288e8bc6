/* SPDX-License-Identifier: MIT
 * Open addressing: a slot is the digest of its key, empty if it begins with NUL, and the value. At most half of the
 * slots are taken. */
#include "io/disk_map.h"

#include "io/sha256.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_BYTES = 1 << 21, VALUE_BYTES = 256, PATH_BYTES = 4096, HASH_DIGITS = 15 };

static size_t slot_size(const struct disk_map *map)
{
    return DISK_MAP_DIGEST + map->value_size;
}

static int open_nameless(void)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_BYTES];
    int fd;

    if (snprintf(path, sizeof path, "%s/carbon-XXXXXX", folder && *folder ? folder : "/tmp") >= (int)sizeof path)
        return -1;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

/* Without a temporary file all of it is in memory. */
bool disk_map_open(struct disk_map *map, size_t keys, size_t value_size, struct error *err)
{
    *map = (struct disk_map){ .slots = 2 * keys + 1, .value_size = value_size, .fd = -1 };
    if (value_size > VALUE_BYTES)
        return error_set(err, ERROR_SYSTEM, "a value of %zu bytes is too large", value_size);
    if (map->slots > MEMORY_BYTES / slot_size(map)) {
        map->fd = open_nameless();
        if (map->fd >= 0 && ftruncate(map->fd, (off_t)(map->slots * slot_size(map))) == 0)
            return true;
    }
    map->memory = calloc(map->slots, slot_size(map));
    return map->memory || error_errno(err, "no memory for %zu keys", keys);
}

void disk_map_close(struct disk_map *map)
{
    free(map->memory);
    map->memory = NULL;
    if (map->fd >= 0)
        close(map->fd);
    map->fd = -1;
}

static bool get_slot(const struct disk_map *map, size_t at, unsigned char *slot, struct error *err)
{
    const size_t size = slot_size(map);

    if (map->memory) {
        memcpy(slot, map->memory + at * size, size);
        return true;
    }
    return pread(map->fd, slot, size, (off_t)(at * size)) == (ssize_t)size ||
           error_errno(err, "cannot read a temporary file");
}

static bool set_slot(struct disk_map *map, size_t at, const unsigned char *slot, struct error *err)
{
    const size_t size = slot_size(map);

    if (map->memory) {
        memcpy(map->memory + at * size, slot, size);
        return true;
    }
    return pwrite(map->fd, slot, size, (off_t)(at * size)) == (ssize_t)size ||
           error_errno(err, "cannot write a temporary file");
}

/* The slot of the key, or the empty one where it would be, and the key's digest. */
static bool seek(const struct disk_map *map, const char *key, char digest[SHA256_TEXT_SIZE], size_t *at,
                 unsigned char *slot, struct error *err)
{
    char start[HASH_DIGITS + 1] = "";

    sha256_of_bytes(key, strlen(key), digest);
    memcpy(start, digest, HASH_DIGITS);
    for (*at = strtoull(start, NULL, 16) % map->slots;; *at = (*at + 1) % map->slots) {
        if (!get_slot(map, *at, slot, err))
            return false;
        if (!*slot || memcmp(slot, digest, DISK_MAP_DIGEST) == 0)
            return true;
    }
}

bool disk_map_find(const struct disk_map *map, const char *key, void *value, bool *found, struct error *err)
{
    unsigned char slot[DISK_MAP_DIGEST + VALUE_BYTES];
    char digest[SHA256_TEXT_SIZE];
    size_t at;

    if (!seek(map, key, digest, &at, slot, err))
        return false;
    *found = *slot != '\0';
    if (*found)
        memcpy(value, slot + DISK_MAP_DIGEST, map->value_size);
    return true;
}

bool disk_map_put(struct disk_map *map, const char *key, const void *value, struct error *err)
{
    unsigned char slot[DISK_MAP_DIGEST + VALUE_BYTES];
    char digest[SHA256_TEXT_SIZE];
    size_t at;

    if (!seek(map, key, digest, &at, slot, err))
        return false;
    memcpy(slot, digest, DISK_MAP_DIGEST);
    memcpy(slot + DISK_MAP_DIGEST, value, map->value_size);
    return set_slot(map, at, slot, err);
}
