/* SPDX-License-Identifier: MIT
 * The text of a YAML document before it is parsed: its bytes, its placeholders ("${{ NAME }}"), which no YAML would
 * bear in the middle of a line, and where its characters lie. Used in commands/pipeline and io. Begin with yaml_load().
 */
#ifndef IO_YAML_SOURCE_H
#define IO_YAML_SOURCE_H

#include "base/error.h"

#include <stddef.h>

/* The whole file with a NUL behind it, to be freed; NULL where it failed. The size is looked at before it is read. */
char *yaml_load(const char *path, size_t max_bytes, size_t *length, struct error *err) MUST_CHECK;

/* Fails at the first byte that no text has, with line and column. */
bool yaml_is_text(const char *path, const char *text, size_t length, struct error *err) MUST_CHECK;

/* "${{ NAME }}" from `at` on: the bytes up to its end, 0 where there is none; *name and *name_length (they may be NULL)
 * are its text. */
size_t yaml_placeholder(const char *at, const char **name, size_t *name_length);

/* A copy without a byte order mark in which two characters that the text does not use replace the braces of
 * placeholders, one for one, so that lines and columns stay. */
struct yaml_hidden {
    char *text;
    size_t length;
    char open[4], close[4]; /* the replacements of '{' and '}', 3 bytes each */
};

bool yaml_hide(struct yaml_hidden *hidden, const char *path, const char *text, size_t length,
               struct error *err) MUST_CHECK;
void yaml_hidden_close(struct yaml_hidden *hidden);

/* Puts the braces back in a text, in place; the new length. */
size_t yaml_show(const struct yaml_hidden *hidden, char *text, size_t length);

/* From the count of characters (behind a byte order mark) to that of bytes; fast where it is asked in order. */
struct yaml_cursor {
    const char *text;
    size_t length, character, byte;
};

struct yaml_cursor yaml_cursor_of(const char *text, size_t length);
size_t yaml_byte(struct yaml_cursor *cursor, size_t character);

/* "'FILE' line L, column C: WHAT", a path too long to show cut at its front. */
bool yaml_refuse_at(const char *path, size_t line, size_t column, struct error *err, const char *what, ...)
    PRINTF_LIKE(5, 6);

#endif
