/* SPDX-License-Identifier: MIT
 * Names of functions, and lines of source, in one file of code: by elfutils' libdw, which is opened when it is wanted.
 * Used by object_lines.c and symbols.c. Begin with elf_symbols_write(). */
#ifndef PROFILE_ELF_SYMBOLS_H
#define PROFILE_ELF_SYMBOLS_H

#include "base/library.h"

#include <stdint.h>
#include <stdio.h>

/* LIBRARY_ABSENT as well where carbon was built without its header. */
enum library_state elf_symbols_library(void);

/* For a process of its own, for the file may be anything: writes a line "NAME\tFILE\tLINE\n" for each place (offsets in
 * the file, sorted); each part may be empty. A
 * function of a stripped file is called by where it begins, "[0x1150]". path: where separate debug information is
 * looked for. fd stays open. debuginfod: a server may be asked that $DEBUGINFOD_URLS names. */
void elf_symbols_write(int fd, const char *path, const uint64_t *offsets, size_t count, bool debuginfod, FILE *out);

#endif
