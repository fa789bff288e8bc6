/* SPDX-License-Identifier: MIT
 * What one counter of energy has counted between its first and its last sample, with the doubts about it. */
#ifndef SERIES_INCREASE_H
#define SERIES_INCREASE_H

#include "series/series.h"

struct increase_rules {
    double from_s, to_s; /* samples of other times are left out; NAN: no bound */
    bool untimed;        /* how long it was between samples is not known */
    bool raw;            /* a processor's own counter, of 32 bits, which wraps; any other only begins again */
    double range_j;      /* of a raw counter, where it is known; NAN: those that are usual are tried */
    unsigned zones_most; /* of a raw counter that is the sum of several: of so many at most; 0: it is one */
    double j_per_unit;
};

/* Unknown is NAN. */
struct increase {
    double joules; /* of fewer than two samples it is not known */
    double first_s, last_s;
    double covered;    /* share of the time asked for that lies between these two, 0 to 1 */
    double irate_w;    /* between the last two samples, as Prometheus' irate has it: a step back began at 0 */
    double last_j;     /* what the counter says at the end */
    double doubtful_j; /* that resets may have cost: in the sum it is missing */
    size_t points;     /* samples that are numbers */
    unsigned resets, wraps, gaps;
};

/* No energy is extrapolated to the ends of the window. */
bool increase_of(const struct series *series, const struct increase_rules *rules, struct increase *increase,
                 struct error *err) MUST_CHECK;

/* The same of a gauge of power (j_per_unit makes watts of it), by trapezoids between its samples. */
bool increase_of_power(const struct series *series, const struct increase_rules *rules, struct increase *increase,
                       struct error *err) MUST_CHECK;

#endif
