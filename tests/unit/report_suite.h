/* SPDX-License-Identifier: MIT
 * A file whose tests all begin with a small finished measurement, and look at what its forms write:
 * UNIT_SUITE_IN("name", begin, end, ...). */
#ifndef TESTS_REPORT_SUITE_H
#define TESTS_REPORT_SUITE_H

#include "report_fixture.h"
#include "words.h"

static struct fixture *fixture;

static inline void begin(void)
{
    fixture = fixture_new();
}

static inline void end(void)
{
    free(fixture);
}

/* What this form writes now has each of these words. */
#define FORM_HAS(format, ...) form_check(format, true, WORDS_OF(__VA_ARGS__))
#define FORM_LACKS(format, ...) form_check(format, false, WORDS_OF(__VA_ARGS__))

static inline void form_check(const struct report_format *format, bool expected, const char *const *words)
{
    char *text = fixture_write(fixture, format);

    words_check(text, expected, words);
    free(text);
}

#endif
