/* SPDX-License-Identifier: MIT
 * A text for people in the columns of their terminal. Used in app. Begin with fit_write(). */
#ifndef FORM_FIT_H
#define FORM_FIT_H

#include <stdio.h>

/* The text in lines of at most this number of columns. What is wider is folded: the rows of a table all at one place
 * between two of their cells, the rest of each below it; a sentence between two words, below its beginning. A longer
 * word stays whole, alone on its line. Colours take no column. */
void fit_write(FILE *out, const char *text, size_t length, int width);

#endif
