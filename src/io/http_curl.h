/* SPDX-License-Identifier: MIT
 * libcurl, opened at its first use, and the buffer of an answer: for io/http.c, io/http_url.c and
 * container/http_call.c alone. Used in container and io. Begin with curl_open(). */
#ifndef IO_HTTP_CURL_H
#define IO_HTTP_CURL_H

#include "base/error.h"
#include "base/library.h"
#include "io/http_answer.h"

#include <curl/curl.h>

#define CURL_FUNCTIONS(FUNCTION)                                                                                       \
    FUNCTION(init, curl_easy_init)                                                                                     \
    FUNCTION(setopt, curl_easy_setopt)                                                                                 \
    FUNCTION(perform, curl_easy_perform)                                                                               \
    FUNCTION(getinfo, curl_easy_getinfo)                                                                               \
    FUNCTION(cleanup, curl_easy_cleanup)                                                                               \
    FUNCTION(strerror, curl_easy_strerror)                                                                             \
    FUNCTION(multi_init, curl_multi_init)                                                                              \
    FUNCTION(multi_add, curl_multi_add_handle)                                                                         \
    FUNCTION(multi_remove, curl_multi_remove_handle)                                                                   \
    FUNCTION(multi_perform, curl_multi_perform)                                                                        \
    FUNCTION(multi_wait, curl_multi_wait)                                                                              \
    FUNCTION(multi_info, curl_multi_info_read)                                                                         \
    FUNCTION(multi_cleanup, curl_multi_cleanup)                                                                        \
    FUNCTION(append, curl_slist_append)                                                                                \
    FUNCTION(free_all, curl_slist_free_all)                                                                            \
    FUNCTION(date, curl_getdate)                                                                                       \
    FUNCTION(url, curl_url)                                                                                            \
    FUNCTION(url_set, curl_url_set)                                                                                    \
    FUNCTION(url_get, curl_url_get)                                                                                    \
    FUNCTION(url_cleanup, curl_url_cleanup)                                                                            \
    FUNCTION(free, curl_free)

struct curl {
    CURL_FUNCTIONS(LIBRARY_MEMBER)
};

/* False: libcurl is not there. */
bool curl_open(struct curl *library, struct error *err) MUST_CHECK;

/* What an answer is taken into. */
struct taking {
    const struct curl *curl;
    struct http_answer *answer;
    size_t max_bytes, size;
    bool too_large, no_memory;
    long retry_after_s; /* -1: not said */
    char retry_date[64];
};

/* Adds to the body; false: it is too large, or memory is missing. */
bool taking_add(struct taking *taking, const char *data, size_t length) MUST_CHECK;

#endif
