/* SPDX-License-Identifier: MIT
 * HTTP: one document of the network, with limits of time and size, over verified TLS; a key goes to its host only.
 * Used in app, commands/prometheus, commands/serve, grid, io, outside and series. Begin with http_get(). */
#ifndef IO_HTTP_H
#define IO_HTTP_H

#include "base/error.h"
#include "io/http_answer.h"

#include <stdint.h>

struct http_request {
    const char *url;          /* https://, or http:// to this machine itself (but see plain); without a key */
    const char *secret;       /* a header with a key, "auth-token: ...", or NULL; sent to the url's host only */
    const char *secret_query; /* "key=...", put at the end of the url's query when it is asked; or NULL; likewise */
    const char *accept;       /* a media type; NULL: JSON */
    const char *login;        /* "user:password" for HTTP Basic, or NULL; likewise */
    char *const *secrets;     /* more headers with keys, NULL-ended, or NULL; likewise */
    uint64_t deadline_ns;     /* of clock_monotonic_ns: retries and redirects are over by then, too */
    size_t max_bytes;         /* bytes of the unpacked body */
    bool (*stop)(void);       /* asked at least once a second: true ends the waiting; NULL: never */

    const char *form;        /* a body to POST, "a=1&b=2", escaped; NULL: a GET */
    const char *form_media;  /* media type of another body than a form: "application/json"; NULL */
    bool once;               /* what may pass is not tried again: that is the caller's to decide */
    bool plain;              /* http:// to another machine, too: for services of a cluster; no key goes there, unless */
    bool plain_key;          /* the user has said that it may */
    const char *ca_file;     /* certificates to trust in place of the system's, or NULL */
    const char *certificate; /* of carbon itself, a file, and the file with its key; or NULL */
    const char *certificate_key;
    const char *time_option; /* of a service other than live grid data: the option that gives it more time */
};

/* A GET, or a POST that changes nothing. What may pass (429, 5xx, a connection that breaks off) is tried again, thrice
 * in all, after the time that the server asks for (Retry-After) or half a second, then one. Proxies are those of the
 * environment (https_proxy and so on). Fails where the answer is not a 2xx, too; the body is there then. http_close in
 * any case. */
bool http_get(const struct http_request *request, struct http_answer *answer, struct error *err) MUST_CHECK;

/* Does once what the first request of a process does, so that processes which it forks need not. */
bool http_prepare(struct error *err) MUST_CHECK;

#endif
