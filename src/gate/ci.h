/* SPDX-License-Identifier: MIT
 * Results for the services that build and test: GitHub's step summary and annotations, GitLab's metrics report, JUnit
 * XML, and rows for dashboards. Used in 3 commands. Begin with ci_open(). */
#ifndef GATE_CI_H
#define GATE_CI_H

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

enum ci_form { CI_GITHUB, CI_GITLAB, CI_JUNIT, CI_DASHBOARD, CI_FORMS };

/* The files that were asked for, opened before anything is run; appended to by GitHub's summary. */
struct ci_files {
    FILE *files[CI_FORMS]; /* NULL: not asked for */
    const char *paths[CI_FORMS];
};

/* Texts, NULL-ended: "github", "github=FILE", "gitlab=FILE", "junit=FILE", "dashboard=FILE". */
bool ci_open(struct ci_files *ci, const char *const *texts, struct error *err) MUST_CHECK;
bool ci_is_wanted(const struct ci_files *ci);

/* Writes and closes all; annotations: where GitHub's go. title: "carbon compare". */
bool ci_write(struct ci_files *ci, const char *title, const struct ci_row *rows, size_t count, FILE *annotations,
              struct error *err) MUST_CHECK;
void ci_close(struct ci_files *ci);

#endif
