/* SPDX-License-Identifier: MIT
 * Asking a service over the network. Used by live.c. Begin with live_ask(). */
#ifndef GRID_LIVE_ASK_H
#define GRID_LIVE_ASK_H

#include "base/notice.h"
#include "grid/live_service.h"
#include "io/http.h"

/* What all requests of one query have in common. */
struct live_line {
    const struct live_service *service;
    const char *base_url;
    uint64_t deadline_ns; /* CLOCK_MONOTONIC */
    bool (*stop)(void);   /* see struct live_query */
    char *bearer;         /* the key or a token as it is sent, once there is one; live_forget in the end */
};

/* The key is looked for, and the login made, where they are wanted first. A clock that is wrong becomes a notice.
 * http_close in any case: *http is zeroed before. */
bool live_ask(struct live_line *line, const char *url, struct http_answer *http, struct notices *notices,
              struct error *err) MUST_CHECK;

#endif
