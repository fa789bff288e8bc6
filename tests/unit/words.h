/* SPDX-License-Identifier: MIT
 * Looking for words in a text that is too long to be compared as a whole. */
#ifndef TESTS_WORDS_H
#define TESTS_WORDS_H

#include <check.h>
#include <stdbool.h>
#include <string.h>

/* A list that ends with NULL. */
#define WORDS_OF(...) ((const char *const[]){ __VA_ARGS__, NULL })
/* Each of them is in the text: HAS(text, "one", "another"). */
#define HAS(text, ...) words_check(text, true, WORDS_OF(__VA_ARGS__))
/* None of them is. */
#define LACKS(text, ...) words_check(text, false, WORDS_OF(__VA_ARGS__))

static inline void words_check(const char *text, bool expected, const char *const *words)
{
    for (; *words; words++)
        ck_assert_msg((strstr(text, *words) != NULL) == expected, "'%s' is %s '%s'", *words, expected ? "not in" : "in",
                      text);
}

#endif
