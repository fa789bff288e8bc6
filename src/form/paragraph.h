/* SPDX-License-Identifier: MIT
 * Text for people in lines of at most 100 columns. Used in app, form, result and 11 commands. Begin with
 * paragraph_write(). */
#ifndef FORM_PARAGRAPH_H
#define FORM_PARAGRAPH_H

#include <stdio.h>

enum { PARAGRAPH_WIDTH = 100 };

/* The label, then the text, broken at spaces; further lines start below the text. Control characters
 * become '?'. */
void paragraph_write(FILE *out, const char *label, const char *text);

/* The same in lines of this number of columns. */
void paragraph_write_within(FILE *out, int width, const char *label, const char *text);

#endif
