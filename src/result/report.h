/* SPDX-License-Identifier: MIT
 * A finished result, and the interface of its forms. Used in app, ledger, result and 7 commands. Begin with struct
 * report. */
#ifndef RESULT_REPORT_H
#define RESULT_REPORT_H

#include "base/notice.h"
#include "base/text.h"
#include "emissions/equivalents.h"
#include "emissions/factor.h"
#include "emissions/sci.h"
#include "emissions/supplementary.h"
#include "grid/hourly.h"
#include "measurement/bottleneck.h"
#include "measurement/measurement.h"
#include "measurement/phase_summary.h"
#include "result/budget.h"
#include "result/record_parts.h"
#include "run/slurm_job.h"

#include <stdio.h>

#define REPORT_SCHEMA "carbon.record/1"
enum { REPORT_MINOR = 10 }; /* what each added: result/record_fields.c */
#define REPORT_MINOR_KEY "minor"

/* What emits: a footprint with its rates. Unknown figures are NAN. */
struct emission {
    struct footprint footprint;       /* footprint of the mean run */
    double kgco2eq_low, kgco2eq_high; /* of a modelled figure; else NAN */
    double kgco2eq_per_kwh;           /* the factor used, or the mean weighted by the hour */
    double kgco2eq_per_h;             /* while the workload runs */
    double kgco2eq_per_year;          /* at hours_per_year, and the yearly factor: other hours are not known */
    double facility_kwh_per_h, facility_kwh_per_year; /* the energy of these, with the PUE */
};

/* Figures that are reported separately and never in an emission: grid losses, supply of the fuel. NAN: no table says.
 */
struct added {
    double kgco2eq_per_kwh;
    double gross_kgco2eq, net_kgco2eq; /* mass of the mean run, with PUE */
};

/* One figure of the job's usage. NAN and NULL: unknown. */
struct usage_figure {
    double value;
    const char *from; /* "cgroup", "cgroup1", "rusage" */
};

/* Of one run, or the mean over the counted runs; of memory the highest, except the memory in use at the end. */
struct usage_summary {
    struct usage_figure cpu_s, user_s, system_s;
    struct usage_figure cpu_percent_of_core, cpu_percent_of_machine; /* mean over the wall time */
    struct usage_figure memory_peak_bytes, memory_bytes, working_set_bytes;
    struct usage_figure read_bytes, written_bytes, received_bytes, sent_bytes;
    struct usage_figure voluntary_switches, involuntary_switches;
    struct usage_figure minor_faults, major_faults;
    struct usage_figure cpu_stall_s, memory_stall_s, io_stall_s; /* of the mean run, waited for it */
    struct usage_figure cycles, instructions, cache_misses;
    struct usage_figure touched_bytes, cache_bytes; /* maximum of touched bytes over the runs */
};

/* Mean energy of all domains of one component, without doubles; NAN unknown. */
struct component_energy {
    double gross_j, idle_j, net_j;
};

/* The query of the factor tables, and the notices about its answer. */
struct factor_asked {
    char zone[96]; /* zone as the user gave it, or "" */
    int year;
    bool share_alike;
    char set[16]; /* an official one, or "" */
    size_t first_notice, notice_count;
};

/* The service of the intensities; "" if unknown. */
struct hourly_source {
    char service[24]; /* "neso"; "file" */
    char title[96], zone[LIVE_ZONE_SIZE], basis[12], scope[16], gases[16], td_losses[16], method[16];
    char source_id[48], licence[96], url[128];
};

/* The result by the hour: by_hour.h. */
struct by_hour {
    bool enabled; /* false: by the yearly factor alone, and nothing below holds */
    struct hourly_source source;
    const struct intensities *known;   /* of none where nothing could be had; borrowed */
    size_t first_notice, notice_count; /* those of the report's notices that are about this */

    /* report_work_out fills these; NAN where it was not asked for */
    double gross_kgco2eq_per_kwh, net_kgco2eq_per_kwh, share_kgco2eq_per_kwh; /* weighted by energy */
    double part[COVER_COUNT]; /* share of the gross energy by kind of coverage; NAN: unknown */
    double covered;           /* the part with intensities of its own time */
    double prorated;          /* share of the energy in slices that span two price intervals, split by time */
    double yearly_gross_kgco2eq, yearly_net_kgco2eq; /* what the yearly factor would give */
};

/* The record that this one restates; id "": none, it was measured. */
struct parent {
    char id[40], schema[32];
    uint64_t started_realtime_ns, restated_realtime_ns;
};

/* The user's own fields of a result, in addition to its label and project. */
enum { REPORT_META_MAX = 32, REPORT_META_KEY_SIZE = 64 };
struct report_meta {
    char key[REPORT_META_KEY_SIZE];
    const char *value;
};

/* Everything a form needs; nothing is computed in a form. Pointers are borrowed. */
struct report {
    char id[40]; /* a random UUID */
    struct parent parent;
    const char *writer_version; /* the version of carbon that wrote it; NULL: this one */
    uint64_t started_realtime_ns, ended_realtime_ns;
    char *const *command; /* argv, NULL-ended */
    const char *label;    /* what the user calls it, or NULL */
    const char *project;  /* what it is for, or NULL */
    const char *target;   /* what ran already and was watched: "process 1234 (nginx)", or NULL */
    bool complete;        /* false: written while the work was still going on, or it was cut short */
    struct report_meta meta[REPORT_META_MAX];
    size_t meta_count;

    const struct machine *machine;
    struct profile_fields profile; /* from which modelled domains were calculated */
    struct slurm_job job;          /* job that this run was part of */
    bool recorded_tree;            /* counters of a recorded machine, not of this one */
    char cpus[256];                /* the CPUs the job may use: "0-3,8" */
    const char *cpus_from;         /* "all", "inherited" (taskset), "--cpus"; NULL: cpus is "" */
    int job_cpus;                  /* how many these are; 0: all */

    enum scope scope;
    const struct measurement *measurement; /* windows, runs, meter, counting */

    double pue;
    enum quality pue_quality; /* given, default */
    struct factor factor;
    struct factor_asked factor_query;
    struct supplementary supplementary; /* the market-based factor, water, and who says the PUE */
    double hours_per_year;              /* the declared duty */
    enum quality hours_quality;         /* given, default */

    struct by_hour by_hour; /* not asked: by the yearly factor alone */

    struct sci sci;                 /* not asked: unknown */
    struct equivalents equivalents; /* equivalents of gross */
    struct budget budget;           /* not given: none */

    struct notices own_notices; /* found by the caller; forms show warnings */

    /* report_finish fills these, again each time */
    struct summary summary;
    struct emission gross, net, share, own; /* all but gross are NAN where they are not known */
    struct emission gross_market, net_market, share_market, own_market; /* NAN: no market-based factor */
    struct emission gross_market_location, net_market_location;         /* by the location, on the basis of these */
    struct added td_losses, upstream;
    double gross_water_l, net_water_l; /* of the IT energy; NAN where no WUE was given */
    struct component_energy components[COMPONENT_COUNT];
    struct usage_summary usage;
    struct bottleneck_verdict bottleneck; /* bottleneck of all counted runs together */
    struct phases_summary phases;         /* of none where no phases were asked for */
    size_t warmups;
    bool exit_known;               /* a run has ended */
    int exit_status;               /* exit status of the last ended run */
    double start_gap_s, end_gap_s; /* of the counted runs, on average; NAN unknown */
    struct notices all_notices;    /* notices, and those found in the measurement */
};

/* The same as another report, with notices of its own; `to` is zeroed or of an earlier copy. Closed with report_close,
 * which is harmless on a zeroed one. */
void report_copy(struct report *to, const struct report *from);
void report_close(struct report *report);

/* report_finish.c: calculates the results from the measurement; the caller has filled the rest. May be called again as
 * the measurement grows. */
void report_finish(struct report *report);

/* The same except for the warnings, which stay unchanged. */
void report_work_out(struct report *report);

/* What run i of a measurement comes to alone, be it a warm-up or not, by the same arithmetic. */
struct run_summary {
    double gross_j, idle_j, net_j, own_j, own_idle_j, own_others_j, share_j, background_cores;
    double machine_share, attributed_j, gpu_own_j;
    struct usage_summary usage;
    struct bottleneck_verdict bottleneck;
};
struct run_summary run_summary_of(const struct report *report, size_t i);

struct report_format {
    const char *name; /* "json" */
    const char *about;
    /* False: the stream failed (err from errno). */
    bool (*write)(const struct report *report, FILE *out, struct error *err);
};

extern const struct report_format json_format, csv_format, table_format, answer_format, brief_format;

/* record_json.c: the output of json_format, freed by the caller; NULL: no memory. */
char *json_record_string(const struct report *report, struct error *err) MUST_CHECK;

/* record_csv.c: the header, freed by the caller (NULL: no memory), and the record's line, each with its line end, for
 * output_append. */
struct table;
extern const struct table record_table;
char *csv_header(void);
void csv_line(const struct report *report, struct text *text);

/* How much of a result people see: one line for scripts, the answer in a few lines, or everything. */
enum detail { DETAIL_LINE, DETAIL_ANSWER, DETAIL_ALL };

/* How a text for people may look. */
struct table_style {
    bool colour;
    enum detail detail;
    int width;        /* columns, 60 or more */
    const char *more; /* the option that shows everything: "-v", "--details" */
};

/* answer_text.c: in as much detail as the style says. */
bool report_write_text(const struct report *report, const struct table_style *style, FILE *out,
                       struct error *err) MUST_CHECK;

/* record_text.c: everything. */
bool table_write(const struct report *report, const struct table_style *style, FILE *out, struct error *err) MUST_CHECK;

#endif
