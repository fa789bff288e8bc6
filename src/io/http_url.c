/* SPDX-License-Identifier: MIT
 * What an address may be, and whose it is; nothing of the network. */
#include "io/http_url.h"

#include "base/c_locale.h"
#include "base/text.h"

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

/* How much of a URL is scheme and authority; another server begins where these differ. */
static size_t origin_length(const char *url)
{
    const char *authority = strstr(url, "://");

    return authority ? (size_t)(authority + 3 - url) + strcspn(authority + 3, "/?#\\") : 0;
}

bool http_same_origin(const char *a, const char *b)
{
    const size_t length = origin_length(a);

    return length > 0 && length == origin_length(b) && c_strncasecmp(a, b, length) == 0;
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
    const bool tls = http_is_tls(url), plain = c_strncasecmp(url, "http://", 7) == 0;
    const size_t length = origin_length(url), start = tls ? 8 : 7;
    char shown[121];

    host[0] = '\0';
    if ((tls || plain) && length > start && length - start < HTTP_HOST_SIZE && !strchr(url, '@') &&
        strspn(url, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]!$&'()*+,;=%") ==
            strlen(url)) {
        memcpy(host, url + start, length - start);
        host[length - start] = '\0';
        return true;
    }
    text_copy_redacted(shown, sizeof shown, url); /* what is typed there may be a password */
    error_set(err, ERROR_USAGE, "'%s' is no address that can be asked", shown);
    return error_why(err, "it begins with https:// and a host");
}

bool http_check_url(const char *url, char host[HTTP_HOST_SIZE], struct error *err)
{
    if (!http_url_host(url, host, err))
        return false;
    if (http_is_tls(url) || http_is_loopback(host))
        return true;
    error_set(err, ERROR_USAGE, "'%s' is not asked without TLS", host);
    error_why(err, "what comes over http:// may be anybody's; only this machine itself is asked so");
    return error_fix(err, "give an address with https://");
}
