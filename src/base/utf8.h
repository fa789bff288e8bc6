/* SPDX-License-Identifier: MIT
 * Where one character of a text ends, whether it is one, and whether it can be shown. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at the start of text (1 to 4), or 0 where these bytes are no UTF-8. Looks no further than a
 * NUL. */
size_t utf8_length(const char *text);

/* A copy that is safe to show: control characters and bytes that are no UTF-8 become '?'; cut between characters where
 * the field is too small. from may be the field itself. */
void utf8_printable(char *field, size_t size, const char *from);

#endif
