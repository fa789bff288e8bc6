/* SPDX-License-Identifier: MIT
 * A gate over a comparison: whether any candidate uses more than the first and a margin, and when a series may end.
 * Used in commands/compare. Begin with comparison_gate_open(). */
#ifndef COMMANDS_COMPARE_COMPARISON_GATE_H
#define COMMANDS_COMPARE_COMPARISON_GATE_H

#include "app/options/options.h"
#include "gate/gate.h"

struct comparison_gate {
    double fail_over_percent;
    enum gate_proxy proxy;
    bool takes_modelled;
    bool is_live; /* commands are measured: of the rest the sequence holds */
    struct sequence sequence;
    size_t min_runs, max_runs; /* of each, at its first look and at its last */
    double level;              /* chance of a false answer for each candidate: all share one */
    double max_time_s;         /* NAN: none */

    /* comparison_judge */
    enum gate_verdict verdict; /* failed where one is, passed where all are */
    bool is_hopeless;          /* no number of runs would change it */
    size_t pairs;              /* runs of each that were judged */
    const char *ended_by;      /* "answer", "max-runs", "max-time", "hopeless", "failure"; NULL: of records */
};

/* *asked: whether there is one. Candidates 0: of records. Given to comparison_gate_close, after a failure
 * too. */
bool comparison_gate_open(struct comparison_gate *gate, const struct settings *settings, size_t candidates, bool *asked,
                          struct error *err) MUST_CHECK;
void comparison_gate_close(struct comparison_gate *gate);

/* "  gate failed: more than 3 % above 'A' ..."; nothing where there is none. Width 0: one line, however long. */
void comparison_gate_line(const struct gate *gate, int width, FILE *out);

extern const struct fields comparison_gate_fields;

#endif
