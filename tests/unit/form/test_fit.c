/* SPDX-License-Identifier: MIT
 * Lines that are wider than the terminal. */
#include "unit.h"

#include "form/fit.h"
#include "form/paragraph.h"

#include <stdio.h>
#include <string.h>

static void fits(const char *text, int width, const char *expected)
{
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);

    ck_assert_ptr_nonnull(out);
    fit_write(out, text, strlen(text), width);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(written, expected);
    free(written);
}

START_TEST(what_fits_stays)
{
    fits("", 20, "");
    fits("a  b  c\n\nd", 20, "a  b  c\n\nd");
    fits("\033[33mtwenty columns, just\033[0m\n", 20, "\033[33mtwenty columns, just\033[0m\n");
}
END_TEST

START_TEST(rows_are_cut_at_one_place)
{
    fits("  step       time     energy     power\n"
         "  one       12 ms     5.00 J     420 W\n"
         "  a         99 ms     none\n"
         "  three      1 s     15.00 J      15 W\n"
         "in 3 steps\n",
         30,
         "  step       time     energy\n"
         "            power\n"
         "  one       12 ms     5.00 J\n"
         "            420 W\n"
         "  a         99 ms     none\n"
         "  three      1 s     15.00 J\n"
         "             15 W\n"
         "in 3 steps\n");
}
END_TEST

START_TEST(sentences_hang_below_their_beginning)
{
    fits("  gross  57.6 g = 1 kWh of it\n", 20, "  gross  57.6 g = 1\n         kWh of it\n");
    fits("  note: one two three four\n", 20, "  note: one two\n        three four\n");
    fits("one two three four five\n", 20, "one two three four\n  five\n");
    fits("日本語 日本語 日本語 日本\n", 20, "日本語 日本語 日本語\n  日本\n");
    fits("see /a/path/that/is/longer/than/this now\n", 20, "see\n  /a/path/that/is/longer/than/this\n  now\n");
}
END_TEST

START_TEST(paragraphs_know_their_page)
{
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);

    paragraph_page(PARAGRAPH_ANSWER, out, 20);
    paragraph_write(out, "  note: ", "one two three four");
    paragraph_page(PARAGRAPH_ANSWER, out, 0);
    paragraph_write(out, "  note: ", "one two three four");
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(written, "  note: one two\n        three four\n  note: one two three four\n");
    free(written);
}
END_TEST

UNIT_SUITE("fit", what_fits_stays, rows_are_cut_at_one_place, sentences_hang_below_their_beginning,
           paragraphs_know_their_page)
