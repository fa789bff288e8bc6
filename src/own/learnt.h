/* SPDX-License-Identifier: MIT
 * What others than the job draw, learnt from the strides of the windows in which they came and went. Pure arithmetic;
 * docs/METHOD.md, "Learnt from strides". Used by measurement/measurement.h, own_bounds.h and result/own_text.c. Begin
 * with learnt_open(). */
#ifndef OWN_LEARNT_H
#define OWN_LEARNT_H

#include "meter/scope.h"
#include "own/regression.h"
#include "own/strides.h"
#include "usage/usage.h"

/* The terms of power: watts when idle; watts of each CPU that others or the job keep busy; or, if the
 * processor counts events of all processes, joules of each CPU second of any process, and of 10^9 events. */
enum learnt_column {
    LEARNT_IDLE,
    LEARNT_OTHERS,
    LEARNT_JOB,
    LEARNT_BUSY,
    LEARNT_CYCLES,
    LEARNT_INSTRUCTIONS,
    LEARNT_MISSES,
};

/* Results from the strides of a measurement for metered domains. */
struct learnt {
    bool reported; /* otherwise nothing of the rest holds */
    bool by_counters;
    size_t columns;
    enum learnt_column column[REGRESSORS_MAX];
    struct regression regression;
    double slope[ENERGY_MAX_DOMAINS][REGRESSORS_MAX];
};

/* The strides of baselines and runs, and whose they are. */
struct learnt_from {
    const struct strides *strides; /* NULL: there are none */
    const struct window *baselines;
    size_t baseline_count;
    const struct meter *meter;
    const struct counting *counting;
};

/* Otherwise it is of a run. */
bool learnt_is_of_baseline(const struct learnt_from *from, const struct stride *stride);

/* Of a difference of times of which this number of parts has whole ticks: the variance of two roundings each. */
double learnt_ticks_variance(unsigned parts);

/* Unknown without strides, or if they do not determine it. */
void learnt_fill(const struct learnt_from *from, struct learnt *learnt);

/* What one of a column comes to in a domain; 0 where it is not among them. */
double learnt_slope(const struct learnt *learnt, size_t domain, enum learnt_column column);

/* The strides laid out once, for all runs and domains; both are borrowed. NULL: nothing was learnt, or no memory. */
struct learnt_table;
struct learnt_table *learnt_open(const struct learnt_from *from, const struct learnt *learnt);
void learnt_close(struct learnt_table *table);

/* What a metered domain used in a run beyond idle and others, the deviation of its error, and the degrees of freedom of
 * Student's t for it. NAN: unknown. */
struct learnt_figure {
    double own_j, idle_j, deviation_j, freedom;
};
struct learnt_figure learnt_own(struct learnt_table *table, const struct window *run, const struct usage *usage,
                                size_t domain);

#endif
