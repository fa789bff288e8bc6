/* SPDX-License-Identifier: MIT
 * Fields of a table, one after the other. */
#include "form/sheet.h"

#include "base/c_locale.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "-1.5e-05": as far as the field goes. */
static bool is_number(const char *field, size_t length)
{
    char text[64], *end;

    if (length < 2 || length >= sizeof text || !(is_digit(field[1]) || field[1] == '.'))
        return false;
    memcpy(text, field, length);
    text[length] = '\0';
    (void)c_strtod(text, &end);
    return *end == '\0' && !strpbrk(text, "xXnN");
}

/* Where the field that begins here ends. */
static size_t field_length(const char *field, size_t left)
{
    const bool quoted = left && *field == '"';
    size_t at = quoted;

    for (; quoted && at < left; at++) {
        if (field[at] != '"')
            continue;
        if (at + 1 == left || field[at + 1] != '"')
            break;
        at++;
    }
    while (at < left && !strchr(",\r\n", field[at]))
        at++;
    return at;
}

/* With the separator behind it. */
static void write_field(const char *field, size_t length, FILE *out)
{
    const size_t quote = length && *field == '"';

    fwrite(field, 1, quote, out);
    if (length > quote && memchr("=+-@\t\r", field[quote], 6) && !is_number(field, length))
        fputc('\'', out);
    fwrite(field + quote, 1, length - quote, out);
}

char *sheet_text(const char *table, size_t length, size_t *safe_length)
{
    char *safe = NULL;
    FILE *out = open_memstream(&safe, safe_length);

    for (size_t at = 0; out && at < length;) {
        const size_t field = field_length(table + at, length - at);
        write_field(table + at, field, out);
        at += field;
        if (at < length)
            fputc(table[at++], out);
    }
    if (out && fclose(out) == 0)
        return safe;
    free(safe);
    return NULL;
}
