/* SPDX-License-Identifier: MIT
 * Bounded strings; numbers to and from text. */
#include "base/text.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/redact.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_open(struct text *text, size_t ceiling)
{
    *text = (struct text){ .ceiling = ceiling };
}

void text_close(struct text *text)
{
    free(text->data);
    *text = (struct text){ .ceiling = text->ceiling };
}

static bool text_reserve(struct text *text, size_t more)
{
    const size_t wanted = text->length + more + 1;

    if (wanted > text->ceiling)
        return false;
    text->data = array_room(text->data, &text->size, wanted, 1);
    return wanted <= text->size;
}

/* What can be written, the NUL included, without growing. */
static size_t text_room(const struct text *text)
{
    return (text->size < text->ceiling ? text->size : text->ceiling) - text->length;
}

/* Into the room that there is; a second time where that was too little. */
void text_add(struct text *text, const char *format, ...)
{
    const size_t room = text_room(text);
    va_list arguments, again;
    int length;

    if (text->failed)
        return;
    va_start(arguments, format);
    va_copy(again, arguments);
    length = c_vsnprintf(room ? text->data + text->length : NULL, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= room && text_reserve(text, (size_t)length))
        c_vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    va_end(again);
    if (length >= 0 && (size_t)length < text_room(text)) {
        text->length += (size_t)length;
        return;
    }
    text->failed = true;
    if (text->data)
        text->data[text->length] = '\0';
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
    if (text->failed || length == 0)
        return;
    if (!text_reserve(text, length)) {
        text->failed = true;
        return;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_copy(char *field, size_t size, const char *from)
{
    size_t length = size - 1;

    if (memccpy(field, from, '\0', size))
        return;
    while (length && ((unsigned char)field[length] & 0xc0) == 0x80)
        length--;
    field[length] = '\0';
}

void text_copy_redacted(char *field, size_t size, const char *from)
{
    AUTO_FREE char *copy = NULL;

    text_copy(field, size, redacted(from, &copy));
}

void text_first_line(const char *text, char *line, size_t size)
{
    size_t length;

    text += strspn(text, " \t\r\n");
    length = strcspn(text, "\r\n");
    while (length && strchr(" \t", text[length - 1]))
        length--;
    text_copy(line, length < size ? length + 1 : size, text);
    for (char *at = line; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
}

const char *text_number(double value, char out[TEXT_NUMBER_SIZE])
{
    if (!isfinite(value)) {
        snprintf(out, TEXT_NUMBER_SIZE, "null");
        return out;
    }
    if (value == 0) {
        snprintf(out, TEXT_NUMBER_SIZE, "0");
        return out;
    }
    /* 1e+02 is as exact, but nobody expects it of a whole number */
    if (fabs(value) < 1e15 && value == trunc(value)) {
        snprintf(out, TEXT_NUMBER_SIZE, "%" PRId64, (int64_t)value);
        return out;
    }
    /* a decimal of up to 15 digits survives a double (but for the smallest), and %g drops its zeros: 15 digits that
     * read back are the shortest there are */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        c_snprintf(out, TEXT_NUMBER_SIZE, "%.*g", digits, value);
        if (c_strtod(out, NULL) == value)
            break;
    }
    return out;
}

const char *text_rounded(double value, char out[TEXT_NUMBER_SIZE])
{
    if (!isfinite(value) || value == 0)
        return text_number(value, out);
    c_snprintf(out, TEXT_NUMBER_SIZE, "%.12g", value);
    return out;
}

bool text_to_number(const char *text, double *value)
{
    char *end;

    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    errno = 0;
    *value = c_strtod(text, &end);
    return !*end && end != text && isfinite(*value);
}

bool text_to_u64(const char *text, uint64_t *value)
{
    char *end;

    if (!*text || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return !*end && errno == 0;
}

uint64_t text_hash(const char *bytes, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static unsigned less(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned text_distance(const char *a, const char *b)
{
    enum { MAX = 64 };
    const size_t a_length = strnlen(a, MAX), b_length = strnlen(b, MAX);
    unsigned rows[3][MAX + 1];

    for (size_t i = 0; i <= a_length; i++) {
        const unsigned *before = rows[(i + 1) % 3], *last = rows[(i + 2) % 3];
        unsigned *row = rows[i % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            if (i == 0) {
                row[j] = (unsigned)j;
                continue;
            }
            row[j] =
                less(less(last[j], row[j - 1]) + 1, last[j - 1] + (c_tolower(a[i - 1]) == c_tolower(b[j - 1]) ? 0 : 1));
            if (i > 1 && j > 1 && c_tolower(a[i - 1]) == c_tolower(b[j - 2]) &&
                c_tolower(a[i - 2]) == c_tolower(b[j - 1]))
                row[j] = less(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}
