/* SPDX-License-Identifier: MIT
 * base/c_locale: as the C library's own functions in the C locale, byte by byte; and the thread's locale is back behind it. */
#include "unit.h"

#include "base/c_locale.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

START_TEST(letters)
{
    for (int c = -1; c < 256; c++) {
        ck_assert_int_eq(c_isdigit(c), isdigit(c) != 0);
        ck_assert_int_eq(c_islower(c), islower(c) != 0);
        ck_assert_int_eq(c_isalpha(c), isalpha(c) != 0);
        ck_assert_int_eq(c_isalnum(c), isalnum(c) != 0);
        ck_assert_int_eq(c_isspace(c), isspace(c) != 0);
        ck_assert_int_eq(c_iscntrl(c), iscntrl(c) != 0);
        ck_assert_int_eq((unsigned char)c_tolower(c), (unsigned char)tolower(c));
        ck_assert_int_eq((unsigned char)c_toupper(c), (unsigned char)toupper(c));
    }
    for (int c = -128; c < 0; c++) /* a char that has a sign */
        ck_assert(!c_isalnum((char)c) && !c_isspace((char)c) && !c_iscntrl((char)c) && c_tolower((char)c) == (char)c);
}
END_TEST

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

START_TEST(comparisons)
{
    static const char *const texts[] = { "", "a", "A", "b", "ab", "AB", "aBc", "I", "i", "ı", "İ", "it", "IT", "é", "_", "z" };
    enum { COUNT = sizeof texts / sizeof texts[0] };

    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            ck_assert_int_eq(sign(c_strcasecmp(texts[i], texts[j])), sign(strcasecmp(texts[i], texts[j])));
            for (size_t length = 0; length < 4; length++)
                ck_assert_int_eq(sign(c_strncasecmp(texts[i], texts[j], length)),
                                 sign(strncasecmp(texts[i], texts[j], length)));
            ck_assert_ptr_eq(c_strcasestr(texts[i], texts[j]), strcasestr(texts[i], texts[j]));
        }
}
END_TEST

START_TEST(numbers)
{
    char text[16], *end;

    ck_assert_int_eq(c_snprintf(text, sizeof text, "%.2f %s", 0.125, "x"), 6);
    ck_assert_str_eq(text, "0.12 x");
    ck_assert_double_eq(c_strtod("1.5,", &end), 1.5);
    ck_assert_str_eq(end, ",");
    errno = 0;
    ck_assert(c_strtod("1e999", NULL) > 1e308 && errno == ERANGE);
    ck_assert_str_eq(c_strerror(ENOENT), "No such file or directory");
}
END_TEST

START_TEST(locale_comes_back)
{
    const locale_t own = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    const locale_t host = own ? own : newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(host);

    {
        AUTO_C_LOCALE;
        ck_assert_double_eq(c_strtod("0.5", NULL), 0.5);
        ck_assert_ptr_ne(uselocale((locale_t)0), host);
    }
    ck_assert_ptr_eq(uselocale((locale_t)0), host);
    uselocale(before);
    freelocale(host);
}
END_TEST

UNIT_SUITE("c_locale", letters, comparisons, numbers, locale_comes_back)
