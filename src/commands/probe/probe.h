/* SPDX-License-Identifier: MIT
 * The finished result of `carbon probe`, and its forms. Used throughout commands/probe. Begin with probe_write(). */
#ifndef COMMANDS_PROBE_PROBE_H
#define COMMANDS_PROBE_PROBE_H

#include "base/machine.h"
#include "base/notice.h"
#include "commands/probe/power_breakdown.h"
#include "emissions/factor.h"
#include "form/field.h"
#include "own/own_method.h"

#include <stdio.h>

#define PROBE_SCHEMA "carbon.probe/1"

/* One load with a number of threads. */
struct probe_entry {
    const char *name; /* "cpu × 4" */
    enum load_kind kind;
    unsigned threads; /* 0: not applicable */
    struct breakdown_run *runs;
    size_t run_count;
    struct breakdown_row row; /* valid if there are runs */
    struct sample_stats gross_w[BREAKDOWN_DOMAINS], net_w[BREAKDOWN_DOMAINS], own_w[BREAKDOWN_DOMAINS];
    bool failed; /* it could not be run, or not to its end; error has the reason */
    struct error error;
};

/* The meter of a domain; of unknown quality if there is none. */
struct probe_domain {
    char names[160];       /* "package-0 + package-1 (powercap)" */
    const char *component; /* its component: "package", "memory", "machine", "platform", "gpu" */
    enum quality quality;
};

/* Forms calculate nothing. Unknown is NAN. Pointers are borrowed. */
struct probe_result {
    char id[40];
    uint64_t started_realtime_ns, ended_realtime_ns; /* 0: still running */
    bool complete, interrupted;
    const struct machine *machine;
    bool recorded_tree;
    char cpus[256];
    double load_s, baseline_s; /* as requested; baseline NAN: as long as the run before */
    size_t runs;
    struct breakdown_meter meter;
    struct probe_domain domains[BREAKDOWN_DOMAINS];
    struct probe_entry *entries;
    size_t entry_count;
    double baseline_busy_cpus, baseline_busy_mask_cpus; /* CPUs kept busy by others; NAN unknown */
    enum own_method own_method;                         /* method of the loads' own power, the lowest of all */
    bool busy;                                          /* the CPUs were busy in the baselines: see the member above */
    char stored[128];
    double idle_w; /* idle power, mean over all runs; NAN if the machine was busy */
    struct footprint idle_year;
    double hours_per_year;
    double pue;
    enum quality pue_quality, hours_quality;
    struct factor factor;
    struct notices notices;
};

/* Of the entries with runs; NULL: all are unknown. */
const struct probe_entry *probe_busiest(const struct probe_result *result); /* the entry with the highest gross power */
const struct probe_entry *probe_idle(const struct probe_result *result);

/* Some figure uses a modelled domain. */
bool probe_is_modelled(const struct probe_result *result);

/* A part of a load with an observed or calculated figure; false if the figure is only the model's assumption. */
bool probe_part_shown(const struct probe_entry *entry, enum power_part part);

/* The same figure is significant, or there is one run of it. */
bool probe_part_stated(const struct probe_entry *entry, enum power_part part);

/* The largest stated part except those in `reported`, or POWER_PARTS; and a part's name in a sentence. */
enum power_part probe_largest_stated(const struct probe_entry *entry, const bool *reported);
const char *probe_part_words(const struct probe_result *result, const struct probe_entry *entry, enum power_part part);

/* Memory has a meter that follows its load. */
bool probe_memory_is_measured(const struct probe_result *result);

struct table_style;

/* The largest part in one sentence and the highest loads in a few lines; and one line for scripts:
 * "cpu 45 W measured of 80 W". */
void probe_write_short(const struct probe_result *result, const struct table_style *style, FILE *out);
void probe_write_line(const struct probe_result *result, FILE *out);

struct probe_style {
    bool colour, utf8;
    int width; /* columns of the chart */
};

/* For people, at most 100 columns: the tables, then a sentence about the largest consumer. */
void probe_write(const struct probe_result *result, const struct probe_style *style, FILE *out);
void probe_write_verdict(const struct probe_result *result, const struct probe_style *style, FILE *out);

extern const struct schema probe_schema;

/* As in docs/probe-schema.json; and one row per load. */
bool probe_write_json(const struct probe_result *result, FILE *out, struct error *err) MUST_CHECK;
bool probe_write_csv(const struct probe_result *result, FILE *out, struct error *err) MUST_CHECK;

#endif
