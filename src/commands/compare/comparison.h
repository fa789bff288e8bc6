/* SPDX-License-Identifier: MIT
 * Several results, each compared with the first, and the forms of the comparison. Used throughout commands/compare.
 * Begin with comparison_open(). */
#ifndef COMMANDS_COMPARE_COMPARISON_H
#define COMMANDS_COMPARE_COMPARISON_H

#include "commands/compare/comparison_gate.h"
#include "result/report.h"
#include "result/stored/stored_record.h"

#define COMPARISON_SCHEMA "carbon.comparison/1"

/* One of the results. Pointers are borrowed. */
struct candidate {
    const char *name;                   /* "A", "new parser", "size=1" */
    const struct report *report;        /* measured now, and finished; or */
    const struct stored_record *stored; /* read from a record, with */
    const char *record;                 /* this record as it was read, in JSON */

    /* set by comparison_finish */
    const char *id;
    char *const *command;
    const struct notices *notices;
    bool complete, recorded_tree;
    bool rates; /* the runs are long enough for a power in watts */
    enum scope scope;
    char sources[256];
    double pue;
    const struct factor *factor;
    struct run_series series;
    struct sample_stats duration_s, gross_j, idle_j, net_j, own_j;
    struct sample_stats kgco2eq; /* per run; of the contest's compared */
};

/* One figure of two candidates: b - a. Percentages are of a's mean, if significant (series_per_cent). */
struct mean_difference {
    struct welch welch;
    double percent, percent_low, percent_high, detectable_percent;
    size_t runs_needed; /* of each, for the observed difference; 0: unknown, or too many */
};

struct pair {
    const struct candidate *a, *b;
    struct series_verdict verdict; /* the verdict, and the compared energy */
    struct mean_difference energy_j, power_w, duration_s, kgco2eq;
    double p_holm;        /* of the energy, corrected for all pairs */
    const char *sentence; /* the verdict in words; NULL: no memory */
    struct gate *gate;    /* by the given margin; NULL: none */
};

struct comparison {
    uint64_t started_realtime_ns, ended_realtime_ns; /* 0: the results were read from files */
    const char *order;                               /* "interleaved", "shuffled"; NULL: read from files */
    uint64_t seed;                                   /* seed of a shuffled order */
    bool seeded;
    struct candidate *candidates;
    size_t candidate_count;
    struct notices notices;       /* notices of the caller */
    struct comparison_gate *gate; /* the requested gate, of the caller; NULL: none */

    /* set by comparison_finish */
    struct pair *pairs; /* each candidate but the first, compared with the first */
    size_t pair_count;
    enum figure compared; /* the energy that all candidates have in common */
    struct notices doubts;
};

/* Allocates this many candidates, all zero. Call comparison_close in any case. */
bool comparison_open(struct comparison *comparison, size_t count, struct error *err) MUST_CHECK;
void comparison_close(struct comparison *comparison);

/* Calculates the rest; the caller has set name, report or past of each candidate, and the gate. False: no memory. */
bool comparison_finish(struct comparison *comparison, struct error *err) MUST_CHECK;

/* Judges each pair of a comparison with a gate, and the whole. False: no memory. */
bool comparison_judge(struct comparison *comparison) MUST_CHECK;

/* The lowest quality of its candidates' energies. */
enum quality comparison_quality(const struct comparison *comparison);

/* Forms: for people the answer, and all details; one line per pair; everything as JSON (docs/comparison-schema.json),
 * one row per pair. */
bool comparison_answer_write(const struct comparison *comparison, const struct table_style *style, FILE *out,
                             struct error *err) MUST_CHECK;
bool comparison_text_write(const struct comparison *comparison, const struct table_style *style, FILE *out,
                           struct error *err) MUST_CHECK;
bool comparison_brief_write(const struct comparison *comparison, FILE *out, struct error *err) MUST_CHECK;
extern const struct schema comparison_schema; /* the JSON and CSV schema */
bool comparison_json_write(const struct comparison *comparison, FILE *out, struct error *err) MUST_CHECK;
bool comparison_html_write(const struct comparison *comparison, FILE *out, struct error *err) MUST_CHECK;
bool comparison_csv_write(const struct comparison *comparison, FILE *out, struct error *err) MUST_CHECK;

#endif
