/* SPDX-License-Identifier: MIT
 * What cannot be true of two domains at once, and which of them is doubted. */
#ifndef METER_CONTRADICTION_H
#define METER_CONTRADICTION_H

#include "base/text.h"
#include "meter/scope.h"
#include "meter/window.h"

/* "package-0", "package-0 and package-1", "package-0 to package-63". */
void contradiction_names(const struct meter *meter, const size_t *domains, size_t count, struct text *names);

/* Marks in the meter what is doubted or limited, and adds a notice for each finding to its own. */
void contradictions_find(struct meter *meter, const struct counting *counting, const struct window_list *steps);

#endif
