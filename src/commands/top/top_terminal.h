/* SPDX-License-Identifier: MIT
 * The terminal of `carbon top`: a screen of its own and keys one by one, both given back at every end. Used by
 * top_loop.c. Begin with top_terminal_enter(). */
#ifndef COMMANDS_TOP_TOP_TERMINAL_H
#define COMMANDS_TOP_TOP_TERMINAL_H

#include "base/error.h"

#include <stddef.h>
#include <termios.h>

struct top_terminal {
    bool entered;
    struct termios before;
    int width, height;
};

/* Whether standard input and output are a terminal that can be drawn on, and carbon has it now. */
bool top_terminal_is_ours(void);

/* Where it is not ours, nothing is done, and it is tried again later. */
void top_terminal_enter(struct top_terminal *terminal);
void top_terminal_leave(struct top_terminal *terminal); /* harmless twice */

/* Asks for the size, which may have changed. */
void top_terminal_measure(struct top_terminal *terminal);

/* Text as one screen: lines that are too long are cut, those that are too many left out. Freed by the caller; NULL: no
 * memory. */
char *top_terminal_frame(const struct top_terminal *terminal, const char *text, size_t *length);

#endif
