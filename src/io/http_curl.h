/* SPDX-License-Identifier: MIT
 * libcurl, opened when it is first wanted, and what an answer is taken into: for io/http.c, io/http_url.c and
 * container/http_call.c alone. */
#ifndef IO_HTTP_CURL_H
#define IO_HTTP_CURL_H

#include "base/error.h"
#include "io/http_answer.h"

#include <curl/curl.h>

struct curl {
    __typeof__(curl_easy_init) *init;
    __typeof__(curl_easy_setopt) *setopt;
    __typeof__(curl_easy_perform) *perform;
    __typeof__(curl_easy_getinfo) *getinfo;
    __typeof__(curl_easy_cleanup) *cleanup;
    __typeof__(curl_easy_strerror) *strerror;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_add_handle) *multi_add;
    __typeof__(curl_multi_remove_handle) *multi_remove;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_wait) *multi_wait;
    __typeof__(curl_multi_info_read) *multi_info;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_slist_append) *append;
    __typeof__(curl_slist_free_all) *free_all;
    __typeof__(curl_getdate) *date;
    __typeof__(curl_url) *url;
    __typeof__(curl_url_set) *url_set;
    __typeof__(curl_url_get) *url_get;
    __typeof__(curl_url_cleanup) *url_cleanup;
    __typeof__(curl_free) *free;
};

/* False: libcurl is not there. */
bool curl_open(struct curl *curl, struct error *err) MUST_CHECK;

/* What an answer is taken into. */
struct taking {
    const struct curl *curl;
    struct http_answer *answer;
    size_t most_bytes, size;
    bool too_large, no_memory;
    long retry_after_s; /* -1: not said */
    char retry_date[64];
};

/* Adds to the body; false: it is too large, or there is no memory for it. */
bool taking_add(struct taking *taking, const char *data, size_t length) MUST_CHECK;

#endif
