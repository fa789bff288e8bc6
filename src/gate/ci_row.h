/* SPDX-License-Identifier: MIT
 * One result as the forms for CI services show it. Used in gate and 3 commands. Begin with ci_row_of(). */
#ifndef GATE_CI_ROW_H
#define GATE_CI_ROW_H

#include "gate/gate.h"
#include "result/report.h"

/* One result. Unknown is NAN. */
struct ci_row {
    char name[128];
    const char *figure; /* "own", "net", "gross": of energy_j and kgco2eq, of the mean run */
    enum quality quality;
    size_t runs;
    double energy_j, deviation_j, kgco2eq, duration_s;
    double units;       /* functional units of a run; 0: none were declared */
    char unit[64];      /* "requests", or "" */
    double see_kwh;     /* gross energy with PUE for each unit (SEE of the Green Software Foundation) */
    double sci_kgco2eq; /* ISO/IEC 21031; NAN */
    bool is_judged;
    enum gate_verdict verdict;
    char said[512]; /* the verdict in words */
};

void ci_row_of(const struct report *report, const char *name, struct ci_row *row);
void ci_row_judge(struct ci_row *row, enum gate_verdict verdict, const char *said);

#endif
