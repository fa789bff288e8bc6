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

/* Of one URL, whose host begins here. */
static bool hide_one(char *host)
{
    static const char ends[] = " \t\r\n'\"<>|;`", param_ends[] = " \t\r\n'\"<>|;`&#";
    char *at = NULL, *colon;
    bool hidden = false;

    for (char *c = host; *c && !strchr("/?#", *c) && !strchr(ends, *c); c++)
        at = *c == '@' ? c : at;
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
