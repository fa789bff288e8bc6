/* SPDX-License-Identifier: MIT
 * elf_symbols.h in a process of its own: a file that makes a library fail, or takes it too long, costs its names alone.
 * Used by symbols.c. Begin with object_lines(). */
#ifndef PROFILE_OBJECT_LINES_H
#define PROFILE_OBJECT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What elf_symbols_write writes, freed by the caller; NULL: it failed. */
char *object_lines(int fd, const char *path, const uint64_t *offsets, size_t count, bool debuginfod);

#endif
