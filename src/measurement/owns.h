/* SPDX-License-Identifier: MIT
 * The job's own energy in each counted run, calculated once for the summary of a measurement and its series. Used by
 * commands/profile/profile_run.c and summary.c. Begin with owns_open(). */
#ifndef MEASUREMENT_OWNS_H
#define MEASUREMENT_OWNS_H

#include "measurement/measurement.h"

struct owns {
    size_t *runs; /* their places in the measurement */
    size_t count, domains;
    struct own *own; /* of each run all domains, and the total */
};

/* False: no memory; to be closed all the same. */
bool owns_open(struct owns *owns, const struct measurement *measurement, const struct own_basis *basis) MUST_CHECK;
void owns_close(struct owns *owns);

/* domain: `domains` is the total. */
static inline const struct own *owns_at(const struct owns *owns, size_t run, size_t domain)
{
    return &owns->own[run * (owns->domains + 1) + domain];
}

/* The bare figures, without a name; freed with series_free. False: no memory. */
bool owns_series(const struct owns *owns, const struct measurement *measurement, const struct own_basis *basis,
                 struct run_series *series) MUST_CHECK;

#endif
