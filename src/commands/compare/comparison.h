/* SPDX-License-Identifier: MIT
 * Several results, each held against the first, and the forms of what that says. Used throughout commands/compare.
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
    const struct report *report;        /* measured just now, and finished; or */
    const struct stored_record *stored; /* read from a record, with */
    const char *record;                 /* that record as it was read, in JSON */

    /* comparison_finish */
    const char *id;
    char *const *command;
    const struct notices *notices;
    bool complete, recorded_tree;
    bool rates; /* the runs are long enough to tell watts */
    enum scope scope;
    char sources[256];
    double pue;
    const struct factor *factor;
    struct run_series series;
    struct sample_stats duration_s, gross_j, idle_j, net_j, own_j;
    struct sample_stats kgco2eq; /* per run; of the contest's compared */
};

/* One figure of two contenders: b - a. Percent are of a's mean, where they can be (series_per_cent). */
struct mean_difference {
    struct welch welch;
    double percent, percent_low, percent_high, detectable_percent;
    size_t runs_needed; /* of each, for the difference seen; 0: unknown, or out of reach */
};

struct pair {
    const struct candidate *a, *b;
    struct series_verdict verdict; /* the verdict, and which energy was compared */
    struct mean_difference energy_j, power_w, duration_s, kgco2eq;
    double p_holm;        /* of the energy, with all pairs taken together */
    const char *sentence; /* the verdict in words; NULL: no memory */
    struct gate *gate;    /* against the margin that was given; NULL: none was */
};

struct comparison {
    uint64_t started_realtime_ns, ended_realtime_ns; /* 0: the results were read from files */
    const char *order;                               /* "interleaved", "shuffled"; NULL likewise */
    uint64_t seed;                                   /* seed of a shuffled order */
    bool seeded;
    struct candidate *candidates;
    size_t candidate_count;
    struct notices notices;       /* what the caller found */
    struct comparison_gate *gate; /* that was asked for, of the caller; NULL: none */

    /* comparison_finish */
    struct pair *pairs; /* each contender but the first against the first */
    size_t pair_count;
    enum figure compared; /* the energy that all contenders can be compared by */
    struct notices doubts;
};

/* Room for so many contenders, all zero. Given to comparison_close, after a failure too. */
bool comparison_open(struct comparison *comparison, size_t count, struct error *err) MUST_CHECK;
void comparison_close(struct comparison *comparison);

/* Works out the rest; the caller has filled name, report or past of each contender, and the gate. False: no memory. */
bool comparison_finish(struct comparison *comparison, struct error *err) MUST_CHECK;

/* Judges each pair of a comparison that has a gate, and so the whole. False: no memory. */
bool comparison_judge(struct comparison *comparison) MUST_CHECK;

/* The least good of its candidates' energies. */
enum quality comparison_quality(const struct comparison *comparison);

/* Forms: for people the answer, and everything; one line a pair; all of it (docs/comparison-schema.json), one row a
 * pair. */
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
