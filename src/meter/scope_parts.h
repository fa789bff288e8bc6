/* SPDX-License-Identifier: MIT
 * What a total should have and has not, or has and perhaps should not: scope_notices.c, for scope.c. Used by scope.c
 * and scope_notices.c. Begin with scope_notices(). */
#ifndef METER_SCOPE_PARTS_H
#define METER_SCOPE_PARTS_H

#include <stdbool.h>

struct counting;
struct meter;
struct notices;

/* Of what cannot be read. packages: the total is of measured packages, so that each of the machine's belongs to it;
 * has_memory: there is a counter of memory. */
void scope_notices(const struct meter *meter, bool packages, bool has_memory, struct counting *counting,
                   struct notices *notices);

#endif
