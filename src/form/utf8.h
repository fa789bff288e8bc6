/* SPDX-License-Identifier: MIT
 * Texts by their characters, for columns. */
#ifndef FORM_UTF8_H
#define FORM_UTF8_H

#include "base/utf8.h"

/* Characters in a text; every stray byte is one. */
size_t utf8_count(const char *text);

/* A copy of so many characters at most; rest ("…") stands for what had to be left out. */
void utf8_fit(char *field, size_t size, const char *from, size_t most, const char *rest);

#endif
