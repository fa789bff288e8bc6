/* SPDX-License-Identifier: MIT
 * Texts by their characters, for columns. Used in form, result and 10 commands. Begin with utf8_count(). */
#ifndef FORM_TEXT_COLUMNS_H
#define FORM_TEXT_COLUMNS_H

#include "base/utf8.h"

/* Characters in a text; every stray byte is one. */
size_t utf8_count(const char *text);

/* A copy of so many characters at most; rest ("…") stands for what had to be left out. */
void utf8_fit(char *field, size_t size, const char *from, size_t max, const char *rest);

#endif
