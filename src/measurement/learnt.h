/* SPDX-License-Identifier: MIT
 * What others than the job draw, learnt from the strides of the windows in which they came and went. Pure arithmetic;
 * docs/METHOD.md, "Learnt from strides". */
#ifndef MEASUREMENT_LEARNT_H
#define MEASUREMENT_LEARNT_H

#include "measurement/measurement.h"

/* What the strides of a measurement tell; not told where there are none, or they do not tell it. */
void learnt_fill(const struct measurement *measurement, struct learnt *learnt);

/* What one of a column comes to in a domain; 0 where it is not among them. */
double learnt_slope(const struct learnt *learnt, size_t domain, enum learnt_column column);

/* What a metered domain used in this run beyond idle and others, by its 95 % interval; own_j NAN: it is not told. */
struct own learnt_own(const struct measurement *measurement, const struct learnt *learnt, const struct run *run,
                      size_t domain);

#endif
