/* SPDX-License-Identifier: MIT
 * Bounds of a job's own energy, by the strides and windows of its measurement. Used by measurement/own_runs.c. Begin
 * with powers_apart(). */
#ifndef OWN_OWN_BOUNDS_H
#define OWN_OWN_BOUNDS_H

#include "own/learnt.h"
#include "own/possible.h"

/* Equal CPU times may differ so many times in power. Of memory it is what is moved in them that draws it. */
double powers_apart(enum component component);

/* The run, and the baselines beside it; NULL: there is none. */
enum { BOUND_WINDOWS = 3 };

/* What is possible by that, by these and by all strides; NAN: nothing is told. */
struct possible_range bounds_of(const struct learnt_from *from, const struct window *const windows[BOUND_WINDOWS],
                                const struct usage *usage, size_t domain);

/* Whether others changed how many CPUs they kept busy, as far as strides tell. Where they did not, they drew in the run
 * what they drew before, and net is told to so many joules, by the degrees of freedom of Student's t. NAN: it is not
 * told. */
struct constancy {
    bool changed;
    double deviation_j, freedom;
};
struct constancy constancy_of(const struct learnt_from *from, const struct window *run, size_t domain);

#endif
