/* SPDX-License-Identifier: MIT
 * Answers kept on disk, a file each: $XDG_CACHE_HOME/carbon/live/SERVICE/. Used by live.c. Begin with cached_read(). */
#ifndef GRID_LIVE_CACHE_H
#define GRID_LIVE_CACHE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* What was answered, when, and until when it is taken for the present answer. */
struct cached_answer {
    char url[512];
    char scope[96]; /* what it is of: zone, basis and part */
    uint64_t from_s, to_s, retrieved_s, valid_until_s;
    char *body; /* with a NUL behind it */
    size_t length;
};

/* The answer to just this URL. False: there is none that is whole; a broken file is none. cached_close afterwards. */
bool cached_read(const char *service, const char *url, struct cached_answer *stored) MUST_CHECK;
void cached_close(struct cached_answer *stored);

/* Replaces the cached answer of this URL in one step, so that other processes that do the same at the same time
 * find the one or the other. Only its owner may read it. Fails where it cannot be written; where no variable says where
 * a cache may be, nothing is kept. */
bool cached_write(const char *service, const struct cached_answer *stored, struct error *err) MUST_CHECK;

/* Every complete one of a service with this scope that covers a part of this time, the latest first; whether it has
 * still is not asked. The caller closes each and frees the list. */
struct cached_answer *cached_all(const char *service, const char *scope, uint64_t from_s, uint64_t to_s, size_t *count);

#endif
