/* SPDX-License-Identifier: MIT
 * Notices below a result. Used in result and 7 commands. Begin with notices_text(). */
#ifndef FORM_NOTICES_TEXT_H
#define FORM_NOTICES_TEXT_H

#include "base/notice.h"

#include <stdio.h>

/* "note: what: why" and, where there is one, "hint: fix"; of: whom they are about, or "". */
void notices_text(FILE *out, const struct notices *notices, const char *of, bool colour);

/* Notices of several things in one list; equal ones once, with the names of all concerned. */
struct notices_of {
    const char *name;
    const struct notices *notices;
};
void notices_of_several(struct notices *all, const struct notices_of *several, size_t count);

/* Likewise: `own`, and those of a number of items, each `size` long. */
void notices_with_items(struct notices *all, const struct notices *own, const void *items, size_t count, size_t size,
                        struct notices_of (*of_item)(const void *item));

/* "  hint    ..." of the first notice of this kind that has one. */
void notices_text_hint(FILE *out, const struct notices *notices, enum notice_kind kind, int width);

/* Whether the page says a notice already. */
typedef bool notice_is_said(const void *page, const struct notice *notice, size_t index);

/* Below "  notes   " those that matter most, each cut to a line of this number of columns, and the number of further
 * ones; without those that are said. Nothing where there are none. */
enum { NOTES_SHOWN = 2 };
void notices_text_short(FILE *out, const struct notices *notices, size_t lines, int width, bool colour,
                        const char *more, notice_is_said *is_said, const void *page);

#endif
