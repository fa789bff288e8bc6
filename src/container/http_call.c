/* SPDX-License-Identifier: MIT
 * One call of a service behind a Unix socket, which can be waited for together with a descriptor. */
#include "container/http_call.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/text.h"
#include "base/units.h"
#include "io/http_curl.h"

#include <errno.h>
#include <string.h>

#define NS_PER_MS UINT64_C(1000000)

enum { CONNECT_MS = 5000, WAIT_MS = 1000 };

/* The call while it is made. */
struct calling {
    const struct http_call *call;
    struct taking taking;
    CURL *handle;
    bool begun, ended;
};

static int status_now(const struct calling *calling)
{
    long status = 0;

    calling->taking.curl->getinfo(calling->handle, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

/* The empty line behind the headers begins an answer, unless it is one of those that only announce it (1xx). */
static size_t on_header(char *line, size_t one, size_t length, void *context)
{
    struct calling *calling = context;
    const int status = status_now(calling);

    (void)one;
    if (calling->begun || status < 200 || strspn(line, "\r\n") < length)
        return length;
    calling->begun = true;
    calling->ended = calling->call->begin && !calling->call->begin(calling->call->context, status);
    return calling->ended ? 0 : length;
}

static size_t on_body(char *data, size_t one, size_t length, void *context)
{
    struct calling *calling = context;
    const int status = status_now(calling);

    (void)one;
    if (!calling->call->take || status < 200 || status >= 300)
        return taking_add(&calling->taking, data, length) ? length : 0;
    calling->ended = !calling->call->take(calling->call->context, data, length);
    return calling->ended ? 0 : length;
}

static struct curl_slist *headers_of(const struct curl *curl, const struct http_call *call)
{
    /* without the empty Expect curl waits a second with a large body for a word of the service */
    const char *const lines[] = { "Accept: application/json",
                                  "Expect:", call->body ? "Content-Type: application/json" : "Content-Type:" };
    struct curl_slist *headers = NULL;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct curl_slist *longer = curl->append(headers, lines[i]);
        if (!longer) {
            curl->free_all(headers);
            return NULL;
        }
        headers = longer;
    }
    return headers;
}

static void set_up(const struct curl *curl, struct calling *calling, const char *url, struct curl_slist *headers)
{
    const struct http_call *call = calling->call;
    CURL *handle = calling->handle;

    curl->setopt(handle, CURLOPT_URL, url);
    curl->setopt(handle, CURLOPT_UNIX_SOCKET_PATH, call->socket);
    curl->setopt(handle, CURLOPT_PROXY, "");
    curl->setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl->setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl->setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl->setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl->setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    if (strcmp(call->method, "GET") != 0) {
        curl->setopt(handle, CURLOPT_POSTFIELDS, call->body ? call->body : "");
        curl->setopt(handle, CURLOPT_CUSTOMREQUEST, call->method);
    }
    curl->setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl->setopt(handle, CURLOPT_HEADERDATA, calling);
    curl->setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl->setopt(handle, CURLOPT_WRITEDATA, calling);
}

/* How long may be waited, in ms; 0: the deadline is over. */
static int left_ms(const struct http_call *call)
{
    const uint64_t now_ns = clock_monotonic_ns();

    if (!call->deadline_ns)
        return WAIT_MS;
    if (now_ns >= call->deadline_ns)
        return 0;
    return call->deadline_ns - now_ns < WAIT_MS * NS_PER_MS ? (int)((call->deadline_ns - now_ns) / NS_PER_MS) + 1
                                                            : WAIT_MS;
}

static CURLcode perform(const struct curl *curl, CURLM *multi, struct calling *calling)
{
    const struct http_call *call = calling->call;
    struct curl_waitfd wake = { .fd = call->wake, .events = CURL_WAIT_POLLIN };
    const CURLMsg *message;
    int running = 1, left, rest;

    while (curl->multi_perform(multi, &running) == CURLM_OK && running) {
        if (call->stop && call->stop(call->context)) {
            calling->ended = true;
            return CURLE_ABORTED_BY_CALLBACK;
        }
        left = left_ms(call);
        if (!left)
            return CURLE_OPERATION_TIMEDOUT;
        if (curl->multi_wait(multi, &wake, call->wake >= 0, left, NULL) != CURLM_OK)
            return CURLE_OUT_OF_MEMORY;
    }
    while ((message = curl->multi_info(multi, &rest)))
        if (message->msg == CURLMSG_DONE)
            return message->data.result;
    return CURLE_OUT_OF_MEMORY;
}

static bool fail(struct error *err, enum error_kind kind, const char *socket, const char *why)
{
    error_set(err, kind, "cannot get an answer at '%s'", socket);
    return error_why(err, "%s", why);
}

static bool fail_transport(const struct calling *calling, CURLcode code, struct error *err)
{
    const struct curl *curl = calling->taking.curl;
    const char *socket = calling->call->socket;
    long number = 0;

    if (calling->ended)
        return fail(err, ERROR_SYSTEM, socket, "it was interrupted");
    if (calling->taking.too_large)
        return fail(err, ERROR_BAD_DATA, socket, "it sends more than any answer of it has");
    if (calling->taking.no_memory)
        return fail(err, ERROR_SYSTEM, socket, "no memory for it");
    if (code == CURLE_OPERATION_TIMEDOUT)
        return fail(err, ERROR_SYSTEM, socket, "it took too long");
    if (code == CURLE_COULDNT_CONNECT) {
        curl->getinfo(calling->handle, CURLINFO_OS_ERRNO, &number);
        errno = (int)number;
        return number ? error_errno(err, "cannot get an answer at '%s'", socket)
                      : fail(err, ERROR_SYSTEM, socket, "no connection could be made");
    }
    if (code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR || code == CURLE_PARTIAL_FILE)
        return fail(err, ERROR_SYSTEM, socket, "the connection broke off");
    return fail(err, ERROR_SYSTEM, socket, curl->strerror(code));
}

bool http_call(const struct http_call *call, struct http_answer *answer, struct error *err)
{
    struct curl curl;
    struct calling calling = { .call = call,
                               .taking = { .curl = &curl, .answer = answer, .max_bytes = call->max_bytes } };
    struct curl_slist *headers = NULL;
    struct text url;
    const uint64_t began_ns = clock_monotonic_ns();
    CURLM *multi = NULL;
    CURLcode code = CURLE_OUT_OF_MEMORY;

    *answer = (struct http_answer){ .status = 0 };
    if (!curl_open(&curl, err))
        return false;
    text_open(&url, SIZE_MAX);
    text_add(&url, "http://localhost%s", call->path);
    calling.handle = curl.init();
    multi = curl.multi_init();
    headers = headers_of(&curl, call);
    if (text_ok(&url) && calling.handle && multi && headers) {
        set_up(&curl, &calling, url.data, headers);
        if (curl.multi_add(multi, calling.handle) == CURLM_OK) {
            code = perform(&curl, multi, &calling);
            answer->status = status_now(&calling);
            curl.multi_remove(multi, calling.handle);
        }
    }
    DEBUG(DEBUG_HTTP, "%s %.*s at '%s': status %d, %zu bytes, %.1f ms", call->method, (int)strcspn(call->path, "?"),
          call->path, call->socket, answer->status, answer->length,
          (double)(clock_monotonic_ns() - began_ns) / (double)NS_PER_MS);
    if (code != CURLE_OK && calling.handle)
        fail_transport(&calling, code, err);
    else if (code != CURLE_OK)
        error_set(err, ERROR_SYSTEM, "no memory to ask a service");
    if (calling.handle)
        curl.cleanup(calling.handle);
    if (multi)
        curl.multi_cleanup(multi);
    curl.free_all(headers);
    text_close(&url);
    return code == CURLE_OK;
}
