/* SPDX-License-Identifier: MIT
 * What a result stands on, in words for people. Used in result and 8 commands. Begin with factor_describe(). */
#ifndef RESULT_FACTOR_TEXT_H
#define RESULT_FACTOR_TEXT_H

#include "base/text.h"
#include "emissions/factor.h"

struct report;

/* "0.044 kgCO2eq/kWh (given): FR (France), 2024, lifecycle, location-based, ..., source, table" */
void factor_describe(const struct factor *factor, struct text *text);

/* ", 1 warm-up left out, exit status 7, interrupted, partial": how a series went, behind how many runs it had. */
void series_end_text(const struct report *report, struct text *text);

/* "at least ", before what follows of the gross energy where that is a lower bound; else "". */
const char *lower_bound_text(const struct report *report);

#endif
