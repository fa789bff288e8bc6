/* SPDX-License-Identifier: MIT
 * The C library's functions whose answer depends on the locale, as the C locale has them, whatever locale the program
 * has. Nothing else in src/ calls those functions (tests/check-globals.sh), and only these print a number with a
 * decimal point (tests/check-style.sh). The locale of other threads is not touched. */
#ifndef BASE_C_LOCALE_H
#define BASE_C_LOCALE_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* From here to the end of the block this thread is in the C locale: for a library that knows no other way. */
struct c_locale {
    locale_t own, host;
};

struct c_locale c_locale_enter(void);
void c_locale_leave(const struct c_locale *held);

#define AUTO_C_LOCALE __attribute__((cleanup(c_locale_leave), unused)) const struct c_locale c_locale = c_locale_enter()

/* Likewise in one that knows the characters of UTF-8, where the C library has it: for their width; to be left by
 * c_locale_leave. */
struct c_locale c_locale_enter_utf8(void);

double c_strtod(const char *text, char **end);
struct tm;
/* Names of months and days are English. NULL: the text is not of that form. */
char *c_strptime(const char *text, const char *form, struct tm *fields);
int c_snprintf(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int c_vsnprintf(char *out, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));
/* All of it, to be freed; NULL: no memory. */
char *c_vasprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
int c_fprintf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int c_vfprintf(FILE *out, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Error text in English; never NULL. */
const char *c_strerror(int number);

/* Letters are those of ASCII: bytes of UTF-8 are none, and 'I' is the capital of 'i' in Turkey, too. */
static inline bool c_isdigit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool c_islower(int c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool c_isalpha(int c)
{
    return c_islower(c) || (c >= 'A' && c <= 'Z');
}

static inline bool c_isalnum(int c)
{
    return c_isalpha(c) || c_isdigit(c);
}

static inline bool c_isspace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool c_iscntrl(int c)
{
    return (c >= 0 && c < ' ') || c == 0x7f;
}

static inline char c_tolower(int c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static inline char c_toupper(int c)
{
    return (char)(c_islower(c) ? c - 'a' + 'A' : c);
}

int c_strcasecmp(const char *a, const char *b);
int c_strncasecmp(const char *a, const char *b, size_t length);
char *c_strcasestr(const char *text, const char *part);

#endif
