/* SPDX-License-Identifier: MIT
 * Which exporter a set of series comes from, whose energy each of its families tells, and which part of the machine
 * used it: Kepler before and after it was rewritten, node_exporter, Scaphandre, and carbon's own. */
#ifndef SERIES_KIND_H
#define SERIES_KIND_H

#include "base/notice.h"
#include "base/quality.h"
#include "series/series.h"

#include <stdint.h>

enum kind_exporter {
    KIND_NONE,
    KIND_KEPLER_OLD, /* before 0.10: kepler_container_package_joules_total */
    KIND_KEPLER,     /* from 0.10 on: kepler_container_cpu_joules_total{zone="package"} */
    KIND_NODE,       /* node_exporter: node_rapl_package_joules_total */
    KIND_SCAPHANDRE,
    KIND_CARBON,
    KIND_DCGM, /* NVIDIA's: DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION; graphics cards alone */
    KIND_COUNT,
};

/* "kepler-old", "kepler", "node_exporter", "scaphandre", "carbon", "dcgm"; for people "Kepler before 0.10", ... */
const char *kind_name(enum kind_exporter kind);
const char *kind_title(enum kind_exporter kind);
/* Of those that tell the same, the first counts. */
extern const enum kind_exporter kind_preference[KIND_COUNT - 1];
enum kind_exporter kind_of_name(const char *name); /* "old" and "new" are Kepler's, too; KIND_NONE: it is none */

enum kind_level {
    KIND_OF_NODE,
    KIND_OF_NAMESPACE,
    KIND_OF_POD,
    KIND_OF_CONTAINER,
    KIND_OF_PROCESS,
    KIND_OF_VM,
    KIND_OF_CGROUP,
    KIND_OF_JOB, /* Slurm job */
    KIND_LEVEL_COUNT,
};
const char *kind_level_name(enum kind_level level); /* "node", "namespace", ... */

/* Core and uncore are inside the package, and the platform has all of it: none of the three is part of the sum. */
enum kind_part {
    KIND_SUM, /* package + dram + other + gpu where the package is known, else what the exporter says */
    KIND_PACKAGE,
    KIND_CORE,
    KIND_UNCORE,
    KIND_DRAM,
    KIND_OTHER,
    KIND_GPU,
    KIND_PLATFORM,
    KIND_OWN_SUM, /* what the exporter itself says all is */
    KIND_PART_COUNT,
};
const char *kind_part_name(enum kind_part part); /* "sum", "pkg", "core", "uncore", "dram", "other", "gpu", ... */

/* Of exporters that tell them apart: idle is the power of the machine when it does nothing, laid on all; dynamic what
 * is above it. */
enum kind_mode { KIND_ALL, KIND_DYNAMIC, KIND_IDLE, KIND_MODE_COUNT };
const char *kind_mode_name(enum kind_mode mode); /* "all", "dynamic", "idle" */

/* The families of metrics that are understood, ended by one whose metric is NULL. */
struct kind_family {
    enum kind_exporter kind;
    enum kind_level level; /* of its series; pods and namespaces are added up of containers where they have none */
    const char *metric;
    enum kind_part part; /* KIND_PART_COUNT: a label tells it */
    enum kind_mode mode; /* KIND_ALL: of all, or the label "mode" tells it */
    double j_per_unit;
    bool power; /* a gauge, of watts when multiplied by the above */
    bool raw;   /* the processor's own counter, which wraps */
};
extern const struct kind_family kind_families[];

/* NULL: it tells no energy. A metric of GPUs may be of either Kepler, which its labels tell; by its name it is of the
 * older. */
const struct kind_family *kind_family_of(const char *metric);
const struct kind_family *kind_family_of_series(const struct series *series);

/* The exporters that have series in the set: bit 1 << KIND_... */
unsigned kind_found(const struct series_set *set);

/* What time the figures are of. */
struct kind_window {
    double from_s, to_s;         /* NAN: not said, the share that is covered is not known */
    bool untimed;                /* points are in their order, and how long it was between them is not known */
    bool totals;                 /* what the counters say at their last points, from when each began */
    enum kind_exporter kind;     /* only of this exporter; KIND_NONE: of all there are */
    const char *node;            /* only of this node; NULL: of all */
    const char *namespace, *pod; /* notices are of these alone, rows are of all; NULL: of all */
};

/* Of one part in one mode: all series of it together. Unknown is NAN. */
struct kind_figure {
    double joules;
    double low_j, high_j; /* of the intervals that lie within the window, and of those that cross its edges, too */
    double watts;         /* joules over the time from the first to the last point */
    double irate_w;       /* the slope between the last two points of each series, added up */
    double first_s, last_s;
    double covered;    /* share of the window in which that series of them is known which is known longest */
    double doubtful_j; /* upper bound on energy lost to resets and single samples */
    size_t series;     /* 0: there is none, and all is unknown */
    size_t single;     /* series with a single sample, new or gone, whose energy is unknown */
    size_t unknown;    /* of them tell nothing that can be: one is enough for joules to be unknown */
    size_t points;     /* numeric samples used */
    unsigned resets, wraps, gaps, implausible;
};

/* Texts are "" where it has none. */
struct kind_row {
    enum kind_exporter kind;
    enum kind_level level;
    const char *node, *namespace, *pod, *container;
    const char *name; /* of a process, a VM, a group or a job */
    const char *id;   /* of a container, a process, a VM */
    enum quality quality;
    struct kind_figure figures[KIND_PART_COUNT][KIND_MODE_COUNT];
    double covered; /* share of the window in which that part of the sum is known which is known least, 0 to 1 */
};

struct kind_rows {
    struct kind_row *items;
    size_t count;
    struct arena arena;
};

/* The rows by level, node, namespace, pod and so on. The set is sorted (series_set_sort). Doubts become notices. */
bool kind_rows_of(const struct series_set *set, const struct kind_window *window, struct kind_rows *rows,
                  struct notices *notices, struct error *err) MUST_CHECK;
void kind_rows_close(struct kind_rows *rows); /* harmless twice, and on a zeroed one */

static inline const struct kind_figure *kind_sum(const struct kind_row *row)
{
    return &row->figures[KIND_SUM][KIND_ALL];
}

#endif
