/* SPDX-License-Identifier: MIT
 * The energy of one counter in a period, with warnings about it. Used in commands/prometheus and series.
 * Begin with increase_of(). */
#ifndef SERIES_INCREASE_H
#define SERIES_INCREASE_H

#include "series/metric_series.h"

struct increase_rules {
    double from_s,
        to_s;       /* the requested period; samples next to it give the energy that crosses its edges. NAN: no bound */
    bool untimed;   /* how long it was between samples is not known */
    bool raw;       /* a processor's own counter, of 32 bits, which wraps; any other only begins again */
    double range_j; /* of a raw counter, where it is known; NAN: those that are usual are tried */
    unsigned zones_max; /* of a raw counter that is a sum: the maximum number of its parts; 0: it is one */
    double j_per_unit;
    double max_w; /* no more can be drawn: a step of more is none; 0: it is not known */
};

/* Unknown is NAN. */
struct increase {
    double joules;          /* of no interval it is not known */
    double low_j, high_j;   /* of the intervals that lie within, and of those that cross an edge as a whole, too */
    double first_s, last_s; /* of the time asked for, that part which lies between samples */
    double covered;         /* share of it in which the energy is known, 0 to 1 */
    double irate_w;         /* between the last two samples up to its end, as Prometheus' irate has it */
    double last_j;          /* what the counter says at the end */
    double doubtful_j;      /* that resets may have cost: in the sum it is missing */
    double implausible_j;   /* of impossible steps: the sum excludes it */
    size_t points;          /* samples that are numbers */
    size_t reported;        /* samples and intervals of this period; 0: no data */
    bool single;            /* there is one sample, so that joules are not known */
    unsigned resets, wraps, gaps, implausible;
    unsigned twice; /* times at which it says two values; neither counts */
};

/* An interval that crosses an edge counts by its share in time: windows that meet add up. Nothing is extrapolated to
 * before the first sample or behind the last. */
bool increase_of(const struct metric_series *series, const struct increase_rules *rules, struct increase *increase,
                 struct error *err) MUST_CHECK;

/* The same of a gauge of power (j_per_unit makes watts of it), by trapezoids between its samples. */
bool increase_of_power(const struct metric_series *series, const struct increase_rules *rules,
                       struct increase *increase, struct error *err) MUST_CHECK;

/* Adds what the same series has counted in a later time that does not meet the first: length_s and more_length_s are
 * how long the times asked for are, of which covered is a share. */
void increase_add(struct increase *increase, double length_s, const struct increase *more, double more_length_s);

/* Samples of this time before and after a window are requested with it: scrapes are seldom rarer, and an interval
 * that is longer is a gap. */
#define INCREASE_EDGE_S 600.0

#endif
