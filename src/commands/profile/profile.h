/* SPDX-License-Identifier: MIT
 * carbon profile: the joules of each function. A job is measured as by carbon measure, while its stacks are sampled; a
 * machine profile (carbon calibrate) is something else. Used throughout commands/profile. Begin with profile_range_j().
 *
 * cmd_profile.c opens a session and runs the job (profile_run.c, which reads energy and samples in intervals and
 * finally calculates how the job's own energy follows from them); symbols and tally in src/profile map the stacks to
 * functions; the forms below write them and calculate only shares. */
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
    size_t stack_bytes; /* bytes copied of each stack; 0: unwound by frame pointers */
    const struct sampler *sampler;
    const struct symbols *symbols;
    struct tally tally;
    struct tally_weights weights;
    enum own_method within; /* method of attributing energy to the intervals: OWN_NET by the meter, else by the samples
                             */
    double duration_s;
    double kgco2eq_per_j; /* includes PUE and factor; NAN unknown */
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

/* Range of an energy that is based on this many of all samples. */
struct interval profile_range_j(const struct profile *profile, int64_t nj, uint64_t samples);

/* The command, or the running target. */
const char *profile_title(const struct profile *profile);
const char *profile_phase_name(const struct profile *profile, uint32_t phase);
const char *profile_thread_name(const struct profile *profile, uint32_t thread);

/* The energy of a set of samples, and a function with its energy: as in the document, also for its readers. */
struct profile_share {
    double own_j;
    struct interval range; /* of own_j, from the number of samples only */
    double own_w, own_kgco2eq, total_j;
    uint64_t own_samples, total_samples;
};
struct profile_share profile_share_of(const struct profile *profile, const struct tally_share *share);
/* In percent of the job's own energy, or of its samples. */
double profile_part(const struct profile *profile, int64_t nj, uint64_t samples);
struct profile_function {
    const char *name, *library;
    struct profile_share share;
};
extern const struct fields profile_function_fields;

/* What a document says of all of it; unknown is NULL and NAN. */
struct profile_totals {
    const struct cJSON *functions;
    double own_j, samples;
};
struct profile_totals profile_totals_of(const struct cJSON *document);
extern const struct schema profile_schema, profile_difference_schema;

/* For people. */
bool profile_table(const struct profile *profile, const struct profile_style *style, FILE *out,
                   struct error *err) MUST_CHECK;
/* Joules by source line of a function. */
bool profile_annotate(const struct profile *profile, const char *function, FILE *out, struct error *err) MUST_CHECK;

/* Files. Without energy their weight is the number of samples. */
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
