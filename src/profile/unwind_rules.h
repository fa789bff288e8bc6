/* SPDX-License-Identifier: MIT
 * The rules by which callers are found, each asked for once: of a process that reads the files, so that one that makes
 * a library fail or takes it too long costs its rules alone. Used by sampler.c. Begin with unwind_rules_open(). */
#ifndef PROFILE_UNWIND_RULES_H
#define PROFILE_UNWIND_RULES_H

#include "base/error.h"
#include "profile/unwind.h"

#include <sys/types.h>

struct cached_rule;

struct unwind_rules {
    struct cached_rule *cached; /* NULL: no rules are wanted */
    size_t count;
    uint8_t
        *sent_in; /* of each object in which life of the reader its file was sent; 0: in none, UINT8_MAX: it fails */
    int asked;    /* end of a socket; -1: the reader has ended */
    pid_t pid;
    uint8_t life; /* readers that there were, this one counted */
};

/* Rules that are remembered: one more, and all are forgotten. */
enum { UNWIND_RULES_MAX = 1 << 15 };

/* Begins the reader; call it before the job begins, so that the reader does not count as part of it. False: rules
 * cannot be read (no libdw, another processor), or no memory. */
bool unwind_rules_open(struct unwind_rules *rules, struct error *err) MUST_CHECK;
void unwind_rules_close(struct unwind_rules *rules);

/* The rule for an offset of the open file, whose number is `object`; valid until the next call. */
const struct unwind_rule *unwind_rules_find(struct unwind_rules *rules, uint32_t object, int fd, uint64_t offset);

#endif
