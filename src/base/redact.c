/* SPDX-License-Identifier: MIT
 * Users, passwords and keys in texts, found and overwritten. */
#include "base/redact.h"

#include "base/c_locale.h"

#include <stdlib.h>
#include <string.h>

static const char dots[] = "...", blanks[] = " \t\r\n", url_ends[] = " \t\r\n'\"<>";

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

/* The last '@' before any of these, and before the URL's end; NULL: there is none. */
static char *last_at(char *from, const char *before)
{
    char *at = NULL;

    for (char *c = from; *c && !strchr(before, *c) && !strchr(url_ends, *c); c++)
        at = *c == '@' ? c : at;
    return at;
}

static bool is_port(const char *text)
{
    return strspn(text, "0123456789") == strcspn(text, "/?# \t\r\n'\"<>");
}

/* The end of a URL's user and password; NULL: it has none. */
static char *end_of_user(char *host)
{
    const char *colon = host + strcspn(host, ":/?#@[ \t\r\n'\"<>");
    char *at;

    if (*colon != ':' || is_port(colon + 1))
        return last_at(host, "/?#");
    at = last_at(host, "?#");
    return at ? at : last_at(host, "");
}

static bool is_in_name(char c)
{
    return c_isalnum(c) || strchr("-_.", c);
}

/* Of a parameter of a URL, which are few and say little. */
static bool may_be_secret(const char *name, size_t length)
{
    static const char *const parts[] = {
        "key", "token", "secret", "pass", "pwd", "auth", "sig", "cookie", "credential"
    };

    for (size_t i = 0; i < length; i++)
        for (size_t j = 0; j < sizeof parts / sizeof parts[0]; j++)
            if (strlen(parts[j]) <= length - i && c_strncasecmp(name + i, parts[j], strlen(parts[j])) == 0)
                return true;
    return false;
}

/* Of any other: the last word says what it is. */
static bool is_secret(const char *name, size_t length)
{
    static const char *const ends[] = { "password", "passwd",    "passphrase", "secret",     "token",
                                        "apikey",   "accesskey", "secretkey",  "privatekey", "credentials",
                                        "-key",     "_key",      "_pwd",       "_pass" };

    for (; length && *name == '-'; length--) /* of an option */
        name++;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t end = strlen(ends[i]);
        if (length >= end && c_strncasecmp(name + length - end, ends[i], end) == 0)
            return true;
    }
    return false;
}

/* From a quote to the next of its kind; of an option, which is a word of its own, to the text's end; else to a blank,
 * in a URL also to the next parameter, and to the quote in which the name stands. */
static char *end_of_value(char *value, const char *name, const char *text, bool in_url)
{
    const char before = name > text ? name[-1] : 0;
    char *quote = *value == '\'' || *value == '"' ? strchr(value + 1, *value) : NULL;

    if (quote)
        return quote + 1;
    if (in_url)
        return value + strcspn(value, "&# \t\r\n'\"");
    if (name == text && strncmp(name, "--", 2) == 0)
        return value + strlen(value);
    if ((before == '\'' || before == '"') && (quote = strchr(value, before)))
        return quote;
    return value + strcspn(value, blanks);
}

bool redact(char *text)
{
    char *name = text, *url_end = text;
    bool hidden = false;

    for (char *c = text; *c;) {
        const bool url = strncmp(c, "://", 3) == 0;
        char *to = NULL;

        if (url) {
            c += 3;
            to = end_of_user(c);
        } else if (*c == '=') {
            const bool in_url = c < url_end;
            const size_t length = (size_t)(c - name);
            c++;
            if (length && (in_url ? may_be_secret(name, length) : is_secret(name, length)))
                to = end_of_value(c, name, text, in_url);
        } else {
            c++;
        }
        if (to && to > c) {
            hidden = true;
            c = overwrite(c, to);
        }
        if (url)
            url_end = c + strcspn(c, url_ends);
        if (!is_in_name(c[-1]))
            name = c;
    }
    return hidden;
}

const char *redacted(const char *text, char **copy)
{
    *copy = NULL;
    if (!strstr(text, "://") && !strchr(text, '='))
        return text;
    *copy = strdup(text);
    if (!*copy)
        return dots;
    if (redact(*copy))
        return *copy;
    free(*copy);
    *copy = NULL;
    return text;
}
