/* SPDX-License-Identifier: MIT
 * A text that other programs wrote, whole, as UTF-8: of UTF-8 with or without a byte-order mark, of UTF-16 of either
 * order, or of Latin-1 where it is neither. Used by commands/history/import_files.c and commands/slurm/slurm_ask.c.
 * Begin with text_file_read(). */
#ifndef IO_TEXT_FILE_H
#define IO_TEXT_FILE_H

#include "base/error.h"

/* Freed by the caller; NULL: see err (absent, denied, a folder, not text). */
char *text_file_read(const char *path, struct error *err) MUST_CHECK;

#endif
