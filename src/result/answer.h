/* SPDX-License-Identifier: MIT
 * The one figure that answers a job's energy, with its uncertainty. The forms for people and for scripts
 * print it; begin with answer_of. Used by answer_line.c and answer_text.c. Begin with answer_of(). */
#ifndef RESULT_ANSWER_H
#define RESULT_ANSWER_H

#include "result/report.h"

struct answer {
    enum figure figure;              /* FIGURE_OWN_J, else FIGURE_NET_J, else FIGURE_GROSS_J */
    double energy_j;                 /* per run; NAN: unknown */
    double low_j, high_j;            /* its interval, NAN: none */
    const char *interval;            /* what that is: "95 % CI", "range", "baseline noise"; "" where there is none */
    bool distinct;                   /* false: it is not significantly above 0 */
    const struct emission *emission; /* of the same energy */
};

/* Own, where it is known; net, where it says something of the job; else gross. */
struct answer answer_of(const struct report *report);

/* Why net or own is not the answer, in a few words: "no baseline"; "" where one of them is. */
const char *answer_lacks(const struct report *report);

/* "660.2 J measured own 9.68e-06 kgCO2eq", without the line's end: the words of --quiet, which a shell reads one by
 * one. */
void answer_line(FILE *out, double energy_j, enum quality quality, enum figure figure, double kgco2eq);

/* "'./job' used 660 J (95 % CI 627 to 693) of its own per run, measured, and emitted 9.68 mgCO2eq". */
void answer_sentence(const struct report *report, struct text *text);

/* The figure that answers for the report, and its interval: failed where all of it is above the limit, passed where
 * none is, else undecided. Nothing without a budget. */
void answer_judge_budget(struct budget *budget, const struct report *report);

#endif
