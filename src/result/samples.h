/* SPDX-License-Identifier: MIT
 * The time series as CSV: one line a sample, written as it comes, in constant memory. Used by app/record_files.h,
 * commands/restate/sample_slices.c and result/page/html_power.c. Begin with samples_header(). */
#ifndef RESULT_SAMPLES_H
#define RESULT_SAMPLES_H

#include "base/text.h"
#include "form/output.h"
#include "measurement/workload.h"
#include "result/sample_columns.h"

/* Columns: timestamp,time_s,phase,run,<domain>_uj ...,holes (energy since the meter was opened; empty
 * where this sample has no reading of the domain, but at an end of a window, to which its last one counts;
 * <source>:<domain>_uj if a name is repeated; unknown parts: sample_columns.h). A domain that could not be
 * read from the start has no column. */
bool samples_header(struct output *output, const struct meter *meter, struct error *err) MUST_CHECK;

/* The header without its line end. */
void samples_columns(const struct meter *meter, struct text *columns);

/* Each line reaches the file before this returns. Allocates nothing but for a table that is for
 * spreadsheets. */
bool samples_line(struct output *output, const struct meter *meter, uint64_t opened_ns, uint64_t opened_realtime_ns,
                  const struct workload_place *place, const struct sample *sample, struct error *err) MUST_CHECK;

#endif
