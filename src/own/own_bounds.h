/* SPDX-License-Identifier: MIT
 * Bounds of a job's own energy, by the strides and windows of its measurement. Used by measurement/own_runs.c. Begin
 * with powers_apart(). */
#ifndef OWN_OWN_BOUNDS_H
#define OWN_OWN_BOUNDS_H

#include "own/learnt.h"
#include "own/possible.h"

/* Highest ratio of the powers of equal CPU times. For memory, the data moved in them decides. */
double powers_apart(enum component component);

/* The run and its baselines; NULL: none. */
enum { BOUND_WINDOWS = 3 };

/* The bounds from it, from these and from all strides; NAN: unknown. */
struct possible_range bounds_of(const struct learnt_from *from, const struct window *const windows[BOUND_WINDOWS],
                                const struct usage *usage, size_t domain);

/* Whether others changed the number of CPUs they kept busy, by the strides. If not, their power in the run
 * equals that before, and net is known to this many joules, by the degrees of freedom of Student's t. NAN:
 * unknown. */
struct constancy {
    bool changed;
    double deviation_j, freedom;
};
struct constancy constancy_of(const struct learnt_from *from, const struct window *run, size_t domain);

#endif
