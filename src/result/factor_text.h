/* SPDX-License-Identifier: MIT
 * What a result stands on, in words for people. Used in result and 8 commands. Begin with factor_describe(). */
#ifndef RESULT_FACTOR_TEXT_H
#define RESULT_FACTOR_TEXT_H

#include "base/text.h"
#include "emissions/factor.h"

struct report;

/* "0.044 kgCO2eq/kWh (given): FR (France), 2024, lifecycle, location-based, ..., source, table" */
void factor_describe(const struct factor *factor, struct text *text);

/* "FR 2025 (none of 2026), 41.4 gCO2eq/kWh lifecycle, PUE 1.20": the same in a part of a line. A PUE of 1 that no one
 * gave stands only where there is room. */
struct factor_terms {
    const struct factor *factor;
    int asked_year; /* 0: none */
    double pue;
    enum quality pue_quality;
    int width; /* columns */
};
void factor_terms_add(const struct factor_terms *terms, struct text *text);

/* The report may be a session. */
struct factor_terms factor_terms_of(const struct report *report, int width);

/* ", 1 warm-up left out, exit status 7, interrupted, partial": how a series went, behind how many runs it had. */
void series_end_text(const struct report *report, struct text *text);

/* "at least ", before the gross energy if that is a lower bound; else "". */
const char *lower_bound_text(const struct report *report);

#endif
