/* SPDX-License-Identifier: MIT
 * Doubts found on the way: what, why, what to do. Part of the result, in every output. */
#ifndef BASE_NOTICE_H
#define BASE_NOTICE_H

#include "base/error.h"

#include <stddef.h>

enum { NOTICES_MAX = 32 };

struct notices {
    struct error item[NOTICES_MAX];
    size_t count;
    size_t left_out; /* more than NOTICES_MAX were found */
};

/* Adds a notice, unless one with the same `what` is there. why and fix may be "". */
void notice_add(struct notices *notices, const char *why, const char *fix, const char *what, ...) PRINTF_LIKE(4, 5);
void notice_add_error(struct notices *notices, const struct error *error);

#endif
