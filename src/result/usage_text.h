/* SPDX-License-Identifier: MIT
 * What the job used and was bound by, for the table. Used by record_text.c. Begin with usage_text(). */
#ifndef RESULT_USAGE_TEXT_H
#define RESULT_USAGE_TEXT_H

#include "result/report.h"

/* Nothing where no run has ended, unless what ran already was watched. */
void usage_text(const struct report *report, FILE *out);

#endif
