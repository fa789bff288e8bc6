/* SPDX-License-Identifier: MIT
 * Files of sections and "name = value" (INI, by libinih). Used in app, commands/batch, commands/help and outside. Begin
 * with ini_read(). */
#ifndef IO_INI_H
#define IO_INI_H

#include "base/error.h"

#include <stddef.h>

/* Maximum size of a section's name in bytes, with the NUL; libinih would truncate a longer one silently. */
enum { INI_NAME_SIZE = 50 };

/* One "name = value", or the line that begins a section; it lives until the callback returns. */
struct ini_entry {
    const char *section; /* "" before the first */
    const char *name;    /* NULL: the section begins here */
    const char *value;   /* where it goes on in further lines these are divided by '\n' */
    int line;            /* from 1; of a value that goes on its first */
    bool remarked;       /* a comment behind it was left out: whatever stood after a blank and ';' */
};

/* False stops the reading and fails it. */
typedef bool ini_function(const struct ini_entry *entry, void *context, struct error *err);

struct ini_form {
    bool goes_on;    /* an indented line goes on with the value above it; else it is a line as any other */
    const char *fix; /* how a line that is none is mended */
};

/* The whole file with a NUL behind it, to be freed; NULL where it failed. ERROR_ABSENT: there is none. A file that is
 * larger than max_bytes, or holds bytes that no text has (named with its line), is refused. */
char *ini_load(const char *path, size_t max_bytes, struct error *err) MUST_CHECK;

/* Calls the function for each loaded section and value, in order. Faults are named with file and
 * line; path is for messages. */
bool ini_read(const char *path, const char *content, const struct ini_form *form, ini_function *on_entry, void *context,
              struct error *err) MUST_CHECK;

/* ERROR_USAGE "'FILE' line L: WHAT 'VALUE'", for who finds a fault in an entry. */
bool ini_fail(struct error *err, const char *path, int line, const char *what, const char *value);

#endif
