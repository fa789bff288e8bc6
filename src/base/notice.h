/* SPDX-License-Identifier: MIT
 * Warnings about a result: kind, what, why and fix. They are part of the result, in every output. Used in most rooms of
 * the program. Begin with notices_clear(). */
#ifndef BASE_NOTICE_H
#define BASE_NOTICE_H

#include "base/error.h"

#include <stddef.h>

enum { NOTICES_MAX = 32 };

struct notices {
    struct error item[NOTICES_MAX]; /* each with its notice kind */
    size_t count;
    size_t left_out; /* more than NOTICES_MAX were found */
};

/* None are in it any more. */
void notices_clear(struct notices *notices);

/* Adds a notice, unless one with the same `what` is there. why and fix may be "". */
void notice_add(struct notices *notices, enum notice_kind kind, const char *why, const char *fix, const char *what, ...)
    PRINTF_LIKE(5, 6);
/* What failed without ending the work. */
void notice_add_error(struct notices *notices, enum notice_kind kind, const struct error *error);
/* The reason why a source or a domain cannot be read has the kind of its driver, else one derived from its error; none
 * where it is just not on this machine. */
enum notice_kind notice_kind_of_refusal(const struct error *refusal);
void notice_add_refusal(struct notices *notices, const struct error *refusal);
/* Merges notices about several things: of one kind with one fix, the first stays, with the number of further ones
 * are, so that none pushes others out. */
struct notice_groups {
    struct notices firsts;
    size_t more[NOTICES_MAX];
};
void notice_groups_begin(struct notice_groups *groups);
void notice_groups_add(struct notice_groups *groups, const struct notices *of_one_thing);
void notice_groups_tell(const struct notice_groups *groups, struct notices *notices);
/* A notice of another list, as it is. */
void notice_copy(struct notices *notices, const struct error *notice);
/* All that are in another list; how many that one left out is not added. */
void notices_copy(struct notices *notices, const struct notices *more);

#endif
