/* SPDX-License-Identifier: MIT
 * Charts drawn by the program gnuplot, as a file whose name gives its form. Used in commands/batch, commands/plot
 * and form. Begin with chart_form_of(). */
#ifndef FORM_GNUPLOT_H
#define FORM_GNUPLOT_H

#include "base/error.h"

#include <stdio.h>

enum chart_form { CHART_SVG, CHART_PNG, CHART_PDF };

/* By the end of the file's name, in small letters or capitals. ERROR_USAGE names the three. */
bool chart_form_of(const char *path, enum chart_form *form, struct error *err) MUST_CHECK;

/* A text that is drawn as it stands: nothing in it is a command, a format or a markup. */
void gnuplot_text(FILE *script, const char *text);

/* It is installed. ERROR_ABSENT: it is not; for who is to know before a run that takes long. */
bool gnuplot_is_there(struct error *err) MUST_CHECK;

/* Runs gnuplot over a script, which draws one chart and names no terminal, and writes what it has drawn. Nothing is
 * written where it failed. ERROR_ABSENT: it is not installed. */
bool gnuplot_draw(const char *script, enum chart_form form, FILE *out, struct error *err) MUST_CHECK;

#endif
