/* SPDX-License-Identifier: MIT
 * Whether a run used more than a budget of energy or emissions. Used in gate and commands/measure. Begin with
 * budget_read(). */
#ifndef GATE_BUDGET_H
#define GATE_BUDGET_H

#include "gate/gate.h"
#include "result/answer.h"

struct budget {
    double limit;    /* joules, or kgCO2eq */
    bool is_carbon;  /* kgCO2eq */
    bool is_stopped; /* the command was ended for it */

    /* budget_judge */
    double used, low, high; /* per run, with its interval, in the limit's unit; NAN unknown */
    enum figure figure;
    enum gate_verdict verdict;
};

/* "500J", "0.2Wh", "5gCO2eq". */
bool budget_read(struct budget *budget, const char *text, struct error *err) MUST_CHECK;

/* The figure that answers for the report, and its interval: failed where all of it is above the limit, passed where
 * none is, else undecided. */
void budget_judge(struct budget *budget, const struct report *report);

/* "passed: own 412 J, at most 430 J, of 500 J". */
void budget_line(const struct budget *budget, struct text *text);

#endif
