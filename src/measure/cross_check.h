/* SPDX-License-Identifier: MIT
 * Domains against one another: what must agree, and what must lie within what. */
#ifndef MEASURE_CROSS_CHECK_H
#define MEASURE_CROSS_CHECK_H

#include "measure/measurement.h"

void cross_check_notices(const struct measurement *measurement, struct notices *notices);

#endif
