/* SPDX-License-Identifier: MIT
 * The C locale for one call. */
#include "base/c_locale.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct c_locale c_locale_enter(void)
{
    const locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    return (struct c_locale){ .own = own, .host = own ? uselocale(own) : (locale_t)0 };
}

struct c_locale c_locale_enter_utf8(void)
{
    const locale_t own = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

    return (struct c_locale){ .own = own, .host = own ? uselocale(own) : (locale_t)0 };
}

void c_locale_leave(const struct c_locale *held)
{
    if (!held->own)
        return;
    uselocale(held->host);
    freelocale(held->own);
}

/* For numbers, of whose locale the decimal point alone counts: most programs have it, and entering costs as much as
 * writing one. */
static struct c_locale enter_unless_point(void)
{
    const char *point = nl_langinfo(RADIXCHAR);

    return strcmp(point, ".") == 0 ? (struct c_locale){ .own = (locale_t)0 } : c_locale_enter();
}

#define AUTO_POINT                                                                                                     \
    __attribute__((cleanup(c_locale_leave), unused)) const struct c_locale c_locale = enter_unless_point()

double c_strtod(const char *text, char **end)
{
    AUTO_POINT;

    return strtod(text, end);
}

char *c_strptime(const char *text, const char *form, struct tm *fields)
{
    AUTO_C_LOCALE;

    return strptime(text, form, fields);
}

int c_vsnprintf(char *out, size_t size, const char *format, va_list arguments)
{
    AUTO_POINT;

    return vsnprintf(out, size, format, arguments);
}

char *c_vasprintf(const char *format, va_list arguments)
{
    AUTO_POINT;
    char *text;

    return vasprintf(&text, format, arguments) < 0 ? NULL : text;
}

int c_snprintf(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = c_vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return length;
}

int c_vfprintf(FILE *out, const char *format, va_list arguments)
{
    AUTO_POINT;

    return vfprintf(out, format, arguments);
}

int c_fprintf(FILE *out, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = c_vfprintf(out, format, arguments);
    va_end(arguments);
    return length;
}

const char *c_strerror(int number)
{
    AUTO_C_LOCALE;

    return strerror(number);
}

int c_strcasecmp(const char *a, const char *b)
{
    return c_strncasecmp(a, b, (size_t)-1);
}

int c_strncasecmp(const char *a, const char *b, size_t length)
{
    for (; length; length--, a++, b++) {
        const int order = (unsigned char)c_tolower((unsigned char)*a) - (unsigned char)c_tolower((unsigned char)*b);
        if (order || !*a)
            return order;
    }
    return 0;
}

char *c_strcasestr(const char *text, const char *part)
{
    const size_t length = strlen(part);

    for (;; text++) {
        if (c_strncasecmp(text, part, length) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}
