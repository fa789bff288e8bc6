/* SPDX-License-Identifier: MIT
 * One result as a page, from the same report as every other form. Used by app/record_files.c,
 * commands/history/history_show.c and commands/restate/cmd_restate.c. Begin with html_record(). */
#ifndef RESULT_PAGE_HTML_RECORD_H
#define RESULT_PAGE_HTML_RECORD_H

#include "result/report.h"
#include "result/sample_read.h"

extern const struct report_format html_format;

/* samples: the time series of just this measurement, or NULL. */
bool html_record(const struct report *report, const struct sample_series *samples, FILE *out,
                 struct error *err) MUST_CHECK;

#endif
