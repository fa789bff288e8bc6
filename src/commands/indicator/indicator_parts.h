/* SPDX-License-Identifier: MIT
 * Parts that the JSON forms of a performance indicator share. Used by indicator_amun.c, indicator_json.c and
 * indicator_object.c. Begin with indicator_add_figures(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_PARTS_H
#define COMMANDS_INDICATOR_INDICATOR_PARTS_H

#include "commands/indicator/indicator_report.h"
#include "io/json_tree.h"

/* Figures under their names. */
void indicator_add_figures(struct tree_node node, const struct indicator_figures *figures);

/* What carbon adds to the object of a run, and what stands for a run without one: usage, exit_code, script_sha256,
 * start_datetime, end_datetime, @energy, @carbon. */
void indicator_add_run(struct tree_node node, const struct indicator_report *report, size_t i);

/* The first of them alone. */
void indicator_add_usage(struct tree_node node, const struct indicator_report *report, size_t i);

/* The object of a run as one text: as it is printed, with what carbon adds; bare: without,
 * and always JSON, whatever --allow-nan says. Freed by the caller; NULL:
 * no memory. */
char *indicator_text(const struct indicator_report *report, size_t i, bool bare, bool one_line, struct error *err);

#endif
