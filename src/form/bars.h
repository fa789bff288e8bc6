/* SPDX-License-Identifier: MIT
 * A few figures side by side, each with its interval: as a chart in the terminal, or as a script for gnuplot. Used in
 * commands/batch, commands/plot, commands/probe and form. Begin with bars_write(). */
#ifndef FORM_BARS_H
#define FORM_BARS_H

#include "base/units.h"

#include <stdbool.h>
#include <stdio.h>

struct bar {
    char label[160];
    double value;     /* NAN: unknown */
    double low, high; /* NAN: no interval */
};

/* What all of them are. */
struct bars_style {
    const char *title;       /* "" none */
    const char *quantity;    /* "net energy per run" */
    const char *unit;        /* "J" */
    const char *caption;     /* below it: scope, quality, the kind of interval; "" none */
    const char *doubt;       /* "95 % interval of the mean"; "" none */
    const struct bar *lines; /* label and value: lines across the chart of gnuplot */
    size_t line_count;
    bool log; /* values of 0 and less have no bar then */

    /* The form of a value with its unit; NULL: three digits and the unit. */
    const char *(*text)(double value, char out[UNITS_SIZE]);

    /* terminal: */
    int width; /* columns, at least 40 */
    bool utf8;
    bool colour;
};

/* The part of a text that fits into a number of columns (160 at most), padded with spaces; "…" (or "...") replaces what
 * is left out. */
void bars_label(FILE *out, const char *text, int columns, bool utf8);

/* A chart of lines: a label, a bar with its interval over it, the figure. */
void bars_write(FILE *out, const struct bar *bars, size_t count, const struct bars_style *style);

/* bars_script.c: gnuplot's script to draw them; see form/gnuplot.h. */
void bars_script(FILE *out, const struct bar *bars, size_t count, const struct bars_style *style);

#endif
