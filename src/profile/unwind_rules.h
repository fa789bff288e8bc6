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
    int asked;    /* end of a socket; -1: there is no reader */
    pid_t pid;
    uint8_t life; /* readers that there were, this one counted */
};

/* Rules that are remembered: when these are all, it is begun anew. */
enum { UNWIND_RULES_MAX = 1 << 15 };

/* Begins the reader: before the job is, which it is no part of. False: there is nobody to ask (no libdw, another
 * processor), or no memory. */
bool unwind_rules_open(struct unwind_rules *rules, struct error *err) MUST_CHECK;
void unwind_rules_close(struct unwind_rules *rules);

/* Of a place in the file that is open, which is `object` to the caller; valid until the next call. */
const struct unwind_rule *unwind_rules_find(struct unwind_rules *rules, uint32_t object, int fd, uint64_t offset);

#endif
