/* SPDX-License-Identifier: MIT
 * Whether two domains tell the same joules. Pure arithmetic. */
#ifndef MEASUREMENT_MIRRORS_H
#define MEASUREMENT_MIRRORS_H

#include "measurement/measurement.h"

/* All windows of a measurement, in no order: its baselines, then its runs. */
size_t step_count(const struct measurement *measurement);
const struct window *step_at(const struct measurement *measurement, size_t step);

/* The window knows all that the domain used in it. */
bool step_knows(const struct window *step, size_t domain);

/* Their steps are the same but for the moments of reading, and so much energy moved that two meters would have
 * differed. */
bool mirrors_each_other(const struct measurement *measurement, size_t a, size_t b);

#endif
