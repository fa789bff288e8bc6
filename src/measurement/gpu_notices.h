/* SPDX-License-Identifier: MIT
 * Cards of which it is not known what the job had of them, and why. Used by noise.c. Begin with gpu_notices(). */
#ifndef MEASUREMENT_GPU_NOTICES_H
#define MEASUREMENT_GPU_NOTICES_H

#include "measurement/measurement.h"

/* One notice for all cards with one reason; none for cards whose driver never reports it. */
void gpu_notices(const struct measurement *measurement, struct notices *notices);

#endif
