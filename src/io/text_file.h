/* SPDX-License-Identifier: MIT
 * A text that other programs wrote, whole, as UTF-8: of UTF-8 with or without a byte-order mark, of UTF-16 of either
 * order, or of Latin-1 where it is neither. Used by commands/history/import_files.c and commands/slurm/slurm_ask.c.
 * Begin with text_file_read(). */
#ifndef IO_TEXT_FILE_H
#define IO_TEXT_FILE_H

#include "base/error.h"

#include <stddef.h>

/* A regular file that is UTF-8 as it is, without NUL bytes: its descriptor, at its first character, and how many lines
 * it has at most. -1: any other, or an error, which text_file_read reports. begin: its first bytes, NUL-terminated. */
enum { TEXT_FILE_BEGIN = 4096 };
int text_file_open(const char *path, size_t *lines, char begin[TEXT_FILE_BEGIN]) MUST_CHECK;

/* The number of lines of a text, or more: each line end counts, of CR LF both characters. */
size_t text_file_lines(const char *text);

/* Freed by the caller; NULL: see err (absent, denied, a folder, not text). */
char *text_file_read(const char *path, struct error *err) MUST_CHECK;

#endif
