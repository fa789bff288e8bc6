/* SPDX-License-Identifier: MIT
 * Libraries that are opened only when they are wanted, and stay from then on. Used in commands/serve, io, ledger, lib,
 * profile and run. Begin with library_open(). */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include "base/error.h"

#include <stddef.h>

struct library_function {
    const char *name;
    void *function; /* a pointer to a pointer to the function */
};

/* A library whose header is there states each function once, in a list LIST(FUNCTION) of FUNCTION(member, name):
 * `struct x { LIST(LIBRARY_MEMBER) } *library`, `struct library_function wanted[] = { LIST(LIBRARY_WANTED) }`. */
#define LIBRARY_MEMBER(member, name) __typeof__(name) *member;
#define LIBRARY_WANTED(member, name) { #name, &library->member },

/* A static program (make static) opens nothing; its own functions are set by `LIST(LIBRARY_LINKED)`. */
#define LIBRARY_LINKED(member, name) library->member = name;

enum library_state {
    LIBRARY_READY,
    LIBRARY_ABSENT,
    LIBRARY_OLD, /* it is there, without some of the functions */
};

/* The first of these file names (NULL-ended) that is there, and all of its functions. */
enum library_state library_open(const char *const *files, const struct library_function *wanted, size_t count);

/* The same, with an error where the library is missing; fix: a package to install. */
bool library_need(const char *const *files, const struct library_function *wanted, size_t count, const char *what,
                  const char *fix, struct error *err) MUST_CHECK;

#endif
