/* SPDX-License-Identifier: MIT
 * One call of a service of this machine behind a Unix socket. Used by ask.c, container_attend.c and container_image.c.
 * Begin with http_call(). */
#ifndef CONTAINER_HTTP_CALL_H
#define CONTAINER_HTTP_CALL_H

#include "base/error.h"
#include "io/http_answer.h"

/* A call of a service behind a Unix socket. No proxy, no redirect, no second try. */
struct http_call {
    const char *socket;   /* its path */
    const char *method;   /* "GET", "POST", "DELETE" */
    const char *path;     /* "/containers/json?all=1", escaped */
    const char *body;     /* JSON; NULL: none */
    uint64_t deadline_ns; /* of clock_monotonic_ns; 0: none */
    size_t max_bytes;     /* maximum stored body */

    /* What the three below get. */
    void *context;
    /* The answer begins, with this status; false ends the call. NULL: nothing is to be done then. */
    bool (*begin)(void *context, int status);
    /* The body of a 2xx as it comes, which is not kept then; false ends the call. NULL: it is kept. */
    bool (*take)(void *context, const char *bytes, size_t length);
    /* Asked at least once a second, and at once when `wake` can be read: true ends the call. NULL: never. */
    bool (*stop)(void *context);
    int wake; /* a descriptor; -1: none */
};

/* True: there was an answer, whatever its status. http_close in any case. A call that begin, take or stop has ended
 * fails with ERROR_SYSTEM, with the status received by then. */
bool http_call(const struct http_call *call, struct http_answer *answer, struct error *err) MUST_CHECK;

#endif
