/* SPDX-License-Identifier: MIT
 * What stands beside the location-based figure, for people. */
#ifndef REPORT_BESIDE_TEXT_H
#define REPORT_BESIDE_TEXT_H

#include "report/report.h"

/* Nothing where nothing is known. */
void beside_text(const struct report *report, FILE *out);

#endif
