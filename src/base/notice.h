/* SPDX-License-Identifier: MIT
 * Warnings about a result: kind, what, why and fix. They are part of the result, in every output. Used in most rooms of
 * the program. Begin with notices_clear(). */
#ifndef BASE_NOTICE_H
#define BASE_NOTICE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct notice {
    enum notice_kind kind;
    const char *what, *why, *fix; /* "": none; of any length, and the list's own */
    size_t alike;                 /* in groups: further ones like it */
};

/* It grows with each notice; all zero is an empty list. It owns its texts: notices_clear() releases them, and a list is
 * never copied by assignment. */
struct notices {
    struct notice *item;
    size_t count;
    size_t left_out; /* notices that found no memory, or that an older record left out */
    uint32_t *index; /* of a long list: where each `what` is, by its hash */
    size_t index_size;
};

/* None are in it any more, and nothing is held. */
void notices_clear(struct notices *notices);
#define AUTO_NOTICES __attribute__((cleanup(notices_clear)))

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
 * (alike). notice_groups_tell adds each once, and leaves no groups. */
void notice_groups_add(struct notices *groups, const struct notices *of_one_thing);
void notice_groups_tell(struct notices *groups, struct notices *notices);
/* A notice of another list, as it is. */
void notice_copy(struct notices *notices, const struct notice *notice);
/* All that are in another list; how many that one left out is not added. */
void notices_copy(struct notices *notices, const struct notices *more);
/* The same as another list, and nothing else; from itself it stays. */
void notices_set(struct notices *notices, const struct notices *from);
/* Keeps the first `count` notices. */
void notices_cut(struct notices *notices, size_t count);
/* An error as a notice, for who prints it; as long as the error is there. */
struct notice notice_of_error(const struct error *error);

#endif
