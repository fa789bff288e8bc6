/* SPDX-License-Identifier: MIT
 * How a usage driver gives a figure: only if no driver before it has. Used in target and usage. Begin with
 * usage_fill(). */
#ifndef USAGE_FILL_H
#define USAGE_FILL_H

#include "usage/usage.h"

static inline void usage_fill(struct usage_value *figure, uint64_t value, const char *from)
{
    if (!figure->known)
        *figure = (struct usage_value){ .known = true, .value = value, .from = from };
}

#endif
