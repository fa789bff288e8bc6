/* SPDX-License-Identifier: MIT
 * What an address may be, and whose it is; nothing of the network. Used in app, container, grid, io, outside and
 * series. Begin with http_add_escaped(). */
#ifndef IO_HTTP_URL_H
#define IO_HTTP_URL_H

#include "base/error.h"
#include "base/text.h"

/* Adds a part of a path or query, escaped. */
void http_add_escaped(struct text *url, const char *part);

/* Whether it is a URL that http_get would ask; host gets what it names, for messages. */
enum { HTTP_HOST_SIZE = 128 };
bool http_url_host(const char *url, char host[HTTP_HOST_SIZE], struct error *err) MUST_CHECK; /* or http:// anywhere */
bool http_check_url(const char *url, char host[HTTP_HOST_SIZE], struct error *err) MUST_CHECK;

/* Scheme, host and port are the same: a key may be sent along. */
bool http_same_origin(const char *a, const char *b);

/* Nothing of it can be read or changed on the way. */
bool http_is_tls(const char *url);

/* The host is this machine itself. */
bool http_is_loopback(const char *host);

#endif
