/* SPDX-License-Identifier: MIT
 * Texts by the columns of a terminal that their characters take. */
#ifndef FORM_UTF8_H
#define FORM_UTF8_H

#include "base/utf8.h"

/* Of a text: most characters take one column, those of Chinese, Japanese and Korean two, and what is set upon the one
 * before it none (wcwidth); a stray byte, which is shown as '?', takes one. */
size_t utf8_columns(const char *text);

/* The same of its first bytes; the last character is whole. */
size_t utf8_columns_of(const char *text, size_t length);

/* A copy that takes so many columns at most; rest ("…") stands for what had to be left out. */
void utf8_fit(char *field, size_t size, const char *from, size_t most, const char *rest);

#endif
