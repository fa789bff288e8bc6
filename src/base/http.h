/* SPDX-License-Identifier: MIT
 * One document by HTTP: within a time, within a size, over verified TLS, and a key to nobody but its host. */
#ifndef BASE_HTTP_H
#define BASE_HTTP_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct http_request {
    const char *url;      /* https://, or http:// to this machine itself; no key stands in it */
    const char *secret;   /* a header with a key, "auth-token: ...", or NULL; never told to anyone but the url's host */
    const char *login;    /* "user:password" for HTTP Basic, or NULL; likewise */
    uint64_t deadline_ns; /* of clock_monotonic_ns: retries and redirects are over by then, too */
    size_t most_bytes;    /* of the body, once unpacked */
    bool (*stop)(void);   /* asked at least once a second: true ends the waiting; NULL: never */
};

struct http_answer {
    int status; /* of the last answer; 0: there was none */
    char *body; /* with a NUL behind it, or NULL */
    size_t length;
    uint64_t date_s; /* the server's clock, since 1970; 0: not said */
};

/* A GET. What may pass (429, 5xx, a connection that breaks off) is tried again, thrice in all, after the time that the
 * server asks for (Retry-After) or half a second, then one. Proxies are those of the environment (https_proxy and so
 * on). Fails where the answer is not a 2xx, too; the body is there then. http_close in any case. */
bool http_get(const struct http_request *request, struct http_answer *answer, struct error *err) MUST_CHECK;
void http_close(struct http_answer *answer);

/* Adds a part of a path or query, escaped. */
void http_add_escaped(struct text *url, const char *part);

/* Whether it is a URL that http_get would ask; host gets what it names, for messages. */
enum { HTTP_HOST_SIZE = 128 };
bool http_check_url(const char *url, char host[HTTP_HOST_SIZE], struct error *err) MUST_CHECK;

#endif
