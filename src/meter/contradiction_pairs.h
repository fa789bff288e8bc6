/* SPDX-License-Identifier: MIT
 * Two domains that should report the same joules, or the same amount. Used by contradiction.c. Begin with
 * contradictions_of_pairs(). */
#ifndef METER_CONTRADICTION_PAIRS_H
#define METER_CONTRADICTION_PAIRS_H

#include "meter/contradiction_groups.h"

/* Two ways to one register, dies of one package, and sockets under equal load. */
void contradictions_of_pairs(struct judging *judging);

#endif
