/* SPDX-License-Identifier: MIT
 * URLs in texts, as they may be shown: without passwords. Used in base, commands/batch, commands/help, form, ledger and
 * main.c. Begin with url_text_hide(). */
#ifndef BASE_URL_TEXT_H
#define BASE_URL_TEXT_H

#include <stdbool.h>

/* Puts dots in the place of the password of each URL in a text, three at most; what is left over behind the end of the
 * text is overwritten. A password stands between the first colon and the last '@' before the path, or is the parameter
 * "password=". False: there is none. */
bool url_text_hide(char *text);

/* The text itself where nothing is to be hidden, else *copy, which is to be freed. */
const char *url_text_shown(const char *text, char **copy);

#endif
