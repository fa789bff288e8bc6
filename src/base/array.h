/* SPDX-License-Identifier: MIT
 * Arrays that grow. Used in most rooms of the program. Begin with ARRAY_MIN. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARRAY_MIN = 16 };

/* The array, with room for so many items: *room says for how many, and at least doubles where it grows. What is new is
 * not cleared. Without memory both are as they were, so that *room < wanted tells. */
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

#endif
