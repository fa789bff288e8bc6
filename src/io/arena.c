/* SPDX-License-Identifier: MIT
 * Blocks in a list; what is large has one of its own. */
#include "io/arena.h"

#include "base/c_locale.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 14, ALIGNMENT = _Alignof(max_align_t) };

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

static struct arena_block *block_of(struct arena *arena, size_t size)
{
    const size_t wanted = size > BLOCK_BYTES / 4 ? size : BLOCK_BYTES;
    struct arena_block *first = arena->blocks, *block;

    if (first && first->size - first->used >= size)
        return first;
    block = calloc(1, sizeof *block + wanted);
    if (!block)
        return NULL;
    block->size = wanted;
    /* one of its own is laid behind the first, which goes on being filled */
    if (first && wanted == size) {
        block->next = first->next;
        first->next = block;
    } else {
        block->next = first;
        arena->blocks = block;
    }
    return block;
}

void *arena_get(struct arena *arena, size_t size)
{
    struct arena_block *block;
    void *got;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block = block_of(arena, size);
    if (!block)
        return NULL;
    got = block->bytes + block->used;
    block->used += size;
    return got;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
    char *copy = arena_get(arena, length + 1);

    if (copy && length)
        memcpy(copy, bytes, length);
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    int length;

    va_start(arguments, format);
    length = c_vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0)
        text = arena_get(arena, (size_t)length + 1);
    if (!text)
        return NULL;
    va_start(arguments, format);
    c_vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_close(struct arena *arena)
{
    for (struct arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena->blocks = NULL;
}
