/* SPDX-License-Identifier: MIT
 * What makes a number doubtful: notices. */
#ifndef MEASURE_NOISE_H
#define MEASURE_NOISE_H

#include "measure/measurement.h"

/* One counter that was reset, failed or was left alone for too long. */
void counter_notices(const struct meter_domain *state, struct notices *notices);

void noise_notices(const struct measurement *measurement, const struct summary *summary, struct notices *notices);

#endif
