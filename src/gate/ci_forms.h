/* SPDX-License-Identifier: MIT
 * The forms of ci.h, each as its reader wants it. Used by ci.c. Begin with ci_summary_write(). */
#ifndef GATE_CI_FORMS_H
#define GATE_CI_FORMS_H

#include "gate/ci_row.h"

#include <stdio.h>

typedef void ci_form_write(const char *title, const struct ci_row *rows, size_t count, FILE *out);

ci_form_write ci_summary_write;     /* Markdown for $GITHUB_STEP_SUMMARY */
ci_form_write ci_annotations_write; /* ::error, ::warning, ::notice of GitHub Actions, a line a result that is judged */
ci_form_write ci_metrics_write;     /* OpenMetrics, for artifacts:reports:metrics of GitLab */
ci_form_write ci_junit_write;       /* a test for each result that is judged */
ci_form_write ci_dashboard_write;   /* [{name, unit, value, range, extra}], as github-action-benchmark reads it */

#endif
