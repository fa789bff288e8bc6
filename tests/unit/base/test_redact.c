/* SPDX-License-Identifier: MIT
 * Users, passwords and keys are shown nowhere. */
#include "base/redact.h"
#include "base/text.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *shown;
} cases[] = {
    { "https://a:b@c:d@example.org/?password=x&password=pw123", "https://...@example.org/?password=.&password=..." },
    { "https://pw@example.org/", "https://..@example.org/" },
    { "https://only-a-token@host", "https://...@host" },
    { "https://ann:@example.org/", "https://...@example.org/" },
    { "https://ann:p@w:1@example.org/x?y@z", "https://...@example.org/x?y@z" },
    { "https://:pw123@example.org", "https://...@example.org" },
    { "https://ann:12@example.org", "https://...@example.org" },
    { "--ledger=postgresql://u:pw123@h:1/x", "--ledger=postgresql://...@h:1/x" },
    { "postgresql://h/x?user=u&password=pw123&a=b", "postgresql://h/x?user=u&password=...&a=b" },
    { "curl 'http://a:pw123@x/' && curl http://b:pw123@y; echo c:d@e",
      "curl 'http://...@x/' && curl http://...@y; echo c:d@e" },
    { "two https://a:b@c https://d:e@f", "two https://...@c https://...@f" },
    { "GET http://a:b@c/d: status 200", "GET http://...@c/d: status 200" },
    /* what should have been escaped, and was not */
    { "postgresql://me:pw/1@23@host/x", "postgresql://...@host/x" },
    { "postgresql://me:p@ss/w:rd@host:1/db", "postgresql://...@host:1/db" },
    { "https://me:p?s@host/", "https://...@host/" },
    { "https://me:p#s;t|u@host/", "https://...@host/" },
    { "https://h/x?api_key=1&zone=FR&access-token=23456#end", "https://h/x?api_key=.&zone=FR&access-token=...#end" },
    { "https://h/x#id_token=23456", "https://h/x#id_token=..." },
    { "https://u:v@h/x?X-Sig=23456 y", "https://...@h/x?X-Sig=... y" },
    { "host=h password=secret user=me", "host=h password=... user=me" },
    { "Passphrase='two words' x=1", "Passphrase=... x=1" },
    { "meta = my_TOKEN=abc", "meta = my_TOKEN=..." },
    { "password=\"unended word", "password=... word" },
    { "--password=two words", "--password=..." },
    { "run '--client-secret=two words' x", "run '--client-secret=...' x" },
    { "env PGPASSWORD=p&ss;w psql", "env PGPASSWORD=... psql" },
    { "AWS_SECRET_ACCESS_KEY=abcd", "AWS_SECRET_ACCESS_KEY=..." },
    { "MYSQL_PWD=abcd", "MYSQL_PWD=..." },
    { "apiKey=abcd", "apiKey=..." },
    { "a://b://c:d@e", "a://b://...@e" },
    { "://:@", "://.@" },
};

static void shows(const char *from, const char *wanted)
{
    const bool hides = strcmp(from, wanted) != 0;
    char *text = strdup(from), *copy, field[12];
    const size_t length = strlen(from);

    ck_assert_str_eq(redacted(from, &copy), wanted);
    ck_assert_msg(hides == (copy != NULL), "%s", from);
    free(copy);
    ck_assert_msg(redact(text) == hides, "%s", from);
    ck_assert_str_eq(text, wanted);
    for (size_t i = strlen(text); i < length; i++)
        ck_assert_msg(!text[i], "%s: its end is left", from);
    free(text);
    text_copy_redacted(field, sizeof field, from);
    ck_assert_int_eq(strncmp(field, wanted, sizeof field - 1), 0);
}

START_TEST(secrets_are_dots)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        shows(cases[i].text, cases[i].shown);
}
END_TEST

START_TEST(all_else_stays)
{
    static const char *const texts[] = {
        "",
        "=",
        "true",
        "zone = FR",
        "a@b.example",
        "read '/home/x/keys/eia'",
        "https://host:9090/api?query=x%40y",
        "://",
        "x=1@2",
        "https://example.org/a?b=c",
        "https://h:8080/a@b",
        "https://h/@scope/x",
        "https://[::1]:8080/a@b",
        "http://h/ user:word@host",
        "a://b:c",
        "sort --key=2",
        "--max-tokens=9",
        "tokenizer=x",
        "--pass=1",
        "PWD=/x",
        "key=",
        "--password",
        "--password=",
        "author=me",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        shows(texts[i], texts[i]);
}
END_TEST

/* Property: once is enough, and whatever stands around it, what has the name of a secret is gone. */
START_TEST(twice_is_as_once)
{
    static const char letters[] = ":/@?&= 'ktoen#-\"", needle[] = "password=SECRET";

    srand(20);
    for (int i = 0; i < 100000; i++) {
        char text[48] = "", once[48];
        const size_t length = (size_t)rand() % 20;

        for (size_t j = 0; j < length; j++)
            text[j] = letters[(size_t)rand() % (sizeof letters - 1)];
        memcpy(text + length, needle, sizeof needle);
        text_copy_redacted(once, sizeof once, text);
        ck_assert_msg(!strstr(once, "SECRET"), "'%s' became '%s'", text, once);
        text_copy_redacted(text, sizeof text, once);
        ck_assert_str_eq(text, once);
    }
}
END_TEST

UNIT_SUITE("redact", secrets_are_dots, all_else_stays, twice_is_as_once)
