/* SPDX-License-Identifier: MIT
 * Supplementary figures next to the location-based one, for people. Used by answer_text.c and record_text.c. Begin with
 * supplementary_text(). */
#ifndef RESULT_SUPPLEMENTARY_TEXT_H
#define RESULT_SUPPLEMENTARY_TEXT_H

#include "result/report.h"

/* Nothing where nothing is known. */
void supplementary_text(const struct report *report, FILE *out);

#endif
