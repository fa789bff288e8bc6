/* SPDX-License-Identifier: MIT
 * Text for people in lines of at most 100 columns, or those of its terminal. Used in app, form, result and 11 commands.
 * Begin with paragraph_write(). */
#ifndef FORM_PARAGRAPH_H
#define FORM_PARAGRAPH_H

#include <stdio.h>

enum { PARAGRAPH_WIDTH = 100 };

/* The label, then the text, broken at spaces; further lines start below the text. Control characters
 * become '?'. */
void paragraph_write(FILE *out, const char *label, const char *text);

/* What is written to this stream, of messages or of the answer, comes out in lines of this width; 0: of any. */
enum paragraph_of { PARAGRAPH_MESSAGES, PARAGRAPH_ANSWER };
void paragraph_page(enum paragraph_of of, const FILE *out, int width);

/* The same in lines of this number of columns. */
void paragraph_write_within(FILE *out, int width, const char *label, const char *text);

#endif
