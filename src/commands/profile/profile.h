/* SPDX-License-Identifier: MIT
 * carbon profile: the joules of each function. A job is run and measured as by carbon measure, and its stacks are
 * sampled meanwhile; a machine profile (carbon calibrate) is something else. Used throughout commands/profile. Begin
 * with profile_range_j().
 *
 * cmd_profile.c opens a session and runs the job (profile_run.c, which reads the energy and the samples in intervals
 * and, in the end, says how the job's own energy follows from them); symbols and tally of the trunk's `profile` make
 * functions of the stacks; the forms below write them and compute nothing but parts. */
#ifndef COMMANDS_PROFILE_PROFILE_H
#define COMMANDS_PROFILE_PROFILE_H

#include "form/field.h"
#include "profile/tally.h"
#include "result/report.h"

#define PROFILE_SCHEMA "carbon.profile/1"

/* A finished profile. */
struct profile {
    const struct report *report; /* report of the run, finished */
    const char *event;           /* "cpu-clock", "cycles" */
    double frequency_hz, interval_s;
    size_t ring_kib;
    size_t stack_bytes; /* that were copied of each stack; 0: frame pointers led up it */
    const struct sampler *sampler;
    const struct symbols *symbols;
    struct tally tally;
    struct tally_weights weights;
    enum own_method within; /* how the energy was laid on the intervals: OWN_NET by the meter, else by the samples */
    double duration_s;
    double kgco2eq_per_j; /* PUE and factor in it; NAN unknown */
    const struct notices *notices;
};

enum profile_by { BY_FUNCTION, BY_THREAD, BY_LIBRARY, BY_PHASE };

struct profile_style {
    bool colour;
    enum profile_by by;
    size_t max; /* rows */
    const char *annotate;
};

static inline double j_from_nj(int64_t nj)
{
    return (double)nj / 1e9;
}

/* Range of an energy that so many of all samples stand for. */
struct interval profile_range_j(const struct profile *profile, int64_t nj, uint64_t samples);

/* The command, or what ran already. */
const char *profile_title(const struct profile *profile);
const char *profile_phase_name(const struct profile *profile, uint32_t phase);
const char *profile_thread_name(const struct profile *profile, uint32_t thread);

/* What the samples that were in something stand for, and a function with that: as the document has them, for who reads
 * it, too. */
struct profile_share {
    double own_j;
    struct interval range; /* of own_j, by the number of samples alone */
    double own_w, own_kgco2eq, total_j;
    uint64_t own_samples, total_samples;
};
struct profile_share profile_share_of(const struct profile *profile, const struct tally_share *share);
/* Percents of the job's own energy, or of its samples. */
double profile_part(const struct profile *profile, int64_t nj, uint64_t samples);
struct profile_function {
    const char *name, *library;
    struct profile_share share;
};
extern const struct fields profile_function_fields;
extern const struct schema profile_schema, profile_difference_schema;

/* For people. */
bool profile_table(const struct profile *profile, const struct profile_style *style, FILE *out,
                   struct error *err) MUST_CHECK;
/* Joules by line of source of a function. */
bool profile_annotate(const struct profile *profile, const char *function, FILE *out, struct error *err) MUST_CHECK;

/* Files. Without energy their weight is samples. */
bool profile_json(const struct profile *profile, FILE *out, struct error *err) MUST_CHECK;
bool profile_html(const struct profile *profile, FILE *out, struct error *err) MUST_CHECK;
bool profile_folded(const struct profile *profile, FILE *out, struct error *err) MUST_CHECK;
bool profile_flamegraph(const struct profile *profile, FILE *out, struct error *err) MUST_CHECK;
bool profile_speedscope(const struct profile *profile, FILE *out, struct error *err) MUST_CHECK;
bool profile_pprof(const struct profile *profile, FILE *out, struct error *err) MUST_CHECK;

/* The script of a flame graph: search and zoom. */
extern const char profile_flamegraph_script[];

/* `carbon profile diff a.json b.json`. */
struct command_line;
extern const struct option_spec option_no_table; /* --quiet */
int profile_diff(const struct command_line *line);

#endif
