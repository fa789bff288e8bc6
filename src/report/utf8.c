/* SPDX-License-Identifier: MIT
 * Texts by their characters. */
#include "report/utf8.h"

size_t utf8_count(const char *text)
{
    size_t count = 0;

    for (size_t length; *text; text += length ? length : 1, count++)
        length = utf8_length(text);
    return count;
}
