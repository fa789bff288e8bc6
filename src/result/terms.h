/* SPDX-License-Identifier: MIT
 * What a result stands on, in words for people. */
#ifndef RESULT_TERMS_H
#define RESULT_TERMS_H

#include "base/text.h"
#include "emissions/factor.h"

struct report;

/* "0.044 kgCO2eq/kWh (given): FR (France), 2024, lifecycle, location-based, ..., source, table" */
void terms_factor(const struct factor *factor, struct text *text);

/* ", 1 warm-up left out, exit status 7, interrupted, partial": how a series went, behind how many runs it had. */
void terms_series_end(const struct report *report, struct text *text);

/* "at least ", before what follows of the gross energy where that is a lower bound; else "". */
const char *terms_bound(const struct report *report);

#endif
