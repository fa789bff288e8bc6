/* SPDX-License-Identifier: MIT
 * The energy and resources of a model's runs: in the lines of Ersilia's `performance`, and for several numbers of
 * inputs as a table, as JSON and as CSV. Used by model_json.c and model_work.h. Begin with model_report_lines(). */
#ifndef COMMANDS_MODEL_MODEL_REPORT_H
#define COMMANDS_MODEL_MODEL_REPORT_H

#include "base/clock.h"
#include "result/report.h"

#define MODEL_SCHEMA "carbon.model/1"

/* The state of a number of inputs. */
enum model_state {
    MODEL_NOT_RUN,
    MODEL_DONE,
    MODEL_FAILED,    /* a run ended with a status other than 0, or its example could not be made */
    MODEL_TIMED_OUT, /* a run exceeded its time limit: no figures */
};

const char *model_state_name(enum model_state state); /* "not run", "done" ... */

struct model_row {
    size_t inputs;
    enum model_state state;
    const struct report *record; /* record of the runs; all figures */
};

struct model_report {
    const struct report *session; /* common to all: machine, scope, PUE, factor, target */
    const char *model, *recipe;
    const char *label; /* label given by the user, or NULL */
    char started_at[CLOCK_TEXT_SIZE], ended_at[CLOCK_TEXT_SIZE];
    bool complete;   /* every size was run the planned number of times */
    int interrupted; /* the signal that ended it early, or 0 */
    size_t runs;     /* runs of each size */
    double baseline_s;
    double timeout_s; /* NAN: no time limit */
    const struct model_row *rows;
    size_t row_count;
    struct notices notices;
};

/* The six lines of one size, exactly as Ersilia prints them: the CPU in percent of the whole machine. */
void model_report_lines(const char *model, const struct report *record, FILE *out);

/* A figure of a row: NAN if the row is not done. */
double model_row_per_input(const struct model_row *row, double energy_j);
bool model_row_has_figures(const struct model_row *row);

extern const struct schema model_schema; /* JSON and CSV are written by it */

/* The forms of several sizes. False: the stream failed. */
bool model_report_table(const struct model_report *report, bool colour, FILE *out, struct error *err) MUST_CHECK;
bool model_report_json(const struct model_report *report, FILE *out, struct error *err) MUST_CHECK;
bool model_report_csv(const struct model_report *report, FILE *out, struct error *err) MUST_CHECK;

/* One line: the number of completed sizes, and the energy per input of the largest. */
void model_report_brief(const struct model_report *report, FILE *out);

#endif
