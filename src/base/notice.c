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

static size_t find_alike(const struct notices *notices, const struct error *notice)
{
    size_t i = 0;

    while (i < notices->count &&
           (notices->item[i].notice != notice->notice || strcmp(notices->item[i].fix, notice->fix) != 0))
        i++;
    return i;
}

void notice_groups_begin(struct notice_groups *groups)
{
    notices_clear(&groups->firsts);
    memset(groups->more, 0, sizeof groups->more);
}

void notice_groups_add(struct notice_groups *groups, const struct notices *of_one_thing)
{
    for (size_t i = 0; i < of_one_thing->count; i++) {
        const size_t group = find_alike(&groups->firsts, &of_one_thing->item[i]);
        if (group < groups->firsts.count)
            groups->more[group]++;
        else
            notice_copy(&groups->firsts, &of_one_thing->item[i]);
    }
}

void notice_groups_tell(const struct notice_groups *groups, struct notices *notices)
{
    for (size_t i = 0; i < groups->firsts.count; i++) {
        struct error notice = groups->firsts.item[i];
        const size_t length = strlen(notice.what);
        if (groups->more[i])
            snprintf(notice.what + length, sizeof notice.what - length, "; %zu more are like that", groups->more[i]);
        notice_copy(notices, &notice);
    }
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
