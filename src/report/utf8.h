/* SPDX-License-Identifier: MIT
 * Where one character of a text ends, and whether it is one. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stddef.h>

/* Bytes of the character at the start of text (1 to 4), or 0 where these bytes are no UTF-8. */
size_t utf8_length(const char *text);

/* Characters in a text; every stray byte is one. */
size_t utf8_count(const char *text);

/* A copy that is safe to show: control characters and bytes that are no UTF-8 become '?'; cut between characters where
 * the field is too small. */
void utf8_printable(char *field, size_t size, const char *from);

/* A copy of so many characters at most; rest ("…") stands for what had to be left out. */
void utf8_fit(char *field, size_t size, const char *from, size_t most, const char *rest);

#endif
