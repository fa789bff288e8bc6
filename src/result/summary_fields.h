/* SPDX-License-Identifier: MIT
 * The figures of all runs of a record together. Used by record_fields.c. Begin with summary_fields. */
#ifndef RESULT_SUMMARY_FIELDS_H
#define RESULT_SUMMARY_FIELDS_H

#include "form/field.h"

/* Of a struct summary: how many runs, their times, the quality of the total, and everything else. */
extern const struct fields summary_runs_fields, summary_times_fields, summary_quality_fields, summary_fields;

#endif
