/* SPDX-License-Identifier: MIT
 * A record read back: the output of `carbon measure --json`, as plain figures. Values that the record lacks are NAN or
 * "". Used in result and 5 commands. Begin with stored_record_read(). */
#ifndef RESULT_STORED_STORED_RECORD_H
#define RESULT_STORED_STORED_RECORD_H

#include "base/notice.h"
#include "emissions/factor.h"
#include "measurement/run_series.h"
#include "meter/scope.h"
#include "run/slurm_job.h"

struct cJSON;

/* A domain, and the name of its column in the time series ("" if it could not be read). */
struct stored_domain {
    char name[64], column[112];
    bool counted;
};

struct stored_baseline {
    double start_s;       /* since started_at */
    double duration_s, w; /* power of the counted domains */
};

/* A named part of a run. */
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
    bool complete, at_least;

    char cpu_model[128];
    int cpus_online; /* 0: unknown */
    bool recorded_tree;
    enum scope scope;
    char sources[256]; /* of the counted domains: "powercap + nvml" */
    enum quality quality;
    bool constant;      /* the meter reported constant power while the load changed */
    bool no_idle;       /* the machine was fully loaded in the baselines */
    double net_noise_j; /* from its baselines and the meter's resolution */
    enum own_method own_method;
    double slope_w;     /* if all counted domains are modelled; else NAN */
    double own_doubt_j; /* see struct run_series */

    double pue, hours_per_year;
    struct factor factor; /* value, quality, basis, zone, zone_name, year, source_id, source */

    struct run_figures *runs; /* completed and counted runs; no warm-ups */
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

    struct notices notices; /* of the record; the first one if it is incomplete */
};

/* Call stored_record_close in any case. Fails with the file's name if it is missing, empty, not JSON, another document,
 * of another version of carbon, or without a completed run. An incomplete record (also PATH.partial) is read, and a
 * notice says so. */
bool stored_record_read(const char *path, struct stored_record *stored, struct error *err) MUST_CHECK;

/* The same for a part of a document: a record, or an object with the member "record", for example a profile. path is
 * the document's. */
bool stored_record_parse(const struct cJSON *document, const char *path, struct stored_record *stored,
                         struct error *err) MUST_CHECK;
void stored_record_close(struct stored_record *stored);

/* "job" of a record; unknown if it has none, as in older records. */
void stored_record_job(const struct cJSON *record, struct slurm_job *job);

/* Its name: its label, else its command as in a shell, the program without its folder. */
void stored_record_name(const struct stored_record *stored, char *name, size_t size);

/* Whether their energies are comparable: ERROR_USAGE if the machine, its CPUs, the scope, the sources or the quality
 * differ. */
bool stored_record_comparable(const struct stored_record *a, const struct stored_record *b,
                              struct error *err) MUST_CHECK;

/* Its runs, borrowed, with a name. */
struct run_series stored_record_series(const struct stored_record *stored, const char *name);

#endif
