/* SPDX-License-Identifier: MIT
 * The power of one load by part: the idle machine, the processors, the memory and
 * I/O, from loads that work one of them each. Pure. Used by probe.h. Begin with breakdown_rows(). */
#ifndef COMMANDS_PROBE_POWER_BREAKDOWN_H
#define COMMANDS_PROBE_POWER_BREAKDOWN_H

#include "base/quality.h"
#include "commands/probe/load.h"
#include "measurement/part_watts.h"
#include "measurement/statistics.h"

/* One run of a load. Watts of a domain that is not there, or that any run of any load does not know, are NAN. */
struct breakdown_run {
    double gross_w[BREAKDOWN_DOMAINS], net_w[BREAKDOWN_DOMAINS];
    double own_w[BREAKDOWN_DOMAINS]; /* what the load drew itself: the parts are worked out of this */
    double busy_cpus;                /* CPU time of the load / duration */
    double bytes_per_s;              /* that it streamed, or wrote and read */
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
    PART_CPU,    /* the processors' share of own */
    PART_MEMORY, /* the memory's */
    PART_IO,     /* the disk's, and what serves it */
    PART_REST,   /* what is none of these, or is not split further */
    POWER_PARTS,
};

/* "idle", "cpu", "memory", "io", "rest". */
const char *power_part_name(enum power_part part);

struct breakdown_figure {
    double w;            /* as worked out, be it negative; NAN: not known, or no such part of this load */
    double error_w;      /* its standard error; NAN with a single run */
    double freedom;      /* degrees of it */
    double detectable_w; /* the smallest true w that would have been told from 0 */
    double percent;      /* percent of gross */
    bool reported;       /* told apart from 0 */
    bool assumed;        /* a modelled domain is in it: what the model takes for granted, not what was seen */
};

struct breakdown_row {
    enum load_kind kind;
    unsigned threads;
    double total_gross_w; /* mean over the runs: of the meter of the machine, or of packages, memory and graphics cards
                             where there is none */
    double busy_cpus, bytes_per_s;
    struct breakdown_figure parts[POWER_PARTS]; /* those that are known add up to total_gross_w */
    double j_per_gib; /* memory and I/O: of their part, for what was moved; NAN where that is not told apart */
};

/* The value that a share p of Student's t distribution lies below: student_quantile. */
typedef double breakdown_quantile(double p, double freedom);

/* One row for each load, in their order. quality: of each domain. */
void breakdown_rows(const struct breakdown_load *loads, size_t count, const enum quality quality[BREAKDOWN_DOMAINS],
                    breakdown_quantile *quantile, struct breakdown_row *rows);

/* Of a domain over the runs; count 0: not known. */
enum breakdown_power { BREAKDOWN_GROSS, BREAKDOWN_NET, BREAKDOWN_OWN };
struct sample_stats breakdown_spread(const struct breakdown_load *load, enum breakdown_domain domain,
                                     enum breakdown_power power);

/* The largest part of a row that is known, or POWER_PARTS. */
enum power_part breakdown_largest(const struct breakdown_row *row);

#endif
