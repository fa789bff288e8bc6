/* SPDX-License-Identifier: MIT
 * Runs of a performance indicator: the output of each, and its energy, carbon and usage, in the forms of the consumers
 * of such scripts. Used by indicator.h, indicator_flat.c and indicator_parts.h. Begin with indicator_read(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_REPORT_H
#define COMMANDS_INDICATOR_INDICATOR_REPORT_H

#include "commands/indicator/indicator_contract.h"
#include "commands/indicator/spans.h"
#include "gate/gate.h"
#include "result/report.h"

#define INDICATOR_SCHEMA "carbon.indicator/1"

/* One counted run. The caller fills the first part. */
struct indicator_run {
    size_t index;         /* index in the measurement */
    char *text, *said;    /* standard output, and standard error if it was captured; NULL: empty */
    size_t length;        /* bytes of text */
    bool over, said_over; /* the output was longer */

    /* set by indicator_read */
    struct scan scan;
    struct indicator indicator;
    struct notices notices;
    struct fault fault; /* of kind FAULT_NONE: it keeps to the contract */
};

struct indicator_options {
    bool strict, keeps_nan;
    bool merges;       /* energy and carbon into @result, too */
    const char *score; /* "joules", or a key of @result: the source of overall_score; NULL: none */
    size_t max_bytes;  /* maximum output of a run */
};

struct indicator_report {
    const struct report *report; /* finished */
    struct indicator_options options;
    const char *script; /* the script of the command, by its given name; "" unknown */
    const char *sha256; /* of it, before the first run; "" unknown */
    struct indicator_run *runs;
    size_t run_count;
    const struct gate *gate; /* NULL: not requested */
};

/* Checks the output of the run. */
void indicator_read(struct indicator_run *run, const struct indicator_options *options);
void indicator_run_close(struct indicator_run *run);

/* The usage of a run, by getrusage(2). Unknown is NAN and -1. */
struct indicator_usage {
    double ru_utime, ru_stime; /* s */
    int64_t ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd,
        ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};

struct indicator_energy {
    enum quality energy_quality;
    enum scope energy_scope;
    double energy_duration_s, energy_gross_j, energy_idle_j, energy_net_j;
    double energy_gross_kwh, energy_idle_kwh, energy_net_kwh, energy_own_j, energy_own_kwh;
    enum own_method energy_own_method;
};

struct indicator_carbon {
    double carbon_pue, carbon_kgco2eq_per_kwh;
    enum quality carbon_pue_quality, carbon_factor_quality;
    const char *carbon_zone, *carbon_basis, *carbon_source; /* "": unknown */
    int carbon_year;
    double carbon_gross_kgco2eq, carbon_idle_kgco2eq, carbon_net_kgco2eq, carbon_own_kgco2eq;
};

/* All figures of a run; their members have the names that consumers of such scripts use. */
struct indicator_figures {
    struct indicator_usage usage;
    struct indicator_energy energy;
    struct indicator_carbon carbon;
};
struct indicator_figures indicator_figures(const struct indicator_report *report, size_t i);

/* The overall_score of --score; NAN: the energy is unknown. */
double indicator_score(const struct indicator_report *report, size_t i);

/* "2026-11-28T21:05:04.123456", the time format of Amun. */
enum { INDICATOR_TIME_SIZE = 40 };
void indicator_times(const struct indicator_report *report, size_t i, char start[INDICATOR_TIME_SIZE],
                     char end[INDICATOR_TIME_SIZE]);

/* indicator_object.c: the script's object with carbon's members, and a line end. Needs a run that keeps to the
 * contract. */
bool indicator_write(const struct indicator_report *report, size_t i, bool one_line, FILE *out,
                     struct error *err) MUST_CHECK;

/* indicator_json.c: all fields. */
extern const struct schema indicator_schema;
bool indicator_json(const struct indicator_report *report, FILE *out, struct error *err) MUST_CHECK;

/* indicator_flat.c: one row per run, and the table of such rows. Fails if two columns have the same name, or if there
 * are too many. */
bool indicator_csv(const struct indicator_report *report, FILE *out, struct error *err) MUST_CHECK;
bool indicator_table(const struct indicator_report *report, FILE *out, struct error *err) MUST_CHECK;

/* indicator_amun.c: a folder of that name in DIR, both created if missing; and DIR/results/<i>/{result,hwinfo,log} of
 * run i (from 0). */
bool indicator_amun_folder(const char *folder, const char *name, char *path, size_t size, struct error *err) MUST_CHECK;
bool indicator_amun(const struct indicator_report *report, size_t i, const char *folder, struct error *err) MUST_CHECK;

#endif
