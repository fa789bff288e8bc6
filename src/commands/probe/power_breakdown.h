/* SPDX-License-Identifier: MIT
 * The power of one load by part: idle machine, processors, memory and I/O, from loads that each use one of them. Pure.
 * Used by probe.h. Begin with breakdown_rows(). */
#ifndef COMMANDS_PROBE_POWER_BREAKDOWN_H
#define COMMANDS_PROBE_POWER_BREAKDOWN_H

#include "base/quality.h"
#include "commands/probe/load.h"
#include "measurement/part_watts.h"
#include "measurement/statistics.h"

/* One run of a load. Watts of a domain that is missing, or unknown in any run of any load, are NAN. */
struct breakdown_run {
    double gross_w[BREAKDOWN_DOMAINS], net_w[BREAKDOWN_DOMAINS];
    double own_w[BREAKDOWN_DOMAINS]; /* own power of the load: the source of the parts */
    double busy_cpus;                /* CPU time of the load / duration */
    double bytes_per_s;              /* streamed, or written and read */
    double duration_s;
};

struct breakdown_load {
    enum load_kind kind;
    unsigned threads;
    const struct breakdown_run *runs;
    size_t count;
};

enum power_part {
    PART_IDLE,   /* the idle machine: gross - own */
    PART_CPU,    /* share of the processors in own power */
    PART_MEMORY, /* the memory's */
    PART_IO,     /* the disk, and its controllers */
    PART_REST,   /* the rest, or power that is not split further */
    POWER_PARTS,
};

/* "idle", "cpu", "memory", "io", "rest". */
const char *power_part_name(enum power_part part);

struct breakdown_figure {
    double w;            /* as calculated, may be negative; NAN: unknown, or this load has no such part */
    double error_w;      /* its standard error; NAN with a single run */
    double freedom;      /* its degrees of freedom */
    double detectable_w; /* the minimum detectable power */
    double percent;      /* percent of gross */
    bool reported;       /* significantly above 0 */
    bool assumed;        /* it includes a modelled domain: an assumption, not an observation */
};

struct breakdown_row {
    enum load_kind kind;
    unsigned threads;
    double total_gross_w; /* mean over the runs: by the machine's meter, or else of packages, memory and graphics cards
                           */
    double busy_cpus, bytes_per_s;
    struct breakdown_figure parts[POWER_PARTS]; /* known parts add up to total_gross_w */
    double j_per_gib;                           /* memory and I/O: energy per GiB moved; NAN: not significant */
};

/* The p-quantile of Student's t distribution: student_quantile. */
typedef double breakdown_quantile(double p, double freedom);

/* One row per load, in their order. quality: of each domain. */
void breakdown_rows(const struct breakdown_load *loads, size_t count, const enum quality quality[BREAKDOWN_DOMAINS],
                    breakdown_quantile *quantile, struct breakdown_row *rows);

/* Of a domain over the runs; count 0: not known. */
enum breakdown_power { BREAKDOWN_GROSS, BREAKDOWN_NET, BREAKDOWN_OWN };
struct sample_stats breakdown_spread(const struct breakdown_load *load, enum breakdown_domain domain,
                                     enum breakdown_power power);

/* The largest known part of a row, or POWER_PARTS. */
enum power_part breakdown_largest(const struct breakdown_row *row);

#endif
