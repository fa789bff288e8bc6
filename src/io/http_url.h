/* SPDX-License-Identifier: MIT
 * Whose an address is: for io/http.c alone. */
#ifndef IO_HTTP_URL_H
#define IO_HTTP_URL_H

#include <stdbool.h>

/* Scheme, host and port are the same: a key may be sent along. */
bool http_same_origin(const char *a, const char *b);

/* Nothing of it can be read or changed on the way. */
bool http_is_tls(const char *url);

/* The host is this machine itself. */
bool http_is_loopback(const char *host);

#endif
