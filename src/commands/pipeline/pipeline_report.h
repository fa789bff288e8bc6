/* SPDX-License-Identifier: MIT
 * The steps of a pipeline, run one at a time: usage, requests, energy and emissions of each, and their sum. Used by
 * pipeline_fields.c, pipeline_text.c and pipeline_work.h. Begin with pipeline_report_finish(). */
#ifndef COMMANDS_PIPELINE_PIPELINE_REPORT_H
#define COMMANDS_PIPELINE_PIPELINE_REPORT_H

#include "base/clock.h"
#include "commands/pipeline/step_samples.h"
#include "form/field.h"
#include "result/report.h"
#include "usage/sizing.h"

#define PIPELINE_SCHEMA "carbon.pipeline/1"

enum { PIPELINE_MAX_ROUNDS = 1000 };

/* All servers together during one run of a step, in its window. Unknown is NAN. */
struct pipeline_concurrent {
    bool any; /* false: none ran */
    double cpu_s, memory_mb, own_j, gpu_own_j;
    enum own_method own_method;
};

/* One run of one step. Unknown is NAN. */
struct pipeline_run {
    size_t round; /* from 1 */
    char started_at[CLOCK_TEXT_SIZE];
    bool ended;     /* false: it is still running */
    bool timed_out; /* killed at its time limit */
    bool cut_short; /* ended by a signal to carbon, not by a fault of the step */
    bool is_short;  /* no sample falls into it: its figures are from its counters at the start and the end */
    int exit_status;
    double duration_s, cpu_s;
    struct step_figures cpu_percent_of_core, memory_mb; /* samples of the step */
    double min_cpu_percent, wanted_cpu_percent; /* lower bound from CPU time; and with the time it waited for a CPU */
    double cpu_stall_s;                         /* time waiting for a CPU */
    double memory_peak_mb;                      /* peak counted by the kernel */
    const char *memory_peak_from;               /* "cgroup1"; NULL: unknown */
    double read_bytes, written_bytes;
    double gross_j, idle_j, net_j, own_j;
    enum own_method own_method;
    double gpu_own_j; /* own energy of its processes on the counted graphics cards; NAN: unknown */
    struct pipeline_concurrent servers;
};

/* A server that ran during steps, over all windows of steps. Unknown is NAN. */
struct pipeline_server {
    const char *name;
    const char *runner;   /* "docker", "podman", "process" */
    const char *image;    /* NULL: none */
    char *const *command; /* NULL-ended; NULL: the image's own */
    char *const *models;  /* NULL-ended; NULL: none requested */
    size_t starts;
    double ready_s; /* time until it was ready, sum of all starts */
    double cpu_s;
    struct step_figures cpu_percent_of_core, memory_mb;
    double memory_peak_mb;
    struct request requests;
};

struct pipeline_step_report {
    const char *name;
    const char *runner;            /* "docker", "podman", "process" */
    const char *image;             /* NULL: none */
    char *const *command;          /* NULL-ended; empty: the image's own */
    bool may_fail;                 /* its failure does not fail the pipeline */
    struct request requests_given; /* requests in the file */
    struct pipeline_run *runs;
    size_t run_count;
    struct error problem; /* why it could not be run; ERROR_NONE: it could */
    bool rates;           /* the runs are long enough for a power */
    enum quality quality;
    struct notices notices; /* warnings about this step only */

    /* pipeline_report_finish sets these, over all runs that have ended, failed ones included */
    size_t counted;
    bool failed;
    struct sample_stats duration_s, gross_j, idle_j, net_j, own_j, gpu_own_j;
    enum own_method own_method; /* the lowest of the runs' */
    struct sample_stats cpu_s;
    struct step_figures cpu_percent_of_core, memory_mb; /* mean of the means, maximum of the maxima */
    double memory_peak_mb;
    struct request requests;           /* from the runs that were not killed */
    double wanted_cpu_percent;         /* NAN: unknown */
    bool request_cpu_at_least;         /* it waited for CPUs: on an idle machine it may use more than the request */
    struct sample_stats servers_own_j; /* of its servers; count 0: unknown, or none */
    struct footprint gross, net, own, servers_own; /* footprint of the mean run */
};

struct pipeline_report {
    const struct report *session; /* common to all: machine, scope, PUE, factor */
    const char *name, *file;
    char started_at[CLOCK_TEXT_SIZE], ended_at[CLOCK_TEXT_SIZE];
    bool complete;          /* every step was run the planned number of times, or has failed and may */
    bool interrupted;       /* a signal ended it early */
    int signal;             /* signal that ended it, or 0 */
    const char *stopped_by; /* the step whose failure stopped it; NULL: none */
    size_t rounds;
    double interval_s, baseline_s, headroom_percent;
    struct pipeline_step_report *steps; /* the steps, in order of execution */
    size_t step_count;
    struct pipeline_server *servers;
    size_t server_count;
    struct notices notices;

    /* pipeline_report_finish sets these: sums over the steps' means */
    size_t failed, not_run;
    double duration_s, gross_j, idle_j, net_j, own_j;
    double servers_own_j; /* NAN: unknown, or none */
    enum own_method own_method;
    enum quality quality;
    struct footprint gross, net, own, servers_own;
    struct interval own_range_j; /* range of the model; NAN: unknown */
};

/* Calculates the statistics of the runs; may be called again as they grow. */
void pipeline_report_finish(struct pipeline_report *report);

/* The step ended with a status other than 0, not because carbon stopped it. */
bool pipeline_run_has_failed(const struct pipeline_run *run);

/* Killed by a signal, at its time limit, or with carbon: the maximum that it would have used is unknown. */
bool pipeline_run_was_killed(const struct pipeline_run *run);

/* pipeline_fields.c: all fields. */
extern const struct schema pipeline_schema;

/* The forms. False: the stream failed. */
bool pipeline_report_table(const struct pipeline_report *report, bool colour, FILE *out, struct error *err) MUST_CHECK;
bool pipeline_report_json(const struct pipeline_report *report, FILE *out, struct error *err) MUST_CHECK;
bool pipeline_report_csv(const struct pipeline_report *report, FILE *out, struct error *err) MUST_CHECK;

/* pipeline_answer.c: the requests of each step and the energy of all in a few lines; and one line for scripts. */
bool pipeline_report_answer(const struct pipeline_report *report, const struct table_style *style, FILE *out,
                            struct error *err) MUST_CHECK;
void pipeline_report_brief(const struct pipeline_report *report, FILE *out);

/* An average or maximum as CPOST prints it: "47.218 %", "0.469 MB". */
enum { PIPELINE_CELL = 64 };
void pipeline_cell(double value, const char *unit, char out[PIPELINE_CELL]);

#endif
