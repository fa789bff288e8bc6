/* SPDX-License-Identifier: MIT
 * JSON as text: where each value begins and ends (scan_read.h), so that it can be passed on byte by byte. Used by
 * indicator_contract.h, scan_read.h and spans.h. Begin with scan_close(). */
#ifndef COMMANDS_INDICATOR_SCAN_H
#define COMMANDS_INDICATOR_SCAN_H

#include <stddef.h>
#include <stdint.h>

enum scan_kind { SCAN_NULL, SCAN_TRUE, SCAN_FALSE, SCAN_NUMBER, SCAN_NAN, SCAN_TEXT, SCAN_ARRAY, SCAN_OBJECT };

/* One value, identified by a number: 0 is the whole document, and as `first` or `next` 0 is none. Places are bytes of
 * the text; end is after the last one. */
struct json_span {
    enum scan_kind kind;
    uint32_t start, end;         /* a text with its quotes */
    uint32_t key_start, key_end; /* likewise; both 0 if it is not a member */
    uint32_t first, next;        /* child, sibling */
    uint32_t count;              /* number of children */
};

struct scan {
    const char *text; /* borrowed */
    size_t length;
    struct json_span *nodes;
    uint32_t count, size;
    uint32_t nan_count, first_nan;
};

void scan_close(struct scan *scan);

static inline const struct json_span *scan_span(const struct scan *scan, uint32_t node)
{
    return &scan->nodes[node];
}

/* The member of an object; 0: missing, or not an object. */
uint32_t scan_member(const struct scan *scan, uint32_t object, const char *key);

/* The content of a text or a key, unescaped (a lone surrogate is U+FFFD), with a NUL after it; freed by the caller.
 * NULL: no memory. */
char *scan_text(const struct scan *scan, uint32_t node);
char *scan_key(const struct scan *scan, uint32_t node);

/* A number as a double; NAN for other values. */
double scan_number(const struct scan *scan, uint32_t node);

#endif
