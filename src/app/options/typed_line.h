/* SPDX-License-Identifier: MIT
 * The command line as it was typed, and as it would be with one word put right: the fix of an error. Used in app and
 * main.c. Begin with typed_line_replaced(). */
#ifndef APP_OPTIONS_TYPED_LINE_H
#define APP_OPTIONS_TYPED_LINE_H

#include "app/options/options.h"

#include <stdbool.h>
#include <stddef.h>

/* The words behind "carbon", in their order; count 0: not known, and no line is made. */
struct typed_line {
    char *const *words;
    int count;
    const char *first_operand;                /* one of the words; NULL: none, or not known yet */
    const struct option_spec *const *options; /* of its command; NULL: not known yet */
};

/* Each sets the fix of the error to a whole command line, quoted for a shell, and returns false; the fix stays as it is
 * where the line is not known or too long for one. */

/* The text from `place`, which is in one of the words, to the end of that word becomes `better`. */
bool typed_line_replaced(const struct typed_line *typed, const char *place, const char *better, struct error *err);
/* The option in the word becomes the text, which is written as it is; and its value is left out where `with_next`. */
bool typed_line_rewritten(const struct typed_line *typed, const char *word, bool with_next, const char *text,
                          struct error *err);
/* `more`, written as it is, before the operands. */
bool typed_line_added(const struct typed_line *typed, const char *more, struct error *err);

/* The word of the line, or the value in it, that the error's `what` quotes; NULL: none. */
const char *typed_line_quoted(const struct typed_line *typed, const struct error *err);

/* The fix of an error, where it is a change of the line (enum error_fix_use): as a whole line. */
void typed_line_complete(const struct typed_line *typed, struct error *err);

#endif
