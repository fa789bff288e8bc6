/* SPDX-License-Identifier: MIT
 * A command as the one line that a shell would take for it. Used in ledger, result and 4 commands. Begin with
 * shell_command(). */
#ifndef FORM_SHELL_H
#define FORM_SHELL_H

#include "base/text.h"

/* Quoted where needed. Control characters and bytes that are no UTF-8 become $'...' escapes, so
 * that the line is safe to print and stays one line. Passwords of URLs are hidden. */
void shell_command(char *const *argv, struct text *text);

#endif
