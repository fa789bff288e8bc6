/* SPDX-License-Identifier: MIT
 * The phases of a result, a row each, for the table. Used by answer_text.c and record_text.c. Begin with phases_text().
 */
#ifndef RESULT_PHASES_TEXT_H
#define RESULT_PHASES_TEXT_H

#include "result/report.h"

/* Nothing where no phases were asked for, or no mark came. */
void phases_text(const struct report *report, FILE *out);

#endif
