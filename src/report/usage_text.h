/* SPDX-License-Identifier: MIT
 * What the job used and was bound by, for the table. */
#ifndef REPORT_USAGE_TEXT_H
#define REPORT_USAGE_TEXT_H

#include "report/report.h"

/* Nothing where no run has ended, unless what ran already was watched. */
void usage_text(const struct report *report, FILE *out);

#endif
