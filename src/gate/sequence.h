/* SPDX-License-Identifier: MIT
 * When a series of pairs may end: bounds for a test that is looked at after every pair, whose false alarms stay below
 * its level over all looks together. Used in gate and commands/compare. Begin with sequence_open(). */
#ifndef GATE_SEQUENCE_H
#define GATE_SEQUENCE_H

#include "base/error.h"

#include <stddef.h>

enum {
    SEQUENCE_MIN_PAIRS = 3,   /* fewer have no deviation to go by */
    SEQUENCE_MAX_PAIRS = 300, /* their bounds take a third of a second */
};

/* The chance of a false answer of each kind, over all looks together. */
#define SEQUENCE_LEVEL 0.05

/* What is spent of a level: Student's quantile at each look's own level finds a little too much with few pairs, at most
 * a sixth more, which is left for that (tests/unit/gate/test_sequence.c). */
#define SEQUENCE_SPENT(level) (0.84 * (level))

/* One-sided bounds; until pair n the part spent is SEQUENCE_SPENT(level) × (n / max)² (Lan and DeMets
 * 1983, Kim and DeMets 1987). */
struct sequence {
    size_t min, max; /* pairs at the first look, and at the last */
    double level;
    double *nominal;  /* of each look, from min: the one-sided level of its own */
    double *critical; /* Student's quantile at it */
};

/* Level: the chance of a false answer over all looks. Given to sequence_close, after a failure too. */
bool sequence_open(struct sequence *sequence, size_t min, size_t max, double level, struct error *err) MUST_CHECK;
void sequence_close(struct sequence *sequence);

/* How many standard errors the mean of these pairs has to lie from 0: Student's quantile at that look's own level.
 * INFINITY outside the looks. */
double sequence_critical(const struct sequence *sequence, size_t pairs);

#endif
