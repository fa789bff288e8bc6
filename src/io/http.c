/* SPDX-License-Identifier: MIT
 * Documents of the network, by libcurl. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "io/http.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/text.h"
#include "base/units.h"
#include "io/http_curl.h"
#include "io/http_parts.h"
#include "io/http_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)

enum { MAX_TRIES = 3, MAX_REDIRECTS = 3, CONNECT_MS = 5000, FIRST_WAIT_MS = 500 };
#define REST_STEP_NS 50000000L

static size_t on_body(char *data, size_t one, size_t length, void *context)
{
    (void)one;
    return taking_add(context, data, length) ? length : 0;
}

/* The value of a header line of this name, without what surrounds it; false: it is another. */
static bool header_value(const char *line, size_t length, const char *name, char *value, size_t size)
{
    const size_t named = strlen(name);

    if (length <= named || c_strncasecmp(line, name, named) != 0 || line[named] != ':')
        return false;
    for (line += named + 1, length -= named + 1; length > 0 && strchr(" \t", *line); length--)
        line++;
    while (length > 0 && strchr(" \t\r\n", line[length - 1]))
        length--;
    if (length >= size)
        return false;
    memcpy(value, line, length);
    value[length] = '\0';
    return true;
}

static size_t on_header(char *line, size_t one, size_t length, void *context)
{
    struct taking *taking = context;
    char value[64];
    uint64_t seconds;

    (void)one;
    if (header_value(line, length, "date", value, sizeof value)) {
        const time_t date = taking->curl->date(value, NULL);
        taking->answer->date_s = date > 0 ? (uint64_t)date : 0;
    } else if (header_value(line, length, "retry-after", value, sizeof value)) {
        if (text_to_u64(value, &seconds))
            taking->retry_after_s = seconds > S_PER_DAY ? S_PER_DAY : (long)seconds;
        else
            text_copy(taking->retry_date, sizeof taking->retry_date, value);
    }
    return length;
}

/* Nonzero ends the transfer. */
static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now)
{
    const struct http_request *request = context;

    (void)total, (void)now, (void)up_total, (void)up_now;
    return request->stop();
}

/* By the server's own clock where it tells that, for ours may be wrong. */
static long retry_after_s(const struct taking *taking)
{
    const time_t date = *taking->retry_date ? taking->curl->date(taking->retry_date, NULL) : -1;
    const uint64_t now_s = taking->answer->date_s ? taking->answer->date_s : clock_realtime_ns() / NS_PER_S_INT;

    if (date <= 0)
        return taking->retry_after_s;
    return (uint64_t)date <= now_s              ? 0
           : (uint64_t)date - now_s > S_PER_DAY ? S_PER_DAY
                                                : (long)((uint64_t)date - now_s);
}

static uint64_t left_ms(const struct http_request *request)
{
    const uint64_t now_ns = clock_monotonic_ns();

    return now_ns < request->deadline_ns ? (request->deadline_ns - now_ns) / NS_PER_MS : 0;
}

static void set_up_tls(const struct curl *curl, CURL *handle, const struct http_request *request)
{
    curl->setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl->setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (request->ca_file) {
        curl->setopt(handle, CURLOPT_CAINFO, request->ca_file);
        curl->setopt(handle, CURLOPT_CAPATH, NULL);
    }
    if (request->certificate)
        curl->setopt(handle, CURLOPT_SSLCERT, request->certificate);
    if (request->certificate_key)
        curl->setopt(handle, CURLOPT_SSLKEY, request->certificate_key);
}

static void set_up(const struct curl *curl, CURL *handle, struct curl_slist *headers,
                   const struct http_request *request, struct taking *taking)
{
    curl->setopt(handle, CURLOPT_USERAGENT, "carbon/" PACKAGE_VERSION);
    curl->setopt(handle, CURLOPT_HTTPHEADER, headers);
    if (request->login) {
        curl->setopt(handle, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl->setopt(handle, CURLOPT_USERPWD, request->login);
    }
    curl->setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl->setopt(handle, CURLOPT_FOLLOWLOCATION, 0L); /* where to is looked at here */
    set_up_tls(curl, handle, request);
    if (request->form) { /* again after a redirect, too */
        curl->setopt(handle, CURLOPT_POSTFIELDS, request->form);
        curl->setopt(handle, CURLOPT_POSTFIELDSIZE, (long)strlen(request->form));
    }
    curl->setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl->setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl->setopt(handle, CURLOPT_WRITEDATA, taking);
    curl->setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl->setopt(handle, CURLOPT_HEADERDATA, taking);
    if (request->stop) {
        curl->setopt(handle, CURLOPT_NOPROGRESS, 0L);
        curl->setopt(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
        curl->setopt(handle, CURLOPT_XFERINFODATA, request);
    }
}

static bool has_secret(const struct http_request *request)
{
    return request->secret || request->secret_query || request->login || request->secrets;
}

/* The address as it is asked; freed by the caller. */
static char *first_url(const struct http_request *request)
{
    char *url = NULL;

    if (!request->secret_query)
        return strdup(request->url);
    return asprintf(&url, "%s&%s", request->url, request->secret_query) >= 0 ? url : NULL;
}

static bool check_url(const struct http_request *request, const char *url, char host[HTTP_HOST_SIZE], struct error *err)
{
    if (!request->plain || http_is_tls(url) || http_is_tls(request->url))
        return http_check_url(url, host, err);
    if (!http_url_host(url, host, err))
        return false;
    if (!has_secret(request) || request->plain_key || http_is_loopback(host))
        return true;
    error_set(err, ERROR_USAGE, "no key is sent to %s without TLS", host);
    error_why(err, "over http:// anybody on the way can read it");
    return error_fix(err, "give an address with https://, or --insecure-http where the network is your own");
}

/* Another address for a 3xx, freed by the caller; NULL with err filled where it must not be followed. */
static char *redirect_of(const struct curl *curl, CURL *handle, const struct http_request *request, const char *url,
                         struct error *err)
{
    char host[HTTP_HOST_SIZE], *target = NULL;

    curl->getinfo(handle, CURLINFO_REDIRECT_URL, &target);
    IGNORED(http_url_host(url, host, NULL), "an address that was asked has a host");
    if (!target) {
        http_fail_reach(err, ERROR_BAD_DATA, host, "it sends elsewhere without saying where", "try again later");
        return NULL;
    }
    if (has_secret(request) && !http_same_origin(request->url, target)) {
        http_fail_reach(err, ERROR_DENIED, host, "it sends to another server, which must not see the key",
                        request->time_option ? "give the address that it sends to, if that is yours"
                                             : "a newer carbon may know where the service is now");
        return NULL;
    }
    return check_url(request, target, host, err) ? strdup(target) : NULL;
}

/* What was asked, and what came of it: neither headers nor what was sent. */
static void debug_asked(const struct curl *curl, const struct http_request *request, const char *url, CURLcode code,
                        CURL *handle, const struct taking *taking, uint64_t began_ns)
{
    const double took_ms = (double)(clock_monotonic_ns() - began_ns) / (double)NS_PER_MS;
    const char *how = request->form ? "POST" : "GET";
    const char *with = has_secret(request) ? ", with a key" : "";
    char shown[700];
    long status = 0;

    text_copy_redacted(shown, sizeof shown, url);
    curl->getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (strlen(shown) + 1 == sizeof shown)
        memcpy(shown + sizeof shown - 4, "...", 4);
    if (code == CURLE_OK)
        debug_tell(DEBUG_HTTP, "%s %s%s: status %ld, %zu bytes, %.1f ms", how, shown, with, status,
                   taking->answer->length, took_ms);
    else
        debug_tell(DEBUG_HTTP, "%s %s%s: no answer (%s), %.1f ms", how, shown, with, curl->strerror(code), took_ms);
}

/* One try, with the redirects within it. Whether it may be worth another goes to *passing. */
static bool get_once(const struct curl *curl, CURL *handle, const struct http_request *request, struct taking *taking,
                     bool *passing, struct error *err)
{
    char host[HTTP_HOST_SIZE], *url = first_url(request);
    bool good = false;

    *passing = false;
    for (int redirects = 0; url; redirects++) {
        const uint64_t max_ms = left_ms(request), began_ns = clock_monotonic_ns();
        long status = 0;
        CURLcode code;

        if (!check_url(request, url, host, err))
            break;
        if (redirects > MAX_REDIRECTS) {
            http_fail_reach(err, ERROR_BAD_DATA, host, "it sends from one address to the next", "try again later");
            break;
        }
        taking->answer->length = 0;
        taking->answer->status = 0;
        taking->answer->wait_s = -1;
        taking->retry_after_s = -1;
        taking->retry_date[0] = '\0';
        curl->setopt(handle, CURLOPT_URL, url);
        if (http_is_loopback(host))
            curl->setopt(handle, CURLOPT_PROXY, "");
        curl->setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
        curl->setopt(handle, CURLOPT_TIMEOUT_MS, max_ms ? (long)max_ms : 1L);
        code = curl->perform(handle);
        if (debug_is_on(DEBUG_HTTP))
            debug_asked(curl, request, url, code, handle, taking, began_ns);
        if (code != CURLE_OK) {
            *passing = !taking->too_large && !taking->no_memory &&
                       (code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR ||
                        code == CURLE_SEND_ERROR);
            http_fail_transport(curl, handle, code, taking, request, host, err);
            break;
        }
        curl->getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
        taking->answer->status = (int)status;
        taking->answer->wait_s = retry_after_s(taking);
        if (status >= 300 && status < 400) {
            char *next = redirect_of(curl, handle, request, url, err);
            free(url);
            url = next;
            continue;
        }
        good = status >= 200 && status < 300;
        *passing = status == 429 || status >= 500;
        if (!good)
            http_fail_status(request, (int)status, retry_after_s(taking), host, err);
        break;
    }
    free(url);
    return good;
}

/* False: it was stopped meanwhile. */
static bool rest(const struct http_request *request, uint64_t duration_ms)
{
    const uint64_t until_ns = clock_monotonic_ns() + duration_ms * NS_PER_MS;

    while (clock_monotonic_ns() < until_ns) {
        if (request->stop && request->stop())
            return false;
        nanosleep(&(struct timespec){ .tv_nsec = REST_STEP_NS }, NULL);
    }
    return true;
}

/* Twice as long each time, and a quarter more or less so that many who failed at once do not come back at once. */
static uint64_t wait_ms(const struct taking *taking, int tries)
{
    const uint64_t base_ms = (uint64_t)FIRST_WAIT_MS << (tries - 1);
    const long asked_s = retry_after_s(taking);

    return asked_s >= 0 ? (uint64_t)asked_s * 1000 : base_ms * 3 / 4 + clock_realtime_ns() / 1000 % (base_ms / 2);
}

static bool add_header(const struct curl *curl, struct curl_slist **headers, const char *line)
{
    struct curl_slist *longer = line ? curl->append(*headers, line) : *headers;

    *headers = longer ? longer : *headers;
    return longer || !line;
}

static struct curl_slist *headers_of(const struct curl *curl, const struct http_request *request)
{
    /* without the empty Expect curl waits a second with a large form for a word of the service */
    char accept[64], media[64];
    const char *const lines[] = { accept, request->form ? "Expect:" : NULL, request->form_media ? media : NULL,
                                  request->secret };
    struct curl_slist *headers = NULL;
    bool good = true;

    snprintf(accept, sizeof accept, "Accept: %s", request->accept ? request->accept : "application/json");
    if (request->form_media)
        snprintf(media, sizeof media, "Content-Type: %s", request->form_media);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        good = good && add_header(curl, &headers, lines[i]);
    for (char *const *line = request->secrets; line && *line; line++)
        good = good && add_header(curl, &headers, *line);
    if (good)
        return headers;
    curl->free_all(headers);
    return NULL;
}

bool http_get(const struct http_request *request, struct http_answer *answer, struct error *err)
{
    struct curl_slist *headers;
    struct curl curl;
    struct taking taking = { .answer = answer, .max_bytes = request->max_bytes };
    bool good = false, passing = true;
    CURL *handle;

    *answer = (struct http_answer){ .status = 0, .wait_s = -1 };
    if (!curl_open(&curl, err))
        return false;
    taking.curl = &curl;
    handle = curl.init();
    headers = headers_of(&curl, request);
    if (handle && headers)
        set_up(&curl, handle, headers, request, &taking);
    else
        passing = error_set(err, ERROR_SYSTEM, "no memory to ask the network");
    for (int tries = 1; passing && !good; tries++) {
        good = get_once(&curl, handle, request, &taking, &passing, err);
        const uint64_t rest_ms = wait_ms(&taking, tries);
        if (good || request->once || tries == MAX_TRIES || rest_ms >= left_ms(request))
            break;
        if (passing)
            passing = rest(request, rest_ms);
    }
    curl.free_all(headers);
    if (handle)
        curl.cleanup(handle);
    return good;
}

bool http_prepare(struct error *err)
{
    struct curl curl;
    CURL *handle;

    if (!curl_open(&curl, err))
        return false;
    handle = curl.init();
    if (handle)
        curl.cleanup(handle);
    return true;
}
