/* SPDX-License-Identifier: MIT
 * What makes a number doubtful: notices. */
#ifndef MEASURE_NOISE_H
#define MEASURE_NOISE_H

#include "measure/measurement.h"

void noise_notices(const struct measurement *measurement, const struct summary *summary, struct notices *notices);

#endif
