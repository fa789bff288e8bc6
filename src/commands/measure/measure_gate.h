/* SPDX-License-Identifier: MIT
 * --budget, --stop and --ci of carbon measure. Used by cmd_measure.c. Begin with measure_gate_open(). */
#ifndef COMMANDS_MEASURE_MEASURE_GATE_H
#define COMMANDS_MEASURE_MEASURE_GATE_H

#include "app/options/options.h"
#include "gate/ci.h"
#include "result/report.h"

/* once: it is one run of a command. ci: given to ci_close, after a failure too. */
bool measure_gate_open(struct budget *budget, struct ci_files *ci, const struct settings *settings, bool once,
                       struct error *err) MUST_CHECK;

/* Of a run so far: whether the budget is surely used, by own or net energy known before its end. */
bool measure_gate_exceeded(const struct budget *so_far);

/* The exit status: of the budget where the command did not fail, or was ended for it. */
int measure_gate_status(const struct budget *budget, int status);

void measure_gate_print(const struct budget *budget, FILE *out); /* a line, where there is a budget */

/* Returns status, or 125. */
int measure_gate_write(struct ci_files *ci, const struct report *report, int status);

#endif
