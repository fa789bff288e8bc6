/* SPDX-License-Identifier: MIT
 * What cannot be true of two domains at once, and which of them is doubted. */
#ifndef MEASUREMENT_CONTRADICTION_H
#define MEASUREMENT_CONTRADICTION_H

#include "base/text.h"
#include "measurement/measurement.h"

/* "package-0", "package-0 and package-1", "package-0 to package-63". */
void contradiction_names(const struct meter *meter, const size_t *domains, size_t count, struct text *names);

/* Marks in the meter what is doubted or limited, and adds a notice for each finding to its own. */
void contradictions_find(struct meter *meter, const struct measurement *measurement);

#endif
