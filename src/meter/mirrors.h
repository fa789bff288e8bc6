/* SPDX-License-Identifier: MIT
 * Whether two domains report the same joules. Pure arithmetic. Used by cross_check.c. Begin with mirrors_each_other().
 */
#ifndef METER_MIRRORS_H
#define METER_MIRRORS_H

#include "meter/window.h"

/* Their steps are the same except for the moments of reading, and with this much energy two meters would have
 * differed. */
bool mirrors_each_other(const struct meter *meter, const struct window_list *steps, size_t a, size_t b);

#endif
