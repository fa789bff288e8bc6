/* SPDX-License-Identifier: MIT
 * What a model used while it ran: in the lines of Ersilia's `performance`, and for several numbers of inputs as a
 * table, as JSON and as CSV. */
#ifndef COMMANDS_MODEL_MODEL_REPORT_H
#define COMMANDS_MODEL_MODEL_REPORT_H

#include "base/clock.h"
#include "result/report.h"

#define MODEL_SCHEMA "carbon.model/1"

/* What became of a number of inputs. */
enum model_state {
    MODEL_NOT_RUN,
    MODEL_DONE,
    MODEL_FAILED,    /* a run of it ended other than with 0, or its example could not be made */
    MODEL_TIMED_OUT, /* a run of it took longer than it may: it has no figures */
};

const char *model_state_name(enum model_state state); /* "not run", "done" ... */

struct model_row {
    size_t inputs;
    enum model_state state;
    const struct report *record; /* record of the runs; all figures */
};

struct model_report {
    const struct report *session; /* what all have in common: machine, scope, PUE, factor, target */
    const char *model, *recipe;
    const char *label; /* what the user calls it, or NULL */
    char started_at[CLOCK_TEXT_SIZE], ended_at[CLOCK_TEXT_SIZE];
    bool complete;   /* every size was run as often as it was to be */
    int interrupted; /* the signal that ended it early, or 0 */
    size_t runs;     /* runs of each size */
    double baseline_s;
    double timeout_s; /* NAN: a run may take as long as it takes */
    const struct model_row *rows;
    size_t row_count;
    struct notices notices;
};

/* The six lines of one size, exactly as Ersilia prints them: the CPU in percent of the whole machine. */
void model_report_lines(const char *model, const struct report *record, FILE *out);

/* What a figure of a row is: NAN where the row is not done. */
double model_row_per_input(const struct model_row *row, double energy_j);
bool model_row_has_figures(const struct model_row *row);

extern const struct schema model_schema; /* JSON and CSV are written by it */

/* The forms of several sizes. False: the stream failed. */
bool model_report_table(const struct model_report *report, bool colour, FILE *out, struct error *err) MUST_CHECK;
bool model_report_json(const struct model_report *report, FILE *out, struct error *err) MUST_CHECK;
bool model_report_csv(const struct model_report *report, FILE *out, struct error *err) MUST_CHECK;

/* One line: how many sizes are done, and what an input of the largest takes. */
void model_report_brief(const struct model_report *report, FILE *out);

#endif
