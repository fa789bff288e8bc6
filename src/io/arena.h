/* SPDX-License-Identifier: MIT
 * Memory for many small things that are all released at once. Used in commands/indicator, commands/report, io and
 * series. Begin with arena_get(). */
#ifndef IO_ARENA_H
#define IO_ARENA_H

#include "base/error.h"

#include <stddef.h>

struct arena {
    struct arena_block *blocks; /* NULL: nothing yet */
};

/* Zeroed, aligned for any type; NULL: no memory. */
void *arena_get(struct arena *arena, size_t size);

/* A copy of these bytes with a NUL behind them. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);

char *arena_print(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

void arena_close(struct arena *arena); /* harmless twice */

#endif
