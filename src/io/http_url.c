/* SPDX-License-Identifier: MIT
 * What an address may be, and whose it is, as libcurl reads it; nothing of the network. */
#include "io/http_url.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "io/http_curl.h"

#include <stdio.h>
#include <string.h>

void http_add_escaped(struct text *url, const char *part)
{
    for (; *part; part++) {
        if ((*part >= 'a' && *part <= 'z') || (*part >= 'A' && *part <= 'Z') || (*part >= '0' && *part <= '9') ||
            strchr("-._~", *part))
            text_add(url, "%c", *part);
        else
            text_add(url, "%%%02X", (unsigned)(unsigned char)*part);
    }
}

/* A URL taken apart by libcurl, which is to ask it: no reading of it here can differ from what is asked. */
struct http_url_parts {
    struct curl curl;
    CURLU *url;
    char *scheme, *host, *port;
};

static void parts_close(struct http_url_parts *parts)
{
    if (!parts->url)
        return;
    parts->curl.free(parts->scheme);
    parts->curl.free(parts->host);
    parts->curl.free(parts->port);
    parts->curl.url_cleanup(parts->url);
}

static char *part_of(const struct http_url_parts *parts, CURLUPart which, unsigned flags)
{
    char *part = NULL;

    return parts->curl.url_get(parts->url, which, &part, flags) == CURLUE_OK ? part : NULL;
}

/* False: it is none that can be asked; ERROR_NONE in err: libcurl is there. A port that is not said is the scheme's, or
 * NULL. */
static bool parts_open(struct http_url_parts *parts, const char *url, bool port_of_scheme, struct error *err)
{
    *parts = (struct http_url_parts){ .url = NULL };
    if (!curl_open(&parts->curl, err))
        return false;
    parts->url = parts->curl.url();
    if (!parts->url || parts->curl.url_set(parts->url, CURLUPART_URL, url, CURLU_DISALLOW_USER) != CURLUE_OK)
        return false;
    parts->scheme = part_of(parts, CURLUPART_SCHEME, 0);
    parts->host = part_of(parts, CURLUPART_HOST, 0);
    parts->port = part_of(parts, CURLUPART_PORT, port_of_scheme ? CURLU_DEFAULT_PORT : 0);
    return parts->scheme && parts->host && *parts->host &&
           (strcmp(parts->scheme, "http") == 0 || strcmp(parts->scheme, "https") == 0);
}

bool http_same_origin(const char *a, const char *b)
{
    struct error ignored;
    struct http_url_parts one, other;
    const bool first = parts_open(&one, a, true, &ignored), second = parts_open(&other, b, true, &ignored);
    const bool same = first && second && strcmp(one.scheme, other.scheme) == 0 &&
                      c_strcasecmp(one.host, other.host) == 0 && strcmp(one.port, other.port) == 0;

    parts_close(&one);
    parts_close(&other);
    return same;
}

bool http_is_loopback(const char *host)
{
    static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (c_strncasecmp(host, names[i], length) == 0 && (host[length] == '\0' || host[length] == ':'))
            return true;
    }
    return false;
}

bool http_is_tls(const char *url)
{
    return c_strncasecmp(url, "https://", 8) == 0;
}

bool http_url_host(const char *url, char host[HTTP_HOST_SIZE], struct error *err)
{
    struct error absent = { .kind = ERROR_NONE };
    struct http_url_parts parts;
    char shown[121];
    bool good = parts_open(&parts, url, false, &absent);

    host[0] = '\0';
    good = good && snprintf(host, HTTP_HOST_SIZE, "%s%s%s", parts.host, parts.port ? ":" : "",
                            parts.port ? parts.port : "") < HTTP_HOST_SIZE;
    parts_close(&parts);
    if (good)
        return true;
    host[0] = '\0';
    if (absent.kind != ERROR_NONE) {
        if (err)
            *err = absent;
        return false;
    }
    text_copy_redacted(shown, sizeof shown, url); /* what is typed there may be a password */
    error_set(err, ERROR_USAGE, "'%s' is not a usable address", shown);
    return error_why(err, "it begins with https:// and a host");
}

bool http_check_url(const char *url, char host[HTTP_HOST_SIZE], struct error *err)
{
    if (!http_url_host(url, host, err))
        return false;
    if (http_is_tls(url) || http_is_loopback(host))
        return true;
    error_set(err, ERROR_USAGE, "'%s' is not asked without TLS", host);
    error_why(err, "http:// is neither encrypted nor authenticated; it is used for this machine only");
    return error_fix(err, "give an address with https://");
}
