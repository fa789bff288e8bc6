/* SPDX-License-Identifier: MIT
 * Whether a run used more than a budget of energy or emissions, and the verdicts of everything that has a limit. Used
 * in gate, result and commands/measure. Begin with budget_read(). */
#ifndef RESULT_BUDGET_H
#define RESULT_BUDGET_H

#include "base/error.h"
#include "base/text.h"
#include "measurement/run_series.h"

enum gate_verdict {
    GATE_PASSED,    /* within the limit, significant */
    GATE_FAILED,    /* above the limit, significant */
    GATE_UNDECIDED, /* neither is significant, or unknown */
};

/* "passed", "failed", "undecided". */
const char *gate_verdict_name(enum gate_verdict verdict);

struct report;

/* A limit of each run. Unknown is NAN. */
struct budget {
    bool given;                    /* false: there is none, and nothing below holds */
    double limit_j, limit_kgco2eq; /* one of them */
    bool stop, stopped;            /* the command is ended once it is used up; it was */

    /* budget_judge */
    enum figure figure; /* the energy that was held against it */
    double spent_j, low_j, high_j, spent_kgco2eq, low_kgco2eq, high_kgco2eq;
    enum gate_verdict verdict;
};

/* "500J", "0.2Wh", "5gCO2eq". */
bool budget_read(struct budget *budget, const char *text, struct error *err) MUST_CHECK;

/* The figure that answers for the report, and its interval: failed where all of it is above the limit, passed where
 * none is, else undecided. Nothing without a budget. */
void budget_judge(struct budget *budget, const struct report *report);

/* "passed: own 412 J (400 J to 430 J) of 500 J". */
void budget_line(const struct budget *budget, struct text *text);

#endif
