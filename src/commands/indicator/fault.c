/* SPDX-License-Identifier: MIT
 * Faults of an output, named and placed. */
#include "commands/indicator/fault.h"

#include "base/c_locale.h"

#include <stdarg.h>
#include <stdio.h>

const char *fault_name(enum fault_kind kind)
{
    static const char *const names[FAULT_KINDS] = {
        "none",          "empty",       "too-large",  "not-utf8",      "not-json",     "cut-short",
        "too-deep",      "too-many",    "no-object",  "trailing-text", "two-objects",  "nan",
        "duplicate-key", "missing-key", "wrong-type", "collision",     "reserved-key", "no-score",
    };

    return names[kind];
}

void fault_place(const char *text, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++)
        if (text[i] == '\n') {
            (*line)++;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            (*column)++;
        }
}

static void set(struct fault *fault, enum fault_kind kind, const char *what, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static void set(struct fault *fault, enum fault_kind kind, const char *what, va_list arguments)
{
    char text[sizeof fault->error.what];

    *fault = (struct fault){ .kind = kind };
    c_vsnprintf(text, sizeof text, what, arguments);
    error_set(&fault->error, ERROR_BAD_DATA, "%s", text);
}

bool fault_at(struct fault *fault, enum fault_kind kind, const char *text, size_t at, const char *why, const char *what,
              ...)
{
    va_list arguments;

    va_start(arguments, what);
    set(fault, kind, what, arguments);
    va_end(arguments);
    fault_place(text, at, &fault->line, &fault->column);
    return error_why(&fault->error, "line %zu, column %zu%s%s", fault->line, fault->column, *why ? ": " : "", why);
}

bool fault_of(struct fault *fault, enum fault_kind kind, const char *why, const char *what, ...)
{
    va_list arguments;

    va_start(arguments, what);
    set(fault, kind, what, arguments);
    va_end(arguments);
    return *why ? error_why(&fault->error, "%s", why) : false;
}
