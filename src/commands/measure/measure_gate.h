/* SPDX-License-Identifier: MIT
 * --budget, --stop and --ci of carbon measure. Used by cmd_measure.c. Begin with measure_gate_open(). */
#ifndef COMMANDS_MEASURE_MEASURE_GATE_H
#define COMMANDS_MEASURE_MEASURE_GATE_H

#include "app/options/options.h"
#include "gate/budget.h"
#include "gate/ci.h"

struct measure_gate {
    struct budget budget;
    bool budgeted, stops; /* there is one; it ends the command */
    struct ci_files ci;   /* given to ci_close */
};

/* once: it is one run of a command. */
bool measure_gate_open(struct measure_gate *gate, const struct settings *settings, bool once,
                       struct error *err) MUST_CHECK;

/* Of a run so far, where own or net energy is known before its end: is_stopped, where the budget is surely used. */
void measure_gate_watch(struct measure_gate *gate, const struct report *so_far);

/* The exit status: of the budget where the command did not fail, or was ended for it. */
int measure_gate_judge(struct measure_gate *gate, const struct report *report, int status);

void measure_gate_print(const struct measure_gate *gate, FILE *out); /* a line, where there is a budget */

/* Returns status, or 125. */
int measure_gate_write(struct measure_gate *gate, const struct report *report, int status);

#endif
