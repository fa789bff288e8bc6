/* SPDX-License-Identifier: MIT
 * Maps of few keys, in memory, and of many, in a file: each key has its own value. */
#include "unit.h"

#include "io/disk_map.h"

#include <stdint.h>
#include <stdio.h>

struct value {
    uint64_t number;
    char room[192]; /* so that 20,000 keys are more than is held in memory */
};

static void hold(size_t keys, bool in_memory)
{
    struct error err = { .kind = ERROR_NONE };
    struct disk_map map;
    struct value value = { .number = 0 };
    char key[32];
    bool found;

    ck_assert_msg(disk_map_open(&map, keys, sizeof value, &err), "%s", err.what);
    ck_assert_int_eq(map.memory != NULL, in_memory);
    for (size_t i = 0; i < keys; i++) {
        snprintf(key, sizeof key, "key %zu", i);
        ck_assert(disk_map_find(&map, key, &value, &found, &err) && !found);
        value.number = i;
        ck_assert(disk_map_put(&map, key, &value, &err));
        value.number = i * i;
        ck_assert(i % 2 == 0 || disk_map_put(&map, key, &value, &err));
    }
    for (size_t i = 0; i < keys; i++) {
        snprintf(key, sizeof key, "key %zu", i);
        ck_assert(disk_map_find(&map, key, &value, &found, &err) && found);
        ck_assert_uint_eq(value.number, i % 2 ? i * i : i);
    }
    ck_assert(disk_map_find(&map, "", &value, &found, &err) && !found);
    disk_map_close(&map);
}

START_TEST(few_keys_are_in_memory)
{
    hold(1, true);
    hold(100, true);
}
END_TEST

START_TEST(many_keys_are_in_a_file)
{
    hold(20000, false);
}
END_TEST

/* Without a folder for it. */
START_TEST(without_a_file_they_are_in_memory)
{
    setenv("TMPDIR", "/nonexistent/folder", 1);
    hold(20000, true);
    unsetenv("TMPDIR");
}
END_TEST

UNIT_SUITE("disk_map", few_keys_are_in_memory, many_keys_are_in_a_file, without_a_file_they_are_in_memory)
