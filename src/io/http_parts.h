/* SPDX-License-Identifier: MIT
 * Why a request failed, and the remedy: http_fault.c, for http.c. All return false. Used by http.c and
 * http_fault.c. Begin with http_fail_absent(). */
#ifndef IO_HTTP_PARTS_H
#define IO_HTTP_PARTS_H

#include "io/http_curl.h"

struct http_request;

/* "cannot get an answer from HOST", why, fix. */
bool http_fail_reach(struct error *err, enum error_kind kind, const char *host, const char *why, const char *fix);

/* The transfer failed with this code; and it was answered with this status, which is none of success. wait_s: how long
 * the server wants to be left alone; 0 or less: it does not say. */
bool http_fail_transport(const struct curl *curl, CURL *handle, CURLcode code, const struct taking *taking,
                         const struct http_request *request, const char *host, struct error *err);
bool http_fail_status(const struct http_request *request, int status, long wait_s, const char *host, struct error *err);

#endif
