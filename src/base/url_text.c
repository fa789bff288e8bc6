/* SPDX-License-Identifier: MIT
 * Passwords of URLs, found and overwritten. */
#include "base/url_text.h"

#include <stdlib.h>
#include <string.h>

static const char dots[] = "...", parameter[] = "password=";

/* Returns where the text goes on. */
static char *overwrite(char *from, char *to)
{
    const size_t length = (size_t)(to - from), shown = length < sizeof dots - 1 ? length : sizeof dots - 1;
    const size_t rest = strlen(to);

    memcpy(from, dots, shown);
    memmove(from + shown, to, rest);
    memset(from + shown + rest, 0, length - shown);
    return from + shown;
}

static const char ends[] = " \t\r\n'\"<>|;`";

/* The last one before any of these; NULL: there is none. */
static char *last_at(char *from, const char *before)
{
    char *at = NULL;

    for (char *c = from; *c && !strchr(before, *c) && !strchr(ends, *c); c++)
        at = *c == '@' ? c : at;
    return at;
}

/* The end of a URL's user and password; NULL: it has none. What follows a colon and is no port is a password, which
 * may have a slash in it as it was typed. */
static char *end_of_user(char *host)
{
    char *at = last_at(host, "/?#");
    const char *colon = host + strcspn(host, ":/?#@[");

    if (at || *colon != ':' || strspn(colon + 1, "0123456789") == strcspn(colon + 1, "/?#"))
        return at;
    return last_at(host, "?#");
}

/* Of one URL, whose host begins here. */
static bool hide_one(char *host)
{
    static const char param_ends[] = " \t\r\n'\"<>|;`&#";
    char *at = end_of_user(host), *colon;
    bool hidden = false;

    colon = at ? memchr(host, ':', (size_t)(at - host)) : NULL;
    if (colon && at > colon + 1) {
        host = overwrite(colon + 1, at);
        hidden = true;
    }
    for (char *query; (query = strstr(host, parameter)) && (size_t)(query - host) < strcspn(host, ends);) {
        query += sizeof parameter - 1;
        host = query + strcspn(query, param_ends);
        if (host > query) {
            host = overwrite(query, host);
            hidden = true;
        }
    }
    return hidden;
}

bool url_text_hide(char *text)
{
    bool hidden = false;

    while ((text = strstr(text, "://"))) {
        text += 3;
        hidden |= hide_one(text);
    }
    return hidden;
}

const char *url_text_shown(const char *text, char **copy)
{
    *copy = strstr(text, "://") ? strdup(text) : NULL;
    if (!*copy)
        return strstr(text, "://") ? dots : text;
    if (url_text_hide(*copy))
        return *copy;
    free(*copy);
    *copy = NULL;
    return text;
}
