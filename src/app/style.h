/* SPDX-License-Identifier: MIT
 * How a result looks for this user, on this terminal. Used in 6 commands. Begin with style_of(). */
#ifndef APP_STYLE_H
#define APP_STYLE_H

#include "app/terminal.h"
#include "result/report.h"

/* By --quiet, --verbose (--details) and --color, where the command has them, and by the width of the terminal; 100
 * columns where out is none. */
struct table_style style_of(const struct settings *settings, FILE *out);
struct table_style style_of_piece(const struct settings *settings, const struct terminal_piece *piece);

#endif
