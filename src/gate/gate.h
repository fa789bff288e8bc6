/* SPDX-License-Identifier: MIT
 * Whether a command uses more energy than it did, or than another: held against that, with a margin. Used in gate and
 * commands/compare and commands/indicator. Begin with gate_judge(). */
#ifndef GATE_GATE_H
#define GATE_GATE_H

#include "base/text.h"
#include "form/field.h"
#include "gate/proxy.h"
#include "gate/sequence.h"
#include "result/budget.h"
#include "result/stored/stored_record.h"

struct gate {
    const char *base_name, *now_name; /* of their files, their commands, or "this measurement" */
    double margin_percent;            /* what is allowed above the base's mean */
    bool takes_modelled;              /* a model may decide by net or gross; by CPU time it does so in those words */
    enum gate_proxy proxy;            /* the series have its amounts as own: instructions, or seconds of CPU time */

    /* gate_judge, gate_judge_pairs */
    enum gate_verdict verdict;  /* whether the margin is kept */
    char why[256], fix[256];    /* where it is undecided */
    bool is_hopeless;           /* it is, and no number of runs would change that */
    enum figure compared;       /* the energies that were held against each other */
    enum own_method own_method; /* the method of own, if that is compared */
    enum quality quality;
    struct sample_stats base_j, now_j;           /* by CPU time both by the base's watts of a busy CPU */
    struct sample_stats base_amount, now_amount; /* the same, where a proxy decides */
    double limit_j;                              /* base mean and margin */
    struct welch above;                          /* now - base * (1 + margin): failed where all of it is above 0 */
    bool is_sequential;                          /* by pairs, at every check; else by Welch's test of all runs */
    size_t pairs;                                /* that decided it; 0 by Welch's test */
    double detectable_percent; /* the smallest true growth of the base's mean that is found in four of five cases */
    double percent, percent_low, percent_high; /* now - base, of the base's mean; NAN unknown */
    size_t runs_needed;                        /* of each, to decide it; 0: unknown, or out of reach */
};

/* By Welch's test of both, 95 %. Results that cannot be compared (stored_record_comparable) leave it undecided. */
void gate_judge(struct gate *gate, const struct stored_record *base, const struct stored_record *now);

/* Of runs in pairs, in the order in which they were made, at one of the looks of a sequence (see sequence.h); with
 * another number of pairs it is undecided. */
void gate_judge_pairs(struct gate *gate, const struct run_series *base, const struct run_series *now,
                      const struct sequence *sequence);

/* gate_text.c */
void gate_text(const struct gate *gate, FILE *out);         /* a line or two */
void gate_line(const struct gate *gate, struct text *text); /* "passed: no more than 3 % above 'A' ..." */
void gate_markdown(const struct gate *gate, FILE *out);     /* a step summary of GitHub Actions */
extern const struct fields gate_fields;

#endif
