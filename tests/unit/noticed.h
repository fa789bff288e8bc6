/* SPDX-License-Identifier: MIT
 * Looking for one of many notices. */
#ifndef TESTS_NOTICED_H
#define TESTS_NOTICED_H

#include "base/notice.h"

#include <stdbool.h>
#include <string.h>

/* One of them has these words. */
static inline bool notices_have(const struct notices *notices, const char *words)
{
    for (size_t i = 0; i < notices->count; i++)
        if (strstr(notices->item[i].what, words))
            return true;
    return false;
}

/* One of them says just that. */
static inline bool notices_say(const struct notices *notices, const char *what)
{
    for (size_t i = 0; i < notices->count; i++)
        if (strcmp(notices->item[i].what, what) == 0)
            return true;
    return false;
}

#endif
