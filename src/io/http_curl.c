/* SPDX-License-Identifier: MIT
 * The functions of libcurl that are used, and the body of an answer. */
#include "io/http_curl.h"

#include "base/array.h"
#include "base/library.h"

#include <stdlib.h>
#include <string.h>

/* Once it is loaded it stays: TLS libraries do not bear being unloaded. */
bool curl_open(struct curl *curl, struct error *err)
{
    static const char *const files[] = { "libcurl.so.4", "libcurl-gnutls.so.4", NULL };
    const struct library_function wanted[] = {
        { "curl_easy_init", &curl->init },
        { "curl_easy_setopt", &curl->setopt },
        { "curl_easy_perform", &curl->perform },
        { "curl_easy_getinfo", &curl->getinfo },
        { "curl_easy_cleanup", &curl->cleanup },
        { "curl_easy_strerror", &curl->strerror },
        { "curl_multi_init", &curl->multi_init },
        { "curl_multi_add_handle", &curl->multi_add },
        { "curl_multi_remove_handle", &curl->multi_remove },
        { "curl_multi_perform", &curl->multi_perform },
        { "curl_multi_wait", &curl->multi_wait },
        { "curl_multi_info_read", &curl->multi_info },
        { "curl_multi_cleanup", &curl->multi_cleanup },
        { "curl_slist_append", &curl->append },
        { "curl_slist_free_all", &curl->free_all },
        { "curl_getdate", &curl->date },
        { "curl_url", &curl->url },
        { "curl_url_set", &curl->url_set },
        { "curl_url_get", &curl->url_get },
        { "curl_url_cleanup", &curl->url_cleanup },
        { "curl_free", &curl->free },
    };

    if (library_open(files, wanted, sizeof wanted / sizeof wanted[0]) == LIBRARY_READY)
        return true;
    error_set(err, ERROR_ABSENT, "nothing can be asked over HTTP");
    error_why(err, "libcurl.so.4 is not there");
    return error_fix(err, "install it (Debian: libcurl4)");
}

bool taking_add(struct taking *taking, const char *data, size_t length)
{
    struct http_answer *answer = taking->answer;

    if (length > taking->most_bytes - answer->length) {
        taking->too_large = true;
        return false;
    }
    answer->body = array_room(answer->body, &taking->size, answer->length + length + 1, 1);
    if (taking->size < answer->length + length + 1) {
        taking->no_memory = true;
        return false;
    }
    memcpy(answer->body + answer->length, data, length);
    answer->length += length;
    answer->body[answer->length] = '\0';
    return true;
}
