/* SPDX-License-Identifier: MIT
 * Texts by the columns of a terminal that their characters take. */
#include "form/text_columns.h"

#include "base/c_locale.h"

#include <string.h>
#include <wchar.h>

/* Of a whole character of this length. */
static unsigned code_of(const char *c, size_t length)
{
    static const unsigned char first_bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    unsigned code = (unsigned char)c[0] & first_bits[length];

    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)c[i] & 0x3f);
    return code;
}

/* What carbon's own words are made of needs no table: Latin letters, dashes, arrows and signs, blocks. */
static bool is_narrow(unsigned code)
{
    return code < 0x300 || (code >= 0x2010 && code <= 0x2027) || (code >= 0x2030 && code <= 0x205e) ||
           (code >= 0x2190 && code <= 0x22ff) || (code >= 0x2500 && code <= 0x259f);
}

static bool is_simple(const char *c, size_t length)
{
    return length <= 1 || is_narrow(code_of(c, length));
}

static size_t width_of(const char *c, size_t length)
{
    const int width = is_simple(c, length) ? 1 : wcwidth((wchar_t)code_of(c, length));

    return width < 0 ? 1 : (size_t)width;
}

/* A locale that knows the characters, where one of them wants it. */
static struct c_locale enter_for(const char *text, const char *end)
{
    for (size_t length; text < end; text += length ? length : 1) {
        length = utf8_length(text);
        if (!is_simple(text, length))
            return c_locale_enter_utf8();
    }
    return (struct c_locale){ .own = (locale_t)0 };
}

#define AUTO_LOCALE_FOR(text, end)                                                                                     \
    __attribute__((cleanup(c_locale_leave), unused)) const struct c_locale locale = enter_for(text, end)

static size_t ascii_length(const char *text, const char *end)
{
    const char *at = text;

    while (at < end && (unsigned char)*at < 0x80)
        at++;
    return (size_t)(at - text);
}

size_t utf8_columns_of(const char *text, size_t length)
{
    const char *end = text + length;
    size_t columns = ascii_length(text, end);

    text += columns;
    if (text == end)
        return columns;
    AUTO_LOCALE_FOR(text, end);
    for (size_t bytes; text < end; text += bytes ? bytes : 1) {
        bytes = utf8_length(text);
        columns += width_of(text, bytes);
    }
    return columns;
}

size_t utf8_columns(const char *text)
{
    return utf8_columns_of(text, strlen(text));
}

void utf8_fit(char *field, size_t size, const char *from, size_t max, const char *rest)
{
    const size_t marks = utf8_columns(rest);
    const bool fits = utf8_columns(from) <= max;
    const size_t room = fits || max <= marks ? max : max - marks;
    size_t filled = 0;

    AUTO_LOCALE_FOR(from, from + strlen(from));
    for (size_t length, columns = 0; *from; from += length) {
        const size_t whole = utf8_length(from);
        length = whole ? whole : 1;
        columns += width_of(from, whole);
        if (columns > room || filled + length + strlen(rest) >= size)
            break;
        memcpy(field + filled, from, length);
        filled += length;
    }
    strcpy(field + filled, *from && max > marks ? rest : "");
}

int text_fitting(const char *line, size_t length, int max, size_t *bytes)
{
    size_t columns = 0, at = 0;

    AUTO_LOCALE_FOR(line, line + length);
    while (at < length) {
        const size_t whole = utf8_length(line + at), taken = width_of(line + at, whole);
        if (line[at] == '\033') {
            at += strcspn(line + at, "m") + 1;
            continue;
        }
        if (columns + taken > (size_t)(max > 0 ? max : 0))
            break;
        columns += taken;
        at += whole ? whole : 1;
    }
    *bytes = at < length ? at : length;
    return (int)columns;
}
