/* SPDX-License-Identifier: MIT
 * One answer of a service by HTTP, with the key and the login that it wants. */
#include "grid/live_ask.h"

#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <stdio.h>
#include <string.h>

enum { ANSWER_MAX = 4 << 20, SKEW_S = 120, KEY_MAX = 16384 };

/* What the service says itself of why, if it says so in one of the usual ways, and not with a key or token in it. */
static void add_message(const struct http_answer *http, const char *key, const char *header, struct error *err)
{
    struct cJSON *document = http->body ? json_parse(http->body, "", NULL) : NULL;
    const struct cJSON *error = json_member(document, "error");
    const char *message = json_text_of(error, "message");
    char shown[100];
    size_t length;

    message = *message ? message : json_text_of(document, "message");
    message = *message ? message : json_text(error);
    if (*message && !(key && strstr(message, key)) &&
        !(header && strchr(header, ' ') && strstr(message, strrchr(header, ' ') + 1))) {
        utf8_printable(shown, sizeof shown, message);
        length = strlen(err->why);
        snprintf(err->why + length, sizeof err->why - length, "; it says '%s'", shown);
    }
    json_close(document);
}

static bool get(struct live_line *line, const char *url, const char *secret, const char *login, const char *key,
                struct http_answer *http, struct error *err)
{
    const bool in_query = line->service->secret == LIVE_QUERY;
    const struct http_request request = {
        .url = url,
        .secret = in_query ? NULL : secret,
        .secret_query = in_query ? secret : NULL,
        .login = login,
        .accept = line->service->xml ? "application/xml" : NULL,
        .deadline_ns = line->deadline_ns,
        .max_bytes = line->service->max_bytes ? line->service->max_bytes : ANSWER_MAX,
        .stop = line->stop,
    };

    if (http_get(&request, http, err)) {
        if (http->body && strlen(http->body) == http->length)
            return true;
        return live_malformed(err, http->length ? "it holds a NUL byte" : "it is empty");
    }
    if (http->status >= 400)
        add_message(http, key, secret, err);
    return false;
}

/* "Authorization: Bearer ...", with the token that a login gives. */
static char *log_in(struct live_line *line, const char *login, struct error *err)
{
    char url[512], *header = NULL;
    struct http_answer http;
    struct cJSON *document = NULL;

    snprintf(url, sizeof url, "%s%s", line->base_url, line->service->login_path);
    if (get(line, url, NULL, login, strchr(login, ':') + 1, &http, err)) {
        document = json_parse(http.body, "", NULL);
        const char *token = json_text_of(document, "token");
        bool good = *token && strlen(token) < 4096;
        for (const char *c = token; *c; c++)
            good &= *c > 0x20 && *c < 0x7f;
        if (!good)
            live_malformed(err, "it has no token for the login");
        else if (asprintf(&header, "Authorization: Bearer %s", token) < 0)
            header = NULL, error_set(err, ERROR_SYSTEM, "no memory for the token");
    }
    json_close(document);
    if (http.body)
        explicit_bzero(http.body, http.length);
    http_close(&http);
    return header;
}

/* "auth-token: KEY", "securityToken=KEY"; NULL: no memory. */
static char *prefixed(const struct live_service *service, const char *key)
{
    struct text text;
    char *made;

    text_open(&text, KEY_MAX);
    text_add(&text, "%s", service->key_prefix);
    if (service->secret == LIVE_QUERY)
        http_add_escaped(&text, key);
    else
        text_add(&text, "%s", key);
    made = text_ok(&text) ? strdup(text.data) : NULL;
    if (text.data)
        explicit_bzero(text.data, text.length);
    text_close(&text);
    return made;
}

/* The header with the key, or the key in the address, when it is needed: a complete cache needs no key. */
static bool make_secret(struct live_line *line, char **key, struct error *err)
{
    *key = NULL;
    if (line->service->secret == LIVE_OPEN)
        return true;
    *key = live_key(line->service, err);
    if (!*key)
        return false;
    if (line->bearer)
        return true;
    if (line->service->secret == LIVE_LOGIN)
        line->bearer = log_in(line, *key, err);
    else if (!(line->bearer = prefixed(line->service, *key)))
        error_set(err, ERROR_SYSTEM, "no memory for the key");
    return line->bearer;
}

static void check_clock(const struct http_answer *http, struct notices *notices)
{
    const uint64_t ours_s = clock_realtime_ns() / NS_PER_S_INT, theirs_s = http->date_s;
    const uint64_t off_s = ours_s > theirs_s ? ours_s - theirs_s : theirs_s - ours_s;
    char text[UNITS_SIZE];

    if (theirs_s && off_s > SKEW_S)
        notice_add(notices, NOTICE_INCONSISTENT, "past and future intensities are taken from it", "set the clock (NTP)",
                   "this machine's clock is %s %s that of the service", units_duration((double)off_s, text),
                   ours_s > theirs_s ? "ahead of" : "behind");
}

bool live_ask(struct live_line *line, const char *url, struct http_answer *http, struct notices *notices,
              struct error *err)
{
    char *key;
    const bool good = make_secret(line, &key, err) && get(line, url, line->bearer, NULL, key, http, err);

    if (good)
        check_clock(http, notices);
    live_forget(key);
    return good;
}
