/* SPDX-License-Identifier: MIT
 * What a record may be called. */
#include "io/identity.h"

#include "unit.h"

#include "io/content_id.h"
#include "io/json_read.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

START_TEST(identities_of_carbon_are_ones)
{
    ck_assert(identity_is("313d45b5-8a3c-4d5e-9f00-0123456789ab"));
    ck_assert(identity_is("a"));
    ck_assert(identity_is("0123456789.012345678_0123456789-0123456"));
}
END_TEST

START_TEST(names_that_lead_elsewhere_are_none)
{
    static const char *const bad[] = {
        "",    ".",   "..",   "../package", "a/b",   "/etc/passwd", ".hidden",
        "-rf", "a b", "a\nb", "\033[2J",    "a\177", "\303\251",    "0123456789012345678901234567890123456789",
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!identity_is(bad[i]), "%s", bad[i]);
}
END_TEST

/* Property: whatever bytes there are, an identity is one plain name that no form has to escape, and is kept whole. */
START_TEST(an_identity_is_a_plain_name)
{
    size_t taken = 0;

    srand(23);
    for (int i = 0; i < 200000; i++) {
        const size_t length = (size_t)rand() % 6;
        char text[8] = "", copy[IDENTITY_SIZE];

        for (size_t j = 0; j < length; j++) /* a part of plain ones, so that some are taken */
            text[j] = rand() % 4 ? "a0-_./"[rand() % 6] : (char)(1 + rand() % 255);
        if (!identity_is(text))
            continue;
        taken++;
        snprintf(copy, sizeof copy, "%s", text);
        ck_assert_str_eq(copy, text);
        ck_assert_msg(!strchr(text, '/') && *text != '.' && *text != '-', "%s", text);
        for (const char *c = text; *c; c++)
            ck_assert_msg(*c > ' ' && *c < 0x7f && !strchr("<>&\"'`|=@,;:\\%$*?[]{}()!#~^+", *c), "%s", text);
    }
    ck_assert_uint_gt(taken, 1000);
}
END_TEST

static bool is_read(const char *text, struct error *err)
{
    cJSON *document = cJSON_Parse(text);
    const bool good = json_check_identity(document, "it", err);

    ck_assert_ptr_nonnull(document);
    cJSON_Delete(document);
    return good;
}

START_TEST(documents_are_held_to_it)
{
    struct error err;

    ck_assert(is_read("{\"id\":\"a-1\",\"parent\":{\"id\":\"b\"}}", &err));
    ck_assert(is_read("{\"id\":null,\"parent\":null}", &err) && is_read("{}", &err));
    ck_assert(!is_read("{\"id\":\"../package\"}", &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_str_eq(err.why, "its id is '../package'");
    ck_assert(!is_read("{\"id\":\"a\",\"parent\":{\"id\":\"\\u001b[2J\"}}", &err));
    ck_assert_str_eq(err.why, "its parent's id is '?[2J'");
}
END_TEST

/* By another program's FNV-1a of 128 bits. */
START_TEST(an_id_of_contents_is_the_same_everywhere)
{
    const char *const texts[] = { "a", "energy", NULL, "\xc3\xa9", "" };
    char id[CONTENT_ID_SIZE];

    content_id(texts, sizeof texts / sizeof texts[0], id);
    ck_assert_str_eq(id, "47380357-a77b-8385-973e-44be2614e99b");
}
END_TEST

UNIT_SUITE("identity", identities_of_carbon_are_ones, names_that_lead_elsewhere_are_none, an_identity_is_a_plain_name,
           documents_are_held_to_it, an_id_of_contents_is_the_same_everywhere)
