/* SPDX-License-Identifier: MIT
 * Every file that one command opens, so that no output replaces another, an input or the ledger: each is registered
 * here before anything runs, and the first that would is refused. A file is known by its device and number, by its
 * place (a name in a folder, links followed) and by the names that it has meanwhile (FILE.partial, the ledger's log).
 * Used by app/options/options.h and form/output.c. Begin with file_register_open(). */
#ifndef IO_FILE_REGISTER_H
#define IO_FILE_REGISTER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum file_use {
    FILE_READ,    /* "-" is standard input */
    FILE_WRITTEN, /* replaced as a whole; "-" is standard output */
    FILE_ADDED,   /* lines are added */
    FILE_LEDGER,  /* a database, with SQLite's files next to it */
    FILE_STREAM,  /* a standard stream, by the path "/dev/fd/N" */
    FILE_FOLDER,  /* for an option: not a file, and not of the register */
};

struct file_register;

/* NULL: no memory. */
struct file_register *file_register_open(void);
void file_register_close(struct file_register *files); /* NULL is well */

/* called: "--json", "the ledger"; it and the path are copied. ERROR_USAGE where it hits one that is there already:
 * nothing was opened. Devices (/dev/null) and folders hit nothing. */
bool file_register_add(struct file_register *files, enum file_use use, const char *called, const char *path,
                       struct error *err) MUST_CHECK;

/* The same for one more file that will be written, which is not kept: names below a folder of the command's own hit no
 * other of them. */
bool file_register_allows(const struct file_register *files, const char *called, const char *path,
                          struct error *err) MUST_CHECK;

/* The descriptor that a path names: "-" (standard output), /dev/stdout, /dev/stderr, /dev/fd/N; -1: none. */
int file_descriptor(const char *path);

/* The place that a path leads to: symbolic links followed, also one whose target is not there yet. False: errno. */
bool file_target(const char *path, char *target, size_t size) MUST_CHECK;

#endif
