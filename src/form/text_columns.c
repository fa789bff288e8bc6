/* SPDX-License-Identifier: MIT
 * Texts by their characters. */
#include "form/text_columns.h"

#include <string.h>

size_t utf8_count(const char *text)
{
    size_t count = 0;

    for (size_t length; *text; text += length ? length : 1, count++)
        length = utf8_length(text);
    return count;
}

void utf8_fit(char *field, size_t size, const char *from, size_t max, const char *rest)
{
    const size_t count = utf8_count(from), marks = utf8_count(rest);
    size_t shown = count, filled = 0;

    if (count > max)
        shown = max > marks ? max - marks : max;
    for (size_t i = 0, length; i < shown; i++, from += length) {
        length = utf8_length(from) ? utf8_length(from) : 1;
        if (filled + length + strlen(rest) >= size)
            break;
        memcpy(field + filled, from, length);
        filled += length;
    }
    strcpy(field + filled, *from && max > marks ? rest : "");
}
