/* SPDX-License-Identifier: MIT
 * Texts by their characters. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/utf8.h"

/* Characters in a text; every stray byte is one. */
size_t utf8_count(const char *text);

/* A copy that is safe to show: control characters and bytes that are no UTF-8 become '?'; cut between characters where
 * the field is too small. */
void utf8_printable(char *field, size_t size, const char *from);

/* A copy of so many characters at most; rest ("…") stands for what had to be left out. */
void utf8_fit(char *field, size_t size, const char *from, size_t most, const char *rest);

#endif
