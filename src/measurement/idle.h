/* SPDX-License-Identifier: MIT
 * The baselines of a run, and the idle energy of the machine during it. Pure arithmetic. Used
 * in app, commands/calibrate, commands/indicator, measurement and result. Begin with neighbours_of(). */
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
double idle_w_under(const struct measurement *measurement, const struct neighbours *neighbours,
                    const struct window *run, size_t domain);

/* CPUs that were busy in a window, whoever used them: of the whole machine, and of those that the job may run on. NAN
 * unknown, or no window. */
double window_busy_cpus(const struct window *window);
double window_busy_mask_cpus(const struct window *window);

/* The same under the run, as in its baselines; NAN unknown. */
double idle_cores_under(const struct neighbours *neighbours, const struct window *run);
double idle_mask_cores_under(const struct neighbours *neighbours, const struct window *run);

/* CPUs that others than carbon kept busy in all baselines together, on the whole machine and of those that the job may
 * run on; NAN unknown, or no baseline. */
double baseline_busy_cpus(const struct measurement *measurement);
double baseline_busy_mask_cpus(const struct measurement *measurement);

/* Less than half a CPU is none to spare. */
#define SPARE_CPUS 0.5

enum idleness baseline_idleness(const struct measurement *measurement);

/* The number of CPUs that the job may run on, from its baselines; 0: unknown. */
unsigned baseline_mask_cpus(const struct measurement *measurement);

/* The runs of one command out of a series of several, with their baselines; freed with
 * measurement_close. False: no memory. */
bool measurement_of_command(const struct measurement *all, size_t command, struct measurement *view) MUST_CHECK;

#endif
