/* SPDX-License-Identifier: MIT
 * Results for the services that build and test: GitHub's step summary and annotations, GitLab's metrics report, JUnit
 * XML, and rows for dashboards. Used in 3 commands. Begin with ci_open(). */
#ifndef GATE_CI_H
#define GATE_CI_H

#include "gate/ci_row.h"

#include <stdio.h>

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
