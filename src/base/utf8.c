/* SPDX-License-Identifier: MIT
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "base/utf8.h"

#include <string.h>

static bool within(char byte, unsigned low, unsigned high)
{
    return (unsigned char)byte >= low && (unsigned char)byte <= high;
}

size_t utf8_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;

    if (length > 1 && !within(text[1],
                              first == 0xe0   ? 0xa0
                              : first == 0xf0 ? 0x90
                                              : 0x80,
                              first == 0xed   ? 0x9f
                              : first == 0xf4 ? 0x8f
                                              : 0xbf))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!within(text[i], 0x80, 0xbf))
            return 0;
    return length;
}

/* U+202A to 202E and U+2066 to 2069: the following text would be displayed in another order. */
static bool turns_order(const char *c)
{
    const unsigned char second = (unsigned char)c[1], third = (unsigned char)c[2];

    return (second == 0x80 && third >= 0xaa && third <= 0xae) || (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

/* None are C0, DEL, C1 (which some terminals obey in UTF-8 too) and stray bytes. */
bool utf8_is_shown(const char *c, size_t length)
{
    const unsigned char first = (unsigned char)c[0];

    return length > 0 && first >= 0x20 && first != 0x7f && !(first == 0xc2 && (unsigned char)c[1] < 0xa0) &&
           !(first == 0xe2 && turns_order(c));
}

void utf8_printable(char *field, size_t size, const char *from)
{
    size_t filled = 0;

    for (size_t length; *from; from += length ? length : 1) {
        length = utf8_length(from);
        const bool shown = utf8_is_shown(from, length);
        const size_t wanted = shown ? length : 1;

        if (filled + wanted >= size)
            break;
        memmove(field + filled, shown ? from : "?", wanted);
        filled += wanted;
    }
    field[filled] = '\0';
}
