/* SPDX-License-Identifier: MIT
 * Where one character of a text ends, whether it is one, and whether it can be shown. Used in most rooms of the
 * program. Begin with utf8_length(). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at the start of text (1 to 4), or 0 where these bytes are no UTF-8. Looks no further than a
 * NUL. */
size_t utf8_length(const char *text);

/* Whether the character of this length at c can be shown: no control character (C0, C1, DEL), none that turns the order
 * of the next bytes, no stray byte (length 0). */
bool utf8_is_shown(const char *c, size_t length);

/* A copy that is safe to show: an unprintable character becomes '?'; cut between characters where
 * the field is too small. from may be the field itself. */
void utf8_printable(char *field, size_t size, const char *from);

#endif
