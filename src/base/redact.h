/* SPDX-License-Identifier: MIT
 * Texts as they may be shown, kept or sent: without what logs in. The one rule for errors, records, settings, debug
 * lines, reports of bugs and carbon's own title. Used in base, commands/batch, commands/bug, form and main.c. Begin
 * with redact(). */
#ifndef BASE_REDACT_H
#define BASE_REDACT_H

#include <stdbool.h>

/* Puts dots, three at most, in the place of
 *   - user and password of each URL: the text before the last '@' of its host; a password that was typed with
 *     a slash, '?' or '@' in it is seen by its colon, behind which no port follows,
 *   - values of a URL's parameters whose name has a word of a secret in it ("?api_key=...", "#access_token=..."),
 *   - values elsewhere whose name ends with one ("PGPASSWORD=...", "--client-secret=..."; not "--key=2",
 *     "--max-tokens=9").
 * The text gets no longer; the bytes after its new end are overwritten. Once is enough. False: there is none. */
bool redact(char *text);

/* The text itself where nothing is to be hidden, else *copy, which is to be freed. */
const char *redacted(const char *text, char **copy);

#endif
