/* SPDX-License-Identifier: MIT
 * A job's own energy in its runs: own.h, from their windows and strides. Pure arithmetic. Used in measurement,
 * result and 4 commands. Begin with own_basis_fill(). */
#ifndef MEASUREMENT_OWN_RUNS_H
#define MEASUREMENT_OWN_RUNS_H

#include "measurement/idle.h"

/* What the runs of a command have in common. */
void own_basis_fill(const struct measurement *measurement, struct own_basis *basis);

/* For each run all domains of the meter, followed by the total over the counted ones that have a
 * figure: domain_count + 1 of each run. */
void own_of_runs(const struct measurement *measurement, const struct own_basis *basis, const size_t *runs, size_t count,
                 struct own *owns);

/* The total of one run. */
struct own own_of_run(const struct measurement *measurement, const struct own_basis *basis, const struct run *run);

/* One domain in a part of a run. */
struct own_part {
    size_t domain;
    double gross_j, net_j; /* NAN: unknown, or a lower bound */
    double cpu_s;          /* CPU time of the job; NAN unknown */
    double duration_s;
};

/* By the same rules: others were as busy in it as in the whole run, and of a card the job had the same part. */
struct own own_of_part(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                       const struct own_part *part);

/* Watts of a busy CPU, where all that counts is modelled; else NAN. */
double own_slope_w(const struct measurement *measurement, const struct own_basis *basis);

#endif
