/* SPDX-License-Identifier: MIT
 * The baselines beside a run, and what the machine would have used anyway while it was going on. Pure arithmetic. */
#ifndef MEASUREMENT_IDLE_H
#define MEASUREMENT_IDLE_H

#include "measurement/measurement.h"

/* The baselines nearest to a run in time; NULL: there is none. */
struct neighbours {
    const struct window *before, *after;
};

struct neighbours neighbours_of(const struct measurement *measurement, const struct window *run);

/* The idle power of one domain under the run, in watts: between the middles of both baselines it is taken to change
 * evenly, so that a linear drift cancels. With one baseline, that one's; NAN with none. */
double idle_w_under(const struct measurement *measurement, const struct neighbours *beside, const struct window *run,
                    size_t domain);

/* The same of the cores that were busy; NAN unknown. */
double idle_cores_under(const struct neighbours *beside, const struct window *run);

/* The runs of one command out of a series of several, with the baselines beside them; freed with
 * measurement_close. False: no memory. */
bool measurement_of_command(const struct measurement *all, size_t command, struct measurement *view) MUST_CHECK;

#endif
