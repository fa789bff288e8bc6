/* SPDX-License-Identifier: MIT
 * Domains against one another: what must agree, and what must lie within what. */
#ifndef MEASUREMENT_CROSS_CHECK_H
#define MEASUREMENT_CROSS_CHECK_H

#include "measurement/measurement.h"

void cross_check_notices(const struct measurement *measurement, struct notices *notices);

#endif
