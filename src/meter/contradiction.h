/* SPDX-License-Identifier: MIT
 * What cannot be true of two domains at once, and which of them is doubted. Used by cross_check.c. Begin with
 * contradictions_find(). */
#ifndef METER_CONTRADICTION_H
#define METER_CONTRADICTION_H

#include "meter/scope.h"
#include "meter/window.h"

/* Marks in the meter what is doubted or limited, and adds a notice for each finding to its own. */
void contradictions_find(struct meter *meter, const struct counting *counting, const struct window_list *steps);

#endif
