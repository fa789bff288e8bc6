/* SPDX-License-Identifier: MIT
 * How a result looks for this user, on this terminal. Used in 6 commands. Begin with style_of(). */
#ifndef APP_STYLE_H
#define APP_STYLE_H

#include "app/terminal.h"
#include "result/report.h"

/* By --quiet, --verbose (--details) and --color, where the command has them, and by the width of the terminal; 100
 * columns where out is none. */
struct table_style style_of(const struct settings *settings, FILE *out);

/* What a command says of its result on standard error: `write` writes what `of` is, and it comes out in one piece.
 * Returns status, or 125 where that failed. */
typedef bool style_writer(const void *of, const struct table_style *style, FILE *out, struct error *err);
int style_print(const struct settings *settings, style_writer *write, const void *of, int status);

#endif
