/* SPDX-License-Identifier: MIT
 * HTTP: one document of the network, within a time, within a size, over verified TLS, and a key to nobody but its host;
 * or one call of a service of this machine behind a Unix socket. */
#ifndef IO_HTTP_H
#define IO_HTTP_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

struct http_request {
    const char *url;      /* https://, or http:// to this machine itself (but see plain); no key stands in it */
    const char *secret;   /* a header with a key, "auth-token: ...", or NULL; never told to anyone but the url's host */
    const char *login;    /* "user:password" for HTTP Basic, or NULL; likewise */
    uint64_t deadline_ns; /* of clock_monotonic_ns: retries and redirects are over by then, too */
    size_t most_bytes;    /* of the body, once unpacked */
    bool (*stop)(void);   /* asked at least once a second: true ends the waiting; NULL: never */

    const char *form;        /* a body to POST, "a=1&b=2", escaped; NULL: a GET */
    bool plain;              /* http:// to another machine, too: for services of a cluster; no key goes there, unless */
    bool plain_key;          /* the user has said that it may */
    const char *ca_file;     /* certificates to trust in place of the system's, or NULL */
    const char *certificate; /* of carbon itself, a file, and the file with its key; or NULL */
    const char *certificate_key;
    const char *time_option; /* of a service that is no live data of the grid: the option that gives it more time */
};

struct http_answer {
    int status; /* of the last answer; 0: there was none */
    char *body; /* with a NUL behind it, or NULL */
    size_t length;
    uint64_t date_s; /* the server's clock, since 1970; 0: not said */
};

/* A GET, or a POST that changes nothing. What may pass (429, 5xx, a connection that breaks off) is tried again, thrice
 * in all, after the time that the server asks for (Retry-After) or half a second, then one. Proxies are those of the
 * environment (https_proxy and so on). Fails where the answer is not a 2xx, too; the body is there then. http_close in
 * any case. */
bool http_get(const struct http_request *request, struct http_answer *answer, struct error *err) MUST_CHECK;
void http_close(struct http_answer *answer);

/* A call of a service behind a Unix socket. No proxy, no redirect, no second try. */
struct http_call {
    const char *socket;   /* its path */
    const char *method;   /* "GET", "POST", "DELETE" */
    const char *path;     /* "/containers/json?all=1", escaped */
    const char *body;     /* JSON; NULL: none */
    uint64_t deadline_ns; /* of clock_monotonic_ns; 0: none */
    size_t most_bytes;    /* of the body that is kept */

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
 * fails with ERROR_SYSTEM, and the status that there was by then is told. */
bool http_call(const struct http_call *call, struct http_answer *answer, struct error *err) MUST_CHECK;

/* Adds a part of a path or query, escaped. */
void http_add_escaped(struct text *url, const char *part);

/* Whether it is a URL that http_get would ask; host gets what it names, for messages. */
enum { HTTP_HOST_SIZE = 128 };
bool http_url_host(const char *url, char host[HTTP_HOST_SIZE], struct error *err) MUST_CHECK; /* or http:// anywhere */
bool http_check_url(const char *url, char host[HTTP_HOST_SIZE], struct error *err) MUST_CHECK;

#endif
