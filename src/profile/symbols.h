/* SPDX-License-Identifier: MIT
 * Every frame of a profile by name: the function, its library, and the line of source where debug information says it.
 * Used by tally.h. Begin with symbols_open(). */
#ifndef PROFILE_SYMBOLS_H
#define PROFILE_SYMBOLS_H

#include "base/notice.h"
#include "profile/sampler.h"

struct function {
    const char *name;    /* "[unknown]" where nothing names it */
    const char *library; /* "libc.so.6", "[kernel]", "[jit]" */
    uint32_t next;
};

struct source_line {
    const char *file; /* NULL: not known */
    unsigned line;
};

struct symbols {
    struct function *functions;
    size_t count, size;
    uint32_t *buckets; /* number + 1 */
    uint32_t *of_node; /* of each node of the tree its function; of a thread UINT32_MAX */
    struct source_line *lines;
    char **texts; /* names that the functions borrow */
    size_t text_count, text_size;
    uint64_t unnamed; /* samples whose own function has no name */
};

struct symbols_options {
    bool debuginfod;
    const char *kallsyms; /* the kernel's list; NULL: /proc/kallsyms */
};

/* Names all that the tree has; the objects and the tree are borrowed. Notices report unnamed parts. */
bool symbols_open(struct symbols *symbols, const struct sampler *sampler, const struct symbols_options *options,
                  struct notices *notices, struct error *err) MUST_CHECK;
void symbols_close(struct symbols *symbols);

#endif
