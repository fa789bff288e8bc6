/* SPDX-License-Identifier: MIT
 * Arrays: how they grow, the order of two items, and where one is in a sorted one. Used in most rooms of the program.
 * Begin with array_room. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARRAY_MIN = 16 };

/* Returns the array with room for `wanted` items; *room is its size in items, which at least doubles when it grows. New
 * items are not cleared. Without memory, array and *room are unchanged: check *room < wanted. */
MUST_CHECK static inline void *array_room(void *items, size_t *room, size_t wanted, size_t item_size)
{
    size_t more = *room ? *room : ARRAY_MIN;
    void *larger;

    if (wanted <= *room || wanted > PTRDIFF_MAX / item_size)
        return items;
    while (more < wanted)
        more *= 2;
    larger = reallocarray(items, more, item_size);
    if (!larger)
        return items;
    *room = more;
    return larger;
}

/* The array, with room for one more behind count, of one that only this makes grow; NULL: no memory, and it is as it
 * was. */
MUST_CHECK static inline void *array_next(void *items, size_t count, size_t item_size)
{
    return count & (count - 1) ? items : reallocarray(items, count ? 2 * count : 1, item_size);
}

/* What a comparison for qsort returns of two numbers, or of two places in one array. */
#define ARRAY_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* How many items of a sorted array have a key of value or less; first_key: the first item's, which the others have at
 * the same place. */
static inline size_t array_up_to(const uint64_t *first_key, size_t count, size_t item_size, uint64_t value)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint64_t *key = (const uint64_t *)(const void *)((const char *)first_key + middle * item_size);
        if (*key > value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* How many have a key below value: where the one with value is, or would be put. */
static inline size_t array_below(const int64_t *first_key, size_t count, size_t item_size, int64_t value)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int64_t *key = (const int64_t *)(const void *)((const char *)first_key + middle * item_size);
        if (*key < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
