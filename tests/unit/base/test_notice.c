/* SPDX-License-Identifier: MIT
 * base/notice: codes of kinds, lists of notices, and what an error is as a notice. */
#include "unit.h"

#include "base/notice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

START_TEST(every_kind_has_a_code_of_its_own)
{
    for (enum notice_kind kind = NOTICE_NONE + 1; kind < NOTICE_KIND_COUNT; kind++) {
        const char *name = notice_kind_name(kind);

        ck_assert_ptr_nonnull(name);
        ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
        ck_assert(islower((unsigned char)name[0]) && islower((unsigned char)name[strlen(name) - 1]));
        ck_assert_int_eq(notice_kind_of(name), kind);
    }
    ck_assert_str_eq(notice_kind_name(NOTICE_NONE), "");
}
END_TEST

START_TEST(a_word_that_is_no_code)
{
    ck_assert_int_eq(notice_kind_of(""), NOTICE_NONE);
    ck_assert_int_eq(notice_kind_of("absent"), NOTICE_NONE);
    ck_assert_int_eq(notice_kind_of("mirror "), NOTICE_NONE);
    ck_assert_int_eq(notice_kind_of("Mirror"), NOTICE_NONE);
}
END_TEST

/* Names of files and words of programs are quoted in messages, and a terminal obeys what it is shown. */
START_TEST(what_is_quoted_cannot_command_a_terminal)
{
    static const char hostile[] = "\x1b[31mred\a\xc2\x9b \xff\u00e4";
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error error;

    error_set(&error, ERROR_USAGE, "'%s'", hostile);
    error_why(&error, "%s", hostile);
    error_fix(&error, "%s", hostile);
    ck_assert_str_eq(error.what, "'?[31mred?? ?\u00e4'");
    ck_assert_str_eq(error.why, "?[31mred?? ?\u00e4");
    ck_assert_str_eq(error.fix, error.why);
    notice_add(&notices, NOTICE_FAILED, hostile, hostile, "'%s'", hostile);
    ck_assert_str_eq(notices.item[0].what, error.what);
    ck_assert_str_eq(notices.item[0].why, error.why);
    ck_assert_str_eq(notices.item[0].fix, error.why);
}
END_TEST

START_TEST(a_notice_keeps_its_kind)
{
    AUTO_NOTICES struct notices notices = { .count = 0 }, copies = { .count = 0 };
    struct error failed;

    notice_add(&notices, NOTICE_MIRROR, "why", "fix", "%d of them", 2);
    notice_add(&notices, NOTICE_FROZEN, "", "", "2 of them");
    error_set(&failed, ERROR_SYSTEM, "it failed");
    notice_add_error(&notices, NOTICE_STALE, &failed);
    ck_assert_uint_eq(notices.count, 2);
    ck_assert_int_eq(notices.item[0].kind, NOTICE_MIRROR);
    ck_assert_str_eq(notices.item[0].what, "2 of them");
    ck_assert_str_eq(notices.item[0].why, "why");
    ck_assert_str_eq(notices.item[0].fix, "fix");
    ck_assert_int_eq(notices.item[1].kind, NOTICE_STALE);
    ck_assert_str_eq(notices.item[1].what, "it failed");
    notice_copy(&copies, &notices.item[0]);
    notice_copy(&copies, &notices.item[0]);
    ck_assert_uint_eq(copies.count, 1);
    ck_assert_int_eq(copies.item[0].kind, NOTICE_MIRROR);
}
END_TEST

/* However many they are, each once, in the order of finding. */
START_TEST(every_notice_is_kept)
{
    enum { MANY = 5000 };
    AUTO_NOTICES struct notices notices = { .count = 0 }, same = { .left_out = 7 };
    char what[32];

    for (int twice = 0; twice < 2; twice++)
        for (int i = 0; i < MANY; i++)
            notice_add(&notices, NOTICE_GAPS, "", "", "number %d", i);
    ck_assert_uint_eq(notices.count, MANY);
    ck_assert_uint_eq(notices.left_out, 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(what, sizeof what, "number %d", i);
        ck_assert_str_eq(notices.item[i].what, what);
    }
    notices_set(&same, &notices);
    notices_set(&same, &same);
    ck_assert(same.count == MANY && same.left_out == 0);
    /* what was cut off can be added again, and what stayed cannot */
    for (size_t left = MANY / 2; left; left /= 8) {
        notices_cut(&notices, left);
        notices_cut(&notices, MANY);
        ck_assert_uint_eq(notices.count, left);
        notice_add(&notices, NOTICE_GAPS, "", "", "number 0");
        notice_copy(&notices, &same.item[left]);
        notice_copy(&notices, &same.item[left]);
        ck_assert_uint_eq(notices.count, left + 1);
        ck_assert_str_eq(notices.item[left].what, same.item[left].what);
    }
    notices_clear(&notices);
    notices_clear(&notices);
    ck_assert(notices.count == 0 && !notices.item);
    ck_assert_str_eq(same.item[MANY - 1].what, what);
}
END_TEST

/* A text has no limit of its own, and is the list's own. */
START_TEST(a_long_notice_is_whole)
{
    AUTO_NOTICES struct notices notices = { .count = 0 }, copies = { .count = 0 };
    char longest[5000];

    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    notice_add(&notices, NOTICE_GAPS, longest, longest + 1, "'%s'", longest);
    notices_copy(&copies, &notices);
    memset(longest, 'y', sizeof longest - 1);
    notices_clear(&notices);
    ck_assert_uint_eq(strlen(copies.item[0].what), sizeof longest + 1);
    ck_assert_uint_eq(strspn(copies.item[0].why, "x"), sizeof longest - 1);
    ck_assert_uint_eq(strspn(copies.item[0].fix, "x"), sizeof longest - 2);
}
END_TEST

START_TEST(what_is_found_of_several_is_told_once)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    AUTO_NOTICES struct notices groups = { .count = 0 };

    for (int i = 0; i < 100; i++) {
        AUTO_NOTICES struct notices found = { .count = 0 };
        notice_add(&found, NOTICE_RESET, "", "run again", "counter %d began again", i);
        if (i % 2)
            notice_add(&found, NOTICE_RESET, "", "another fix", "counter %d went back", i);
        if (i == 7)
            notice_add(&found, NOTICE_FROZEN, "", "run again", "counter %d stood still", i);
        notice_groups_add(&groups, &found);
    }
    notice_groups_tell(&groups, &notices);
    ck_assert_uint_eq(notices.count, 3);
    ck_assert_str_eq(notices.item[0].what, "counter 0 began again; 99 more are like that");
    ck_assert_str_eq(notices.item[1].what, "counter 1 went back; 49 more are like that");
    ck_assert_str_eq(notices.item[2].what, "counter 7 stood still");
    ck_assert_int_eq(notices.item[2].kind, NOTICE_FROZEN);
    ck_assert_uint_eq(groups.count, 0);
}
END_TEST

START_TEST(what_an_error_is_as_a_notice)
{
    static const struct {
        enum error_kind error;
        enum notice_kind notice;
    } kinds[] = {
        { ERROR_NONE, NOTICE_NONE },     { ERROR_ABSENT, NOTICE_NONE },
        { ERROR_DENIED, NOTICE_DENIED }, { ERROR_BAD_DATA, NOTICE_ERROR_VALUE },
        { ERROR_SYSTEM, NOTICE_FAILED }, { ERROR_USAGE, NOTICE_FAILED },
    };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        error_set(&err, kinds[i].error, "error %zu", i);
        ck_assert_int_eq(notice_kind_of_refusal(&err), kinds[i].notice);
    }
    error_set(&err, ERROR_ABSENT, "no counter");
    ck_assert(!error_notice(&err, NOTICE_MASKED));
    error_why(&err, "hidden");
    ck_assert_int_eq(notice_kind_of_refusal(&err), NOTICE_MASKED);
    notice_add_refusal(&notices, &err);
    ck_assert_int_eq(notices.item[0].kind, NOTICE_MASKED);
    error_set(&err, ERROR_ABSENT, "something else");
    ck_assert_int_eq(err.notice, NOTICE_NONE);
    ck_assert(!error_notice(NULL, NOTICE_MASKED));
}
END_TEST

UNIT_SUITE("notice", every_kind_has_a_code_of_its_own, a_word_that_is_no_code, a_notice_keeps_its_kind,
           what_is_quoted_cannot_command_a_terminal, every_notice_is_kept, a_long_notice_is_whole,
           what_is_found_of_several_is_told_once, what_an_error_is_as_a_notice)
