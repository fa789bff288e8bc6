/* SPDX-License-Identifier: MIT
 * Sections and values as they are read from a file, and the faults of a file with their lines. */
#include "unit.h"

#include "base/auto.h"
#include "base/text.h"
#include "io/ini.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct ini_form going_on = { .goes_on = true, .fix = "write it well" };
static const struct ini_form plain = { .fix = "write it well" };

/* "LINE[SECTION]" and "LINE SECTION.NAME=VALUE", '*' behind what had a remark; '\n' is shown as '|'. */
static bool note(const struct ini_entry *entry, void *context, struct error *err)
{
    struct text *seen = context;
    char value[400] = "";

    if (!entry->name) {
        text_add(seen, "%d[%s] ", entry->line, entry->section);
        return true;
    }
    text_copy(value, sizeof value, entry->value);
    for (char *at = value; (at = strchr(at, '\n'));)
        *at = '|';
    text_add(seen, "%d %s.%s=%s%s ", entry->line, entry->section, entry->name, value, entry->remarked ? "*" : "");
    return strcmp(entry->name, "stop") != 0 || ini_fail(err, "F", entry->line, "this is", "the end");
}

static struct text parsed(const char *content, const struct ini_form *form, struct error *err)
{
    struct text seen;
    bool good;

    text_open(&seen, 1 << 16);
    text_add(&seen, "%s", "");
    *err = (struct error){ .kind = ERROR_NONE };
    good = ini_read("F", content, form, note, &seen, err);
    ck_assert_int_eq(good, err->kind == ERROR_NONE);
    return seen;
}

static void check_parsed(const char *content, const struct ini_form *form, const char *expected)
{
    struct error err;
    struct text seen = parsed(content, form, &err);

    ck_assert_msg(err.kind == ERROR_NONE, "%s", err.what);
    ck_assert_str_eq(seen.data, expected);
    text_close(&seen);
}

static void check_fault(const char *content, const struct ini_form *form, const char *expected, const char *before)
{
    struct error err;
    struct text seen = parsed(content, form, &err);

    ck_assert_str_eq(err.what, expected);
    ck_assert_str_eq(seen.data, before);
    text_close(&seen);
}

START_TEST(sections_and_values_come_in_order_with_their_lines)
{
    check_parsed("a = 1\n# remark\n\n[one]\nb=2 ; two\nc = x;y\n[empty]\n[one]\r\nd : 4\r\n", &plain,
                 "1 .a=1 4[one] 5 one.b=2* 6 one.c=x;y 7[empty] 8[one] 9 one.d=4 ");
    check_parsed("\xef\xbb\xbf[first]\na = 1", &going_on, "1[first] 2 first.a=1 ");
    check_parsed("", &plain, "");
    check_parsed("a =\n", &plain, "1 .a= ");
}
END_TEST

START_TEST(an_indented_line_goes_on_only_where_the_form_has_it)
{
    check_parsed("[m]\ncommand = first \\\n    second\n\tthird = 3\n\n  [fourth]\n# out\nitems = 5\n", &going_on,
                 "1[m] 2 m.command=first \\|second|third = 3|[fourth] 8 m.items=5 ");
    check_parsed("command = a\n  b; c\nnext = 1\n", &going_on, "1 .command=a|b; c 3 .next=1 ");
    check_parsed("  a = 1\n\tb = 2\n  [s]\n", &plain, "1 .a=1 2 .b=2 3[s] ");
}
END_TEST

START_TEST(faults_are_named_with_their_line)
{
    char name[80], line[400], expected[200];

    check_fault("a = 1\nb\nc = 3\n", &plain, "'F' line 2: this is neither 'name = value'", "1 .a=1 3 .c=3 ");
    check_fault("[open\na = 1\n", &plain, "'F' line 1: this is neither 'name = value'", "2 .a=1 ");
    check_fault("stop = 1\nb\n", &plain, "'F' line 1: this is 'the end'", "1 .stop=1 ");
    check_fault("  a = 1\n", &going_on, "'F' line 1: no value above to continue: 'a = 1'", "");
    check_fault("a = 1\n[s]\n  b = 1\n", &going_on,
                "'F' line 3: no value above to continue: 'b = 1'", "1 .a=1 2[s] ");
    snprintf(name, sizeof name, "[%050d]", 0);
    snprintf(expected, sizeof expected, "'F' line 1: the name of this section is too long: '%050d]'", 0);
    check_fault(name, &plain, expected, "");
    snprintf(name, sizeof name, "[%049d]\na = 1\n", 0);
    snprintf(expected, sizeof expected, "1[%049d] 2 %049d.a=1 ", 0, 0);
    check_parsed(name, &plain, expected);
    snprintf(line, sizeof line, "a = 1\nlong = %0300d\n", 0);
    snprintf(expected, sizeof expected, "'F' line 2: is too long for this format: 'long = %053d'", 0);
    check_fault(line, &plain, expected, "1 .a=1 ");
}
END_TEST

static void put(const char *path, const char *bytes, size_t length)
{
    AUTO_FCLOSE FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
}

START_TEST(a_file_is_read_whole_or_refused)
{
    char folder[] = "/tmp/carbon-ini.XXXXXX", path[64], expected[200];
    struct error err = { .kind = ERROR_NONE };
    char *content;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/f", folder);
    ck_assert_ptr_null(ini_load(path, 10, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_ptr_null(ini_load(folder, 10, &err));
    ck_assert_str_eq(err.why, "is a directory");
    put(path, "0123456789", 10);
    content = ini_load(path, 10, &err);
    ck_assert_str_eq(content, "0123456789");
    free(content);
    ck_assert_ptr_null(ini_load(path, 9, &err));
    snprintf(expected, sizeof expected, "'%s' is larger than 9 bytes", path);
    ck_assert_str_eq(err.what, expected);
    put(path, "a = 1\nb\0c", 9);
    ck_assert_ptr_null(ini_load(path, 10, &err));
    snprintf(expected, sizeof expected, "'%s' line 2: not text", path);
    ck_assert_str_eq(err.what, expected);
    ck_assert_str_eq(err.why, "it holds the byte 0x00");
    put(path, "\033[31m\n", 6);
    ck_assert_ptr_null(ini_load(path, 10, &err));
    ck_assert_str_eq(err.why, "it holds the byte 0x1b");
    remove(path);
    remove(folder);
}
END_TEST

UNIT_SUITE("ini", sections_and_values_come_in_order_with_their_lines,
           an_indented_line_goes_on_only_where_the_form_has_it, faults_are_named_with_their_line,
           a_file_is_read_whole_or_refused)
