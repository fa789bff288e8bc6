/* SPDX-License-Identifier: MIT
 * What people may see of a text that may hold secrets. */
#include "io/secret.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const char *shown(const char *text)
{
    static char out[512];

    secret_shown(text, out, sizeof out);
    return out;
}

START_TEST(urls_lose_who_logs_in)
{
    ck_assert_str_eq(shown("https://me:pw@host/x?q=1"), "https://...@host/x?q=1");
    ck_assert_str_eq(shown("https://only-a-token@host"), "https://...@host");
    ck_assert_str_eq(shown("postgresql://me:p@ss/w:rd@host:1/db"), "postgresql://...@host:1/db");
    ck_assert_str_eq(shown("GET http://a:b@c/d: status 200"), "GET http://...@c/d: status 200");
    ck_assert_str_eq(shown("two https://a:b@c https://d:e@f"), "two https://...@c https://...@f");
}
END_TEST

START_TEST(parameters_lose_what_may_be_a_key)
{
    ck_assert_str_eq(shown("https://h/x?api_key=1&zone=FR&access-token=2#end"),
                     "https://h/x?api_key=...&zone=FR&access-token=...#end");
    ck_assert_str_eq(shown("host=h password=secret user=me"), "host=h password=... user=me");
    ck_assert_str_eq(shown("Passphrase='two words' x=1"), "Passphrase=... x=1");
    ck_assert_str_eq(shown("meta = my_TOKEN=abc"), "meta = my_TOKEN=...");
    ck_assert_str_eq(shown("key=\"unended word"), "key=... word");
}
END_TEST

START_TEST(all_else_stays)
{
    static const char *const texts[] = {
        "",    "=",     "zone = FR", "a@b.example", "read '/home/x/keys/eia'", "https://host:9090/api?query=x%40y",
        "://", "x=1@2",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ck_assert_str_eq(shown(texts[i]), texts[i]);
}
END_TEST

/* Property: once is enough, and whatever stands between the scheme and the last '@' is gone. */
START_TEST(twice_is_as_once)
{
    static const char letters[] = ":/@?&= 'ktoen#", needle[] = "key=SECRET";

    srand(20);
    for (int i = 0; i < 100000; i++) {
        char text[40] = "", once[256];
        const size_t length = (size_t)rand() % 20;

        for (size_t j = 0; j < length; j++)
            text[j] = letters[(size_t)rand() % (sizeof letters - 1)];
        memcpy(text + length, needle, sizeof needle);
        secret_shown(text, once, sizeof once);
        ck_assert_msg(!strstr(once, "SECRET"), "'%s' became '%s'", text, once);
        ck_assert_str_eq(shown(once), once);
    }
}
END_TEST

UNIT_SUITE("secret", urls_lose_who_logs_in, parameters_lose_what_may_be_a_key, all_else_stays, twice_is_as_once)
