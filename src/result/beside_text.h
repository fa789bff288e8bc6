/* SPDX-License-Identifier: MIT
 * What stands beside the location-based figure, for people. */
#ifndef RESULT_BESIDE_TEXT_H
#define RESULT_BESIDE_TEXT_H

#include "result/report.h"

/* Nothing where nothing is known. */
void beside_text(const struct report *report, FILE *out);

#endif
