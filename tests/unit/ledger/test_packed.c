/* SPDX-License-Identifier: MIT
 * Records in few bytes: they come back as they were, and what is damaged does not come back at all. */
#include "ledger/packed.h"

#include "unit.h"

#include "report_fixture.h"

#include <stdlib.h>
#include <string.h>

static char *a_record(void)
{
    struct fixture *fixture = fixture_new();
    char *record;

    report_finish(&fixture->report);
    record = fixture_write(fixture, &json_format);
    fixture_free(fixture);
    return record;
}

static void check_back(const char *text)
{
    size_t length = 0;
    void *bytes = packed_make(text, &length);
    struct error err;
    char *back;

    ck_assert_ptr_nonnull(bytes);
    back = packed_read(bytes, length, &err);
    ck_assert_msg(back != NULL, "%s", err.what);
    ck_assert_str_eq(back, text);
    free(back);
    free(bytes);
}

START_TEST(they_come_back)
{
    enum { LONG = 3 << 20 };
    char *record = a_record(), *text = malloc(LONG + 1);
    uint32_t state = 1;

    check_back("");
    check_back("{}");
    check_back("\xc2\xb5gCO2eq\t\n\"\\");
    check_back(record);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < LONG; i++) /* what cannot be packed */
        text[i] = (char)('!' + (state = state * 1664525 + 1013904223) % 90);
    text[LONG] = '\0';
    check_back(text);
    memset(text, 'a', LONG);
    check_back(text);
    free(text);
    free(record);
}
END_TEST

/* Mostly what all have in common. */
START_TEST(a_record_is_small)
{
    char *record = a_record();
    size_t length = 0;
    void *bytes = packed_make(record, &length);

    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_lt(7 * length, strlen(record));
    free(bytes);
    free(record);
}
END_TEST

/* The bits behind the end of the last block say nothing. */
static void refused_or_same(const void *bytes, size_t length, const char *record)
{
    struct error err = { .kind = ERROR_NONE };
    char *text = packed_read(bytes, length, &err);

    ck_assert(text ? strcmp(text, record) == 0 : err.kind == ERROR_BAD_DATA);
    free(text);
}

static void refused(const void *bytes, size_t length)
{
    struct error err = { .kind = ERROR_NONE };

    ck_assert_ptr_null(packed_read(bytes, length, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
}

START_TEST(damage_is_found)
{
    char *record = a_record();
    size_t length = 0;
    unsigned char *bytes = packed_make(record, &length);

    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= (unsigned char)(1U << i % 8);
        refused_or_same(bytes, length, record);
        bytes[i] ^= (unsigned char)(1U << i % 8);
    }
    for (size_t i = 0; i < length; i += 7)
        refused(bytes, i);
    refused(record, strlen(record));
    free(bytes);
    free(record);
}
END_TEST

UNIT_SUITE("packed", they_come_back, a_record_is_small, damage_is_found)
