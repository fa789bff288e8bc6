/* SPDX-License-Identifier: MIT
 * Accounting by the hour as text: the service of the intensities, the covered energy, and the result that a yearly
 * factor would have given. Used by result/page/html_hours.c and record_text.c. Begin with hourly_terms(). */
#ifndef RESULT_HOURLY_TEXT_H
#define RESULT_HOURLY_TEXT_H

#include "result/report.h"

/* "0.124 kgCO2eq/kWh by the hour: GB, Carbon Intensity API, NESO; direct, ...; 80 % estimated, 20 % forecast" */
void hourly_terms(const struct report *report, struct text *text);

/* That as a paragraph, and the difference from the yearly factor. */
void hourly_text(const struct report *report, FILE *out);

#endif
