/* SPDX-License-Identifier: MIT
 * A record read back: what `carbon measure --json` wrote, as plain figures. What the record does not know, or does not
 * have, is NAN or "". Used in result and 5 commands. Begin with stored_record_read(). */
#ifndef RESULT_STORED_STORED_RECORD_H
#define RESULT_STORED_STORED_RECORD_H

#include "base/notice.h"
#include "emissions/factor.h"
#include "measurement/run_series.h"
#include "meter/scope.h"
#include "run/slurm_job.h"

struct cJSON;

/* A domain, and the name of its column in the time series ("" where it could not be read). */
struct stored_domain {
    char name[64], column[112];
    bool counted;
};

struct stored_baseline {
    double start_s;       /* since started_at */
    double duration_s, w; /* power of the counted domains */
};

/* A part of a run that has a name. */
struct stored_phase {
    bool warmup;
    size_t run; /* its number among the warm-ups, or among the others, from 1 */
    char name[64];
    double at_s, duration_s; /* since the run's start */
};

struct stored_record {
    char path[4096]; /* the file, for messages */
    char schema[32], id[40], started_at[32], ended_at[32];
    char **command; /* NULL-ended */
    char label[128];
    bool complete, interrupted, at_least;

    char cpu_model[128];
    int cpus_online; /* 0: unknown */
    bool recorded_tree;
    enum scope scope;
    char sources[256]; /* of the counted domains: "powercap + nvml" */
    enum quality quality;
    bool constant;      /* the meter reported one power while the load changed */
    bool no_idle;       /* the machine was full in the baselines */
    double net_noise_j; /* of its baselines and the meter's resolution */
    enum own_method own_method;
    double slope_w;     /* where all that counts is modelled; else NAN */
    double own_doubt_j; /* see struct run_series */

    double pue, hours_per_year;
    struct factor factor; /* value, quality, basis, zone, zone_name, year, source_id, source */

    struct run_figures *runs; /* those that ended and count; no warm-ups */
    size_t run_count;
    struct stored_baseline *baselines;
    size_t baseline_count;
    struct stored_phase *phases;
    size_t phase_count;
    struct stored_domain *domains;
    size_t domain_count;

    struct sample_stats duration_s, gross_j, net_j;
    struct interval net_interval_j; /* 95 % */
    double gross_w, net_w;

    struct notices notices; /* of the record; the first one where it is not complete */
};

/* Given to stored_record_close in the end, after a failure too. Fails with the file's name where it is not there, is
 * empty or no JSON, is another document, was written by another version of carbon, or holds no finished run. One that
 * was cut short (also PATH.partial) is read, and a notice says so. */
bool stored_record_read(const char *path, struct stored_record *stored, struct error *err) MUST_CHECK;

/* The same for a part of a document: a record, or an object that has one as its member "record", as a profile has. path
 * is the document's. */
bool stored_record_parse(const struct cJSON *document, const char *path, struct stored_record *stored,
                         struct error *err) MUST_CHECK;
void stored_record_close(struct stored_record *stored);

/* "job" of a record; unknown where it has none, as older ones do not. */
void stored_record_job(const struct cJSON *record, struct slurm_job *job);

/* What it is called: its label, else its command as a shell takes it, the program without its folder. */
void stored_record_name(const struct stored_record *stored, char *name, size_t size);

/* Whether their energies can be held against each other: ERROR_USAGE where the machine, its CPUs, the scope, the
 * sources or the quality differ. */
bool stored_record_comparable(const struct stored_record *a, const struct stored_record *b,
                              struct error *err) MUST_CHECK;

/* Its runs, borrowed; name is what it is to be called. */
struct run_series stored_record_series(const struct stored_record *stored, const char *name);

#endif
