/* SPDX-License-Identifier: MIT
 * Bounded strings, numbers to and from text, how far two words are apart, and arrays that grow. */
#include "base/array.h"
#include "base/near.h"
#include "base/text.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(items) (sizeof(items) / sizeof(items)[0])

/* 300 bytes with the NUL: 299 characters fit, one more does not and changes nothing. */
START_TEST(a_text_grows_to_its_ceiling)
{
    struct text text;

    text_open(&text, 300);
    ck_assert(text_ok(&text) && !text.data);
    text_add(&text, "%s", "");
    ck_assert_str_eq(text.data, "");
    text_add(&text, "%0255d", 7);
    ck_assert_uint_eq(text.length, 255);
    ck_assert_uint_eq(text.size, 256); /* it doubles when that is full, and not before */
    ck_assert_str_eq(text.data + 254, "7");
    text_add(&text, "%c", 'x');
    ck_assert_str_eq(text.data + 254, "7x");
    text_add(&text, "%043d", 8);
    ck_assert(text_ok(&text));
    ck_assert_uint_eq(text.length, 299);
    ck_assert_uint_eq(strlen(text.data), 299);
    ck_assert_uint_eq(text.size, 512);
    text_add(&text, "%c", 'y');
    ck_assert(!text_ok(&text));
    ck_assert_uint_eq(strlen(text.data), 299);
    text_close(&text);
    ck_assert(!text.data && text.length == 0 && text.ceiling == 300);
    text_open(&text, 300);
    text_add(&text, "%0300d", 1);
    ck_assert(!text_ok(&text));
    text_close(&text);
}
END_TEST

/* A field of 5 bytes holds 4, and no half of a character of two or three. */
START_TEST(a_copy_is_cut_between_characters)
{
    static const char *const reported[][2] = {
        { "", "" },
        { "abcd", "abcd" },
        { "abcde", "abcd" },
        { "abcdef", "abcd" },
        { "abc\u00b5", "abc" },
        { "ab\u00b5c", "ab\u00b5" },
        { "ab\u20acc", "ab" },
        { "a\u20acc", "a\u20ac" },
    };

    for (size_t i = 0; i < COUNT(reported); i++) {
        char field[5];

        text_copy(field, sizeof field, reported[i][0]);
        ck_assert_str_eq(field, reported[i][1]);
    }
}
END_TEST

/* The shortest that reads back, and a whole number in full up to 15 digits. */
START_TEST(numbers_are_told_exactly)
{
    static const struct {
        double value;
        const char *exact, *rounded;
    } reported[] = {
        { 0, "0", "0" },
        { -0.0, "0", "0" },
        { 0.1, "0.1", "0.1" },
        { 100, "100", "100" },
        { -1e14, "-100000000000000", "-1e+14" },
        { 999999999999999, "999999999999999", "1e+15" },
        { 1e15, "1e+15", "1e+15" },
        { 1.0 / 3, "0.3333333333333333", "0.333333333333" },
        { 0.1 + 0.2, "0.30000000000000004", "0.3" },
        { 9.683e-06, "9.683e-06", "9.683e-06" },
        { DBL_MAX, "1.7976931348623157e+308", "1.79769313486e+308" },
        { DBL_MIN, "2.2250738585072014e-308", "2.22507385851e-308" },
        { 4.9406564584124654e-324, "5e-324", "4.94065645841e-324" },
        { NAN, "null", "null" },
        { -INFINITY, "null", "null" },
    };

    for (size_t i = 0; i < COUNT(reported); i++) {
        char out[TEXT_NUMBER_SIZE];

        ck_assert_str_eq(text_number(reported[i].value, out), reported[i].exact);
        ck_assert_str_eq(text_rounded(reported[i].value, out), reported[i].rounded);
    }
}
END_TEST

START_TEST(numbers_are_read)
{
    static const char *const refused[] = { "", " 1", "1 ", "nan", "inf", "0x10", "1e999", "e", "+", ".", "1-", "1,5" };
    static const struct {
        const char *text;
        double value;
    } read[] = { { "1e3", 1000 }, { "-2.5", -2.5 }, { "+.5", 0.5 }, { "0", 0 }, { "1E-2", 0.01 }, { "1e-999", 0 } };
    double value;

    for (size_t i = 0; i < COUNT(read); i++) {
        ck_assert_msg(text_to_number(read[i].text, &value), "'%s'", read[i].text);
        ck_assert_double_eq(value, read[i].value);
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        ck_assert_msg(!text_to_number(refused[i], &value), "'%s'", refused[i]);
}
END_TEST

START_TEST(whole_numbers_are_read)
{
    static const char *const refused[] = { "", " 1", "+1", "-1", "1.0", "0x1", "18446744073709551616" };
    uint64_t value;

    ck_assert(text_to_u64("0", &value) && value == 0);
    ck_assert(text_to_u64("010", &value) && value == 10);
    ck_assert(text_to_u64("18446744073709551615", &value) && value == UINT64_MAX);
    for (size_t i = 0; i < COUNT(refused); i++)
        ck_assert_msg(!text_to_u64(refused[i], &value), "'%s'", refused[i]);
}
END_TEST

/* The published values of FNV-1a with 64 bits. */
START_TEST(the_hash_is_the_published_one)
{
    ck_assert_uint_eq(text_hash("", 0), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(text_hash("a", 1), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(text_hash("foobar", 6), UINT64_C(0x85944171f73967e8));
}
END_TEST

/* Characters put in, taken out or replaced; of the first 64. */
START_TEST(distances_between_words)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } reported[] = {
        { "", "", 0 },
        { "abc", "", 3 },
        { "", "abc", 3 },
        { "abc", "abc", 0 },
        { "ABC", "abc", 0 },
        { "abc", "abd", 1 },
        { "abc", "ab", 1 },
        { "ab", "abc", 1 },
        { "abc", "bc", 1 },
        { "bc", "abc", 1 },
        { "abc", "xyz", 3 },
        { "kitten", "sitting", 3 },
        { "sunday", "saturday", 3 },
        { "ab", "ba", 1 },
        { "abcd", "d", 3 },
        { "a", "bcad", 3 },
        { "hlep", "help", 1 },
        { "abcd", "badc", 2 },
        { "ca", "abc", 3 },
        { "AB", "ba", 1 },
    };
    char a[100], b[100];

    for (size_t i = 0; i < COUNT(reported); i++)
        ck_assert_msg(text_distance(reported[i].a, reported[i].b) == reported[i].distance, "'%s' '%s': %u",
                      reported[i].a, reported[i].b, text_distance(reported[i].a, reported[i].b));
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[99] = b[99] = '\0';
    ck_assert_uint_eq(text_distance(a, b), 64);
    a[64] = b[64] = '\0';
    ck_assert_uint_eq(text_distance(a, b), 64);
    ck_assert_uint_eq(text_distance(a, ""), 64);
}
END_TEST

START_TEST(near_names_are_near)
{
    static const char *const names[] = { "measure", "estimate", "sources", "config", "help", NULL };

    ck_assert_str_eq(near_of("mesure", names), "measure");
    ck_assert_str_eq(near_of("source", names), "sources");
    ck_assert_str_eq(near_of("est", names), "estimate");
    ck_assert_str_eq(near_of("hlep", names), "help");
    ck_assert_str_eq(near_of("hepl", names), "help");
    ck_assert_ptr_null(near_of("otlp", names));
    ck_assert_ptr_null(near_of("x", names));
    ck_assert_ptr_null(near_of("", names));
    ck_assert_ptr_null(near_of("banana", names));
}
END_TEST

START_TEST(a_longer_word_forgives_more)
{
    static const struct {
        const char *typed;
        unsigned slips;
    } reported[] = { { "", 0 },      { "x", 0 },       { "xy", 1 },      { "four", 1 },
                     { "fives", 2 }, { "seventh", 2 }, { "eighteen", 3 } };

    for (size_t i = 0; i < COUNT(reported); i++)
        ck_assert_uint_eq(near_slips(reported[i].typed), reported[i].slips);
}
END_TEST

START_TEST(the_nearest_few_are_kept_in_order)
{
    struct near_names near = { .typed = "bread" };
    char list[NEAR_LIST_SIZE];

    ck_assert_str_eq(near_list(&near, list), "");
    near_offer(&near, "broad", "one slip");
    near_offer(&near, "beard", "two slips");
    near_offer(&near, "bred", "one more slip");
    near_offer(&near, "banana", "none");
    ck_assert_str_eq(near_list(&near, list), "'one slip', 'one more slip', 'two slips'");
    near_offer(&near, "bread", "two slips"); /* another spelling of the same */
    ck_assert_str_eq(near_list(&near, list), "'two slips', 'one slip', 'one more slip'");
    near_add(&near, "as near", 0);
    ck_assert_str_eq(near_list(&near, list), "'two slips', 'as near', 'one slip'");
    near_add(&near, "far", 9);
    ck_assert_str_eq(near_list(&near, list), "'two slips', 'as near', 'one slip'");
}
END_TEST

START_TEST(an_array_doubles_and_survives_too_much)
{
    size_t room = 0;
    int *items = array_room(NULL, &room, 1, sizeof *items);

    ck_assert_uint_eq(room, ARRAY_MIN);
    for (int i = 0; i < ARRAY_MIN; i++)
        items[i] = i;
    ck_assert_ptr_eq(array_room(items, &room, room, sizeof *items), items);
    items = array_room(items, &room, 3 * ARRAY_MIN, sizeof *items);
    ck_assert_uint_eq(room, 4 * ARRAY_MIN);
    ck_assert_ptr_eq(array_room(items, &room, SIZE_MAX, sizeof *items), items);
    ck_assert_ptr_eq(array_room(items, &room, PTRDIFF_MAX / sizeof *items, sizeof *items), items);
    ck_assert_uint_eq(room, 4 * ARRAY_MIN);
    for (int i = 0; i < ARRAY_MIN; i++)
        ck_assert_int_eq(items[i], i);
    free(items);
}
END_TEST

START_TEST(an_array_without_a_room_of_its_own_grows)
{
    uint64_t *items = NULL;

    for (size_t count = 0; count < 100; count++) {
        items = array_next(items, count, sizeof *items);
        ck_assert_ptr_nonnull(items);
        items[count] = count;
    }
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(items[i], i);
    free(items);
}
END_TEST

UNIT_SUITE("text", a_text_grows_to_its_ceiling, a_copy_is_cut_between_characters, numbers_are_told_exactly,
           numbers_are_read, whole_numbers_are_read, the_hash_is_the_published_one, distances_between_words,
           near_names_are_near, a_longer_word_forgives_more, the_nearest_few_are_kept_in_order,
           an_array_doubles_and_survives_too_much, an_array_without_a_room_of_its_own_grows)
