/* SPDX-License-Identifier: MIT
 * The possible faults of the output of a performance indicator; each has its own name and a place in the text. Used by
 * indicator_contract.h and scan_read.h. Begin with fault_of(). */
#ifndef COMMANDS_INDICATOR_FAULT_H
#define COMMANDS_INDICATOR_FAULT_H

#include "base/error.h"

#include <stddef.h>

enum fault_kind {
    FAULT_NONE,
    FAULT_EMPTY,         /* nothing but white space */
    FAULT_TOO_LARGE,     /* more than --most-output */
    FAULT_NOT_UTF8,      /* bytes that are not UTF-8 */
    FAULT_NOT_JSON,      /* not JSON from here on */
    FAULT_CUT_SHORT,     /* the text is truncated */
    FAULT_TOO_DEEP,      /* nested deeper than SCAN_DEPTH */
    FAULT_TOO_MANY,      /* more values than SCAN_VALUES */
    FAULT_NO_OBJECT,     /* JSON, but not an object */
    FAULT_TRAILING_TEXT, /* text after the object */
    FAULT_TWO_OBJECTS,   /* a second object after it */
    FAULT_NAN,           /* NaN or Infinity, not allowed here */
    FAULT_DUPLICATE_KEY,
    FAULT_MISSING_KEY,
    FAULT_WRONG_TYPE,
    FAULT_COLLISION,    /* a key is in both @parameters and @result, or two columns have the same name */
    FAULT_RESERVED_KEY, /* a key that carbon adds already exists */
    FAULT_NO_SCORE,     /* --score names a value that is not a number in @result */
    FAULT_KINDS
};

/* "empty", "too-large", "not-utf8", ... */
const char *fault_name(enum fault_kind kind);

struct fault {
    enum fault_kind kind;
    size_t line, column; /* from 1; in characters. 0: no place */
    struct error error;  /* of kind ERROR_BAD_DATA; its `why` names line and column */
};

/* Line and column of a byte of the text. */
void fault_place(const char *text, size_t at, size_t *line, size_t *column);

/* A fault with a place. why may be "". Each returns false. */
bool fault_at(struct fault *fault, enum fault_kind kind, const char *text, size_t at, const char *why, const char *what,
              ...) PRINTF_LIKE(6, 7);
/* A fault without a place. */
bool fault_of(struct fault *fault, enum fault_kind kind, const char *why, const char *what, ...) PRINTF_LIKE(4, 5);

#endif
