/* SPDX-License-Identifier: MIT
 * Whether a command uses more energy than it did: held against an earlier result, with a margin. */
#ifndef COMMANDS_INDICATOR_GATE_H
#define COMMANDS_INDICATOR_GATE_H

#include "form/field.h"
#include "result/stored/past.h"

enum gate_verdict {
    GATE_PASSED,    /* no more than the margin allows, beyond doubt */
    GATE_FAILED,    /* more than that, beyond doubt */
    GATE_UNDECIDED, /* neither can be told; `why` says why, and `fix` what would settle it */
};

/* "passed", "failed", "undecided". */
const char *gate_verdict_name(enum gate_verdict verdict);

struct gate {
    const char *base_name, *now_name; /* of their files, or "this measurement" */
    double margin_percent;            /* what is allowed above the base's mean */
    bool takes_modelled;              /* a model may decide by net or gross; by CPU time it does so in those words */

    /* gate_judge */
    enum gate_verdict verdict;
    char why[256], fix[256];    /* where it is undecided */
    enum figure compared;       /* the energies that were held against each other */
    enum own_method own_method; /* by which own was told, where that is compared */
    enum quality quality;
    struct spread base_j, now_j;               /* by CPU time both by the base's watts of a busy CPU */
    double limit_j;                            /* base mean and margin */
    struct welch above;                        /* now - base * (1 + margin): failed where all of it is above 0 */
    double percent, percent_low, percent_high; /* now - base, of the base's mean; NAN unknown */
    size_t runs_needed;                        /* of each, to decide it; 0: unknown, or out of reach */
};

/* By Welch's test of both, 95 %. Results that cannot be compared (past_comparable) leave it undecided. */
void gate_judge(struct gate *gate, const struct past *base, const struct past *now);

/* gate_text.c */
void gate_text(const struct gate *gate, FILE *out);     /* a line or two */
void gate_markdown(const struct gate *gate, FILE *out); /* a step summary of GitHub Actions */
extern const struct fields gate_fields;

#endif
