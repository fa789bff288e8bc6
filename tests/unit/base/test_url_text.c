/* SPDX-License-Identifier: MIT
 * Passwords of URLs are shown nowhere. */
#include "base/url_text.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    const char *shown;
} cases[] = {
    { "true", "true" },
    { "https://a:b@c:d@example.org/?password=x&password=pw123", "https://a:...@example.org/?password=.&password=..." },
    { "https://a:pw@example.org/", "https://a:..@example.org/" },
    { "https://example.org/a?b=c", "https://example.org/a?b=c" },
    { "https://ann@example.org/", "https://ann@example.org/" },
    { "https://ann:@example.org/", "https://ann:@example.org/" },
    { "https://ann:pw123@example.org/", "https://ann:...@example.org/" },
    { "https://ann:p@w:1@example.org/x@y:z", "https://ann:...@example.org/x@y:z" },
    { "https://:pw123@example.org", "https://:...@example.org" },
    { "--ledger=postgresql://u:pw123@h:1/x", "--ledger=postgresql://u:...@h:1/x" },
    { "postgresql://h/x?user=u&password=pw123&a=b", "postgresql://h/x?user=u&password=...&a=b" },
    { "postgresql://h/x?password=pw123", "postgresql://h/x?password=..." },
    { "curl 'http://a:pw123@x/' && curl http://b:pw123@y; echo c:d@e",
      "curl 'http://a:...@x/' && curl http://b:...@y; echo c:d@e" },
    { "postgresql://me:pw/1@23@host/x", "postgresql://me:...@host/x" },
    { "https://h:8080/a@b", "https://h:8080/a@b" },
    { "https://[::1]:8080/a@b", "https://[::1]:8080/a@b" },
    { "http://h/ user:word@host", "http://h/ user:word@host" },
    { "://", "://" },
    { "://:@", "://:@" },
    { "a://b:c", "a://b:c" },
    { "a://b://c:d@e", "a://b://c:.@e" },
};

START_TEST(passwords_are_dots)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool hides = strcmp(cases[i].text, cases[i].shown) != 0;
        char *text = strdup(cases[i].text), *copy;

        ck_assert_str_eq(url_text_shown(cases[i].text, &copy), cases[i].shown);
        ck_assert_msg(hides == (copy != NULL), "%s", cases[i].text);
        free(copy);
        ck_assert_msg(url_text_hide(text) == hides, "%s", cases[i].text);
        ck_assert_str_eq(text, cases[i].shown);
        free(text);
    }
}
END_TEST

UNIT_SUITE("url_text", passwords_are_dots)
