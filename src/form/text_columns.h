/* SPDX-License-Identifier: MIT
 * Texts by the columns of a terminal that their characters take. Used in app, form, result and 10 commands. Begin with
 * utf8_columns(). */
#ifndef FORM_TEXT_COLUMNS_H
#define FORM_TEXT_COLUMNS_H

#include "base/utf8.h"

/* Of a text: most characters take one column, those of Chinese, Japanese and Korean two, and a mark set upon the one
 * before it none (wcwidth); a stray byte, which is shown as '?', takes one. */
size_t utf8_columns(const char *text);

/* The same of its first bytes; the last character is whole. */
size_t utf8_columns_of(const char *text, size_t length);

/* A copy of at most this number of columns; rest ("…") replaces the omitted part. */
void utf8_fit(char *field, size_t size, const char *from, size_t max, const char *rest);

/* Columns of a line for a terminal, and in *bytes how much of it takes no more than max of them; colours take none. */
int text_fitting(const char *line, size_t length, int max, size_t *bytes);

#endif
