/* SPDX-License-Identifier: MIT
 * Lines for a terminal with text from outside: nothing in them is a command to it. Used in form and 5 commands.
 * Begin with shown_print(). */
#ifndef FORM_SHOWN_H
#define FORM_SHOWN_H

#include "base/error.h"

#include <stdio.h>

/* One line, or a part of one: an unprintable character (base/utf8.h) becomes '?', except the format's own line end. */
void shown_print(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
