/* SPDX-License-Identifier: MIT
 * The exporter of a set of series, whose energy each of its families reports, and for which part of the machine
 * used it: Kepler before and after it was rewritten, node_exporter, Scaphandre, and carbon's own. Used in
 * commands/prometheus, commands/report and series. Begin with exporter_title(). */
#ifndef SERIES_KIND_H
#define SERIES_KIND_H

#include "base/notice.h"
#include "base/quality.h"
#include "series/metric_series.h"

#include <stdint.h>

enum exporter_kind {
    EXPORTER_NONE,
    EXPORTER_KEPLER_OLD, /* before 0.10: kepler_container_package_joules_total */
    EXPORTER_KEPLER,     /* from 0.10 on: kepler_container_cpu_joules_total{zone="package"} */
    EXPORTER_NODE,       /* node_exporter: node_rapl_package_joules_total */
    EXPORTER_SCAPHANDRE,
    EXPORTER_CARBON,
    EXPORTER_DCGM, /* NVIDIA's: DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION; graphics cards alone */
    EXPORTER_COUNT,
};

/* "kepler-old", "kepler", "node_exporter", "scaphandre", "carbon", "dcgm"; for people "Kepler before 0.10", ... */
const char *exporter_kind_name(enum exporter_kind kind);
const char *exporter_title(enum exporter_kind kind);
/* Of those that report the same, the first counts. */
extern const enum exporter_kind exporter_preference[EXPORTER_COUNT - 1];
enum exporter_kind exporter_of_name(
    const char *name); /* "old" and "new" are Kepler's, too; EXPORTER_NONE: it is none */

enum workload_level {
    LEVEL_NODE,
    LEVEL_NAMESPACE,
    LEVEL_POD,
    LEVEL_CONTAINER,
    LEVEL_PROCESS,
    LEVEL_VM,
    LEVEL_CGROUP,
    LEVEL_JOB, /* Slurm job */
    LEVEL_COUNT,
};
const char *workload_level_name(enum workload_level level); /* "node", "namespace", ... */

/* Core and uncore are inside the package, and the platform has all of it: none of the three is part of the sum. */
enum rapl_domain {
    DOMAIN_SUM, /* package + dram + other + gpu where the package is known, else what the exporter says */
    DOMAIN_PACKAGE,
    DOMAIN_CORE,
    DOMAIN_UNCORE,
    DOMAIN_DRAM,
    DOMAIN_OTHER,
    DOMAIN_GPU,
    DOMAIN_PLATFORM,
    DOMAIN_OWN_SUM, /* what the exporter itself says all is */
    DOMAIN_COUNT,
};
const char *rapl_domain_name(enum rapl_domain part); /* "sum", "pkg", "core", "uncore", "dram", "other", "gpu", ... */

/* Of exporters that separate them: idle is the power of the idle machine, shared among all; dynamic the power
 * is above it. */
enum energy_mode { MODE_ALL, MODE_DYNAMIC, MODE_IDLE, MODE_COUNT };
const char *energy_mode_name(enum energy_mode mode); /* "all", "dynamic", "idle" */

/* The families of metrics that are understood, ended by one whose metric is NULL. */
struct kind_family {
    enum exporter_kind kind;
    enum workload_level level; /* of its series; pods and namespaces are added up of containers where they have none */
    const char *metric;
    enum rapl_domain part; /* DOMAIN_COUNT: a label names it */
    enum energy_mode mode; /* MODE_ALL: of all, or the label "mode" names it */
    double j_per_unit;
    bool power; /* a gauge, of watts when multiplied by the above */
    bool raw;   /* the processor's own counter, which wraps */
};
extern const struct kind_family kind_families[];

/* NULL: it has no energy. A metric of GPUs may be of either Kepler, as its labels show; by its name it is of the
 * older. */
const struct kind_family *kind_family_of(const char *metric);
const struct kind_family *kind_family_of_series(const struct metric_series *series);

/* The exporters that have series in the set: bit 1 << KIND_... */
unsigned exporters_found(const struct series_set *set);

/* What time the figures are of. */
struct kind_window {
    double from_s, to_s;         /* NAN: not said, the share that is covered is not known */
    bool untimed;                /* points are in their order, and how long it was between them is not known */
    bool totals;                 /* what the counters say at their last points, from when each began */
    enum exporter_kind kind;     /* only of this exporter; EXPORTER_NONE: of all there are */
    const char *node;            /* only of this node; NULL: of all */
    const char *namespace, *pod; /* notices are of these alone, rows are of all; NULL: of all */
};

/* Of one part in one mode: all series of it together. Unknown is NAN. */
struct energy_figure {
    double joules;
    double low_j, high_j; /* of the intervals that lie within the window, and of those that cross its edges, too */
    double watts;         /* joules over the time from the first to the last point */
    double irate_w;       /* the slope between the last two points of each series, added up */
    double first_s, last_s;
    double covered;    /* share of the window in which that series of them is known which is known longest */
    double doubtful_j; /* upper bound on energy lost to resets and single samples */
    size_t series;     /* 0: there is none, and all is unknown */
    size_t single;     /* series with a single sample, new or gone, whose energy is unknown */
    size_t unknown;    /* number of them that are impossible: one is enough for joules to be unknown */
    size_t points;     /* numeric samples used */
    unsigned resets, wraps, gaps, implausible;
};

/* Texts are "" where it has none. */
struct workload_row {
    enum exporter_kind kind;
    enum workload_level level;
    const char *node, *namespace, *pod, *container;
    const char *name; /* of a process, a VM, a group or a job */
    const char *id;   /* of a container, a process, a VM */
    enum quality quality;
    struct energy_figure figures[DOMAIN_COUNT][MODE_COUNT];
    double covered; /* share of the window in which that part of the sum is known which is known least, 0 to 1 */
};

struct workload_rows {
    struct workload_row *items;
    size_t count;
    struct arena arena;
};

/* The rows by level, node, namespace, pod and so on. The set is sorted (series_set_sort). Doubts become notices. */
bool workload_rows_of(const struct series_set *set, const struct kind_window *window, struct workload_rows *rows,
                      struct notices *notices, struct error *err) MUST_CHECK;
void workload_rows_close(struct workload_rows *rows); /* harmless twice, and on a zeroed one */

static inline const struct energy_figure *workload_row_sum(const struct workload_row *row)
{
    return &row->figures[DOMAIN_SUM][MODE_ALL];
}

#endif
