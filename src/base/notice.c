/* SPDX-License-Identifier: MIT
 * A bounded list of doubts. */
#include "base/notice.h"

#include "base/c_locale.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void notice_copy(struct notices *notices, const struct error *notice)
{
    for (size_t i = 0; i < notices->count; i++)
        if (strcmp(notices->item[i].what, notice->what) == 0)
            return;
    if (notices->count == NOTICES_MAX) {
        notices->left_out++;
        return;
    }
    notices->item[notices->count++] = *notice;
}

void notices_copy(struct notices *notices, const struct notices *more)
{
    for (size_t i = 0; i < more->count; i++)
        notice_copy(notices, &more->item[i]);
}

void notice_add_error(struct notices *notices, enum notice_kind kind, const struct error *error)
{
    struct error notice = *error;

    notice.notice = kind;
    notice_copy(notices, &notice);
}

enum notice_kind notice_kind_of_refusal(const struct error *refusal)
{
    if (refusal->notice != NOTICE_NONE)
        return refusal->notice;
    switch (refusal->kind) {
    case ERROR_NONE:
    case ERROR_ABSENT: return NOTICE_NONE;
    case ERROR_DENIED: return NOTICE_DENIED;
    case ERROR_BAD_DATA: return NOTICE_ERROR_VALUE;
    case ERROR_USAGE:
    case ERROR_SYSTEM: break;
    }
    return NOTICE_FAILED;
}

void notice_add_refusal(struct notices *notices, const struct error *refusal)
{
    notice_add_error(notices, notice_kind_of_refusal(refusal), refusal);
}

void notices_clear(struct notices *notices)
{
    notices->count = notices->left_out = 0;
}

void notice_add(struct notices *notices, enum notice_kind kind, const char *why, const char *fix, const char *what, ...)
{
    struct error notice = { .kind = ERROR_NONE, .notice = kind };
    va_list arguments;

    va_start(arguments, what);
    c_vsnprintf(notice.what, sizeof notice.what, what, arguments);
    va_end(arguments);
    utf8_printable(notice.what, sizeof notice.what, notice.what);
    utf8_printable(notice.why, sizeof notice.why, why);
    utf8_printable(notice.fix, sizeof notice.fix, fix);
    notice_copy(notices, &notice);
}
