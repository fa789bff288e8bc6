/* SPDX-License-Identifier: MIT
 * Messages in three parts. */
#include "base/error.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/redact.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message may quote what a file, a program or a user calls itself: that never reaches a terminal as a command, nor
 * anybody as a password. */
PRINTF_LIKE(3, 0)
static void print_to(char *field, size_t size, const char *format, va_list arguments)
{
    AUTO_FREE char *whole = c_vasprintf(format, arguments), *copy = NULL;

    utf8_printable(field, size, redacted(whole ? whole : format, &copy)); /* hidden before it is cut */
}

bool error_set(struct error *err, enum error_kind kind, const char *what, ...)
{
    va_list arguments;

    if (!err)
        return false;
    err->kind = kind;
    err->notice = NOTICE_NONE;
    err->why[0] = err->fix[0] = '\0';
    err->fix_use = FIX_PRINTED;
    va_start(arguments, what);
    print_to(err->what, sizeof err->what, what, arguments);
    va_end(arguments);
    return false;
}

bool error_why(struct error *err, const char *why, ...)
{
    va_list arguments;

    if (!err)
        return false;
    va_start(arguments, why);
    print_to(err->why, sizeof err->why, why, arguments);
    va_end(arguments);
    return false;
}

PRINTF_LIKE(3, 0)
static bool set_fix(struct error *err, enum error_fix_use use, const char *fix, va_list arguments)
{
    if (!err)
        return false;
    err->fix_use = use;
    print_to(err->fix, sizeof err->fix, fix, arguments);
    return false;
}

bool error_fix(struct error *err, const char *fix, ...)
{
    va_list arguments;

    va_start(arguments, fix);
    set_fix(err, FIX_PRINTED, fix, arguments);
    va_end(arguments);
    return false;
}

bool error_fix_adds(struct error *err, const char *options, ...)
{
    va_list arguments;

    va_start(arguments, options);
    set_fix(err, FIX_ADDED, options, arguments);
    va_end(arguments);
    return false;
}

bool error_fix_program(struct error *err, const char *program, ...)
{
    va_list arguments;

    va_start(arguments, program);
    set_fix(err, FIX_PROGRAM, program, arguments);
    va_end(arguments);
    return false;
}

bool error_fix_omits(struct error *err, const char *option, bool has_value)
{
    if (!err)
        return false;
    error_fix(err, "omit --%s%s", option, has_value ? " VALUE" : "");
    err->fix_use = FIX_OMITTED;
    return false;
}

bool error_fix_instead(struct error *err, const char *command, ...)
{
    va_list arguments;

    va_start(arguments, command);
    set_fix(err, FIX_INSTEAD, command, arguments);
    va_end(arguments);
    return false;
}

bool error_notice(struct error *err, enum notice_kind kind)
{
    if (err)
        err->notice = kind;
    return false;
}

static enum error_kind kind_of_errno(int number)
{
    switch (number) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOTDIR: return ERROR_ABSENT;
    case EACCES:
    case EPERM: return ERROR_DENIED;
    case EBADMSG: return ERROR_BAD_DATA;
    default: return ERROR_SYSTEM;
    }
}

bool error_errno(struct error *err, const char *what, ...)
{
    const int number = errno;
    va_list arguments;

    if (!err)
        return false;
    err->kind = kind_of_errno(number);
    err->notice = NOTICE_NONE;
    err->fix[0] = '\0';
    err->fix_use = FIX_PRINTED;
    va_start(arguments, what);
    print_to(err->what, sizeof err->what, what, arguments);
    va_end(arguments);
    const char *reason = c_strerror(number);
    snprintf(err->why, sizeof err->why, "%s", reason);
    /* strerror starts with a capital; the house style does not */
    if (err->why[0] >= 'A' && err->why[0] <= 'Z' && !(err->why[1] >= 'A' && err->why[1] <= 'Z'))
        err->why[0] = (char)(err->why[0] - 'A' + 'a');
    errno = number;
    return false;
}

const char *error_kind_name(enum error_kind kind)
{
    switch (kind) {
    case ERROR_NONE: return "ready";
    case ERROR_USAGE: return "usage";
    case ERROR_ABSENT: return "absent";
    case ERROR_DENIED: return "denied";
    case ERROR_BAD_DATA:
    case ERROR_SYSTEM: return "broken";
    }
    return "unknown";
}
