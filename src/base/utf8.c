/* SPDX-License-Identifier: MIT
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "base/utf8.h"

#include <stdbool.h>

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
