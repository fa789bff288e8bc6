/* SPDX-License-Identifier: MIT
 * A bounded list of doubts. */
#include "base/notice.h"

#include "base/c_locale.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void notice_add_error(struct notices *notices, const struct error *error)
{
    for (size_t i = 0; i < notices->count; i++)
        if (strcmp(notices->item[i].what, error->what) == 0)
            return;
    if (notices->count == NOTICES_MAX) {
        notices->left_out++;
        return;
    }
    notices->item[notices->count++] = *error;
}

void notice_add(struct notices *notices, const char *why, const char *fix, const char *what, ...)
{
    struct error notice = { .kind = ERROR_NONE };
    va_list arguments;

    va_start(arguments, what);
    c_vsnprintf(notice.what, sizeof notice.what, what, arguments);
    va_end(arguments);
    snprintf(notice.why, sizeof notice.why, "%s", why);
    snprintf(notice.fix, sizeof notice.fix, "%s", fix);
    notice_add_error(notices, &notice);
}
