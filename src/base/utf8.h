/* SPDX-License-Identifier: MIT
 * Where one character of a text ends, and whether it is one. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at the start of text (1 to 4), or 0 where these bytes are no UTF-8. Looks no further than a
 * NUL. */
size_t utf8_length(const char *text);

#endif
