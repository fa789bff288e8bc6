/* SPDX-License-Identifier: MIT
 * The answer to a request by HTTP. Used in container, io and outside. Begin with http_close(). */
#ifndef IO_HTTP_ANSWER_H
#define IO_HTTP_ANSWER_H

#include <stddef.h>
#include <stdint.h>

struct http_answer {
    int status; /* of the last answer; 0: there was none */
    char *body; /* with a NUL behind it, or NULL */
    size_t length;
    uint64_t date_s; /* the server's clock, since 1970; 0: not said */
    long wait_s;     /* Retry-After: how long the server wants to be left alone; -1: not said */
};

void http_close(struct http_answer *answer);

#endif
