/* SPDX-License-Identifier: MIT
 * What failed, why, and how to fix it: one message in three parts. Used in most rooms of the program. Begin with
 * error_set(). */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/notice_kind.h"

#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_USAGE,    /* the command line or a file asks for something impossible */
    ERROR_ABSENT,   /* this machine does not have it */
    ERROR_DENIED,   /* it is there, but not for this user */
    ERROR_BAD_DATA, /* a value was read and is not valid */
    ERROR_SYSTEM,   /* a system call failed */
};

/* How a fix reads. */
enum error_fix_use {
    FIX_PRINTED, /* shown as it is */
    FIX_ADDED,   /* options: the command line with them, where it is known */
    FIX_PROGRAM, /* the beginning of a command: the command line with it in place of its first word */
    FIX_OMITTED, /* "omit --option" or "omit --option VALUE": the command line without it, where it is there */
    FIX_INSTEAD, /* a command: the command line with its last word in place of the word that `what` quotes, if it is
                    there */
};

/* A function that can fail returns bool (or a pointer, or a descriptor), takes this as its
 * last parameter and fills it only on failure. No allocation, no release; copied by value.
 * Texts are lower case without a full stop; `fix` is a command or an option, and a safe one. */
struct error {
    enum error_kind kind;
    enum notice_kind notice; /* of a notice; of an error, if it has a kind */
    char what[256];
    char why[256];
    enum error_fix_use fix_use;
    char fix[320];
};

#define MUST_CHECK __attribute__((warn_unused_result))

/* The result of a call that must be checked is irrelevant here, for this reason. */
#define IGNORED(call, reason) ((void)!(call))
#define PRINTF_LIKE(text_at, first) __attribute__((format(printf, text_at, first)))

/* Each returns false, so that a failing function can end with it. err may be NULL. error_set clears all members except
 * kind and `what`; the others extend it. */
bool error_set(struct error *err, enum error_kind kind, const char *what, ...) PRINTF_LIKE(3, 4);
bool error_why(struct error *err, const char *why, ...) PRINTF_LIKE(2, 3);
bool error_notice(struct error *err, enum notice_kind kind);
bool error_fix(struct error *err, const char *fix, ...) PRINTF_LIKE(2, 3);
bool error_fix_adds(struct error *err, const char *options, ...) PRINTF_LIKE(2, 3);    /* FIX_ADDED */
bool error_fix_program(struct error *err, const char *program, ...) PRINTF_LIKE(2, 3); /* FIX_PROGRAM */
bool error_fix_omits(struct error *err, const char *option, bool has_value);           /* FIX_OMITTED */
bool error_fix_instead(struct error *err, const char *command, ...) PRINTF_LIKE(2, 3); /* FIX_INSTEAD */

/* As error_set, with kind and why taken from errno: ENOENT and ENODEV are ERROR_ABSENT,
 * EACCES and EPERM are ERROR_DENIED, EBADMSG (what was read makes no sense) is ERROR_BAD_DATA, everything
 * else is ERROR_SYSTEM. */
bool error_errno(struct error *err, const char *what, ...) PRINTF_LIKE(2, 3);

/* "absent", "denied", ... for machine forms. */
const char *error_kind_name(enum error_kind kind);

#endif
