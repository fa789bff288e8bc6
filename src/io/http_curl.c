/* SPDX-License-Identifier: MIT
 * The functions of libcurl that are used, and the body of an answer. */
#include "io/http_curl.h"

#include "base/array.h"
#include "base/library.h"

#include <stdlib.h>
#include <string.h>

/* Once it is loaded it stays: TLS libraries do not bear being unloaded. */
bool curl_open(struct curl *library, struct error *err)
{
    static const char *const files[] = { "libcurl.so.4", "libcurl-gnutls.so.4", NULL };
    const struct library_function wanted[] = { CURL_FUNCTIONS(LIBRARY_WANTED) };

    return library_need(files, wanted, sizeof wanted / sizeof wanted[0], "nothing can be asked over HTTP",
                        "install it (Debian: libcurl4)", err);
}

bool taking_add(struct taking *taking, const char *data, size_t length)
{
    struct http_answer *answer = taking->answer;

    if (length > taking->max_bytes - answer->length) {
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
