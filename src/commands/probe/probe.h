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

/* One load with so many threads. */
struct probe_entry {
    const char *name; /* "cpu × 4" */
    enum load_kind kind;
    unsigned threads; /* 0: it has no choice */
    struct breakdown_run *runs;
    size_t run_count;
    struct breakdown_row row; /* where there are runs */
    struct sample_stats gross_w[BREAKDOWN_DOMAINS], net_w[BREAKDOWN_DOMAINS], own_w[BREAKDOWN_DOMAINS];
    bool failed; /* it could not be run, or not to its end; error says why */
    struct error error;
};

/* The meter of a domain; of unknown quality where there is none. */
struct probe_domain {
    char names[160];       /* "package-0 + package-1 (powercap)" */
    const char *component; /* what it covers: "package", "memory", "machine", "platform", "gpu" */
    enum quality quality;
};

/* Nothing is computed in a form. Unknown is NAN. Pointers are borrowed. */
struct probe_result {
    char id[40];
    uint64_t started_realtime_ns, ended_realtime_ns; /* 0: it goes on */
    bool complete, interrupted;
    const struct machine *machine;
    bool recorded_tree;
    char cpus[256];
    double load_s, baseline_s; /* as asked for; baseline NAN: as long as the run before */
    size_t runs;
    struct breakdown_meter meter;
    struct probe_domain domains[BREAKDOWN_DOMAINS];
    struct probe_entry *entries;
    size_t entry_count;
    double baseline_busy_cpus, baseline_busy_mask_cpus; /* CPUs kept busy by others; NAN unknown */
    enum own_method own_method; /* by which the loads' own power is told, the least good of all */
    bool busy;                  /* they did more than an idle machine does: kept says how much */
    char stored[128];
    double idle_w; /* the idle machine, mean over all runs; NAN where it was busy */
    struct footprint idle_year;
    double hours_per_year;
    double pue;
    enum quality pue_quality, hours_quality;
    struct factor factor;
    struct notices notices;
};

/* Of the entries with runs; NULL: none is known. */
const struct probe_entry *probe_busiest(const struct probe_result *result); /* whose gross power is the highest */
const struct probe_entry *probe_idle(const struct probe_result *result);

/* Some figure stands on a modelled domain. */
bool probe_is_modelled(const struct probe_result *result);

/* A part of a load as a figure that was seen or worked out; not where it would be the model's own silence. */
bool probe_part_shown(const struct probe_entry *entry, enum power_part part);

/* The same figure is significant, or there is one run of it. */
bool probe_part_stated(const struct probe_entry *entry, enum power_part part);

/* The largest stated part but those in `reported`, or POWER_PARTS; and a part's name in a sentence. */
enum power_part probe_largest_stated(const struct probe_entry *entry, const bool *reported);
const char *probe_part_words(const struct probe_result *result, const struct probe_entry *entry, enum power_part part);

/* A meter of memory that follows its load. */
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

/* For people, at most 100 columns: the tables, then what draws most in words. */
void probe_write(const struct probe_result *result, const struct probe_style *style, FILE *out);
void probe_write_verdict(const struct probe_result *result, const struct probe_style *style, FILE *out);

extern const struct schema probe_schema;

/* As docs/probe-schema.json describes it; and a row for each load. */
bool probe_write_json(const struct probe_result *result, FILE *out, struct error *err) MUST_CHECK;
bool probe_write_csv(const struct probe_result *result, FILE *out, struct error *err) MUST_CHECK;

#endif
