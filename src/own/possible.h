/* SPDX-License-Identifier: MIT
 * Bounds of a job's own energy if no process's watts are known: idle is one power, and the power of no CPU second
 * exceeds that of another by more than a ratio. Pure arithmetic; docs/METHOD.md, "Bounds", has the inequalities. Used
 * by own_bounds.h. Begin with possible_of(). */
#ifndef OWN_POSSIBLE_H
#define OWN_POSSIBLE_H

#include <stddef.h>

/* A stretch of time: its power, the CPUs that everything kept busy, and how far either may be off. */
struct possible_step {
    double power_w, busy;
    double off_w, off_busy;
};

struct possible_run {
    double gross_j, duration_s;
    double job_s, others_s; /* CPU time */
};

struct possible_range {
    double low_j, high_j;
};

/* `apart` is this ratio. NAN: no idle power and no watts of a CPU explain the steps, among them the run itself. */
struct possible_range possible_of(const struct possible_step *steps, size_t count, const struct possible_run *run,
                                  double apart);

#endif
