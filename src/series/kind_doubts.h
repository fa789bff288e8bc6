/* SPDX-License-Identifier: MIT
 * Warnings about many series, in a few notices. Used by workload_rows.c. Begin with kind_doubts_add(). */
#ifndef SERIES_KIND_DOUBTS_H
#define SERIES_KIND_DOUBTS_H

#include "series/increase.h"
#include "series/kind.h"

enum { DOUBT_NAME_SIZE = 160 };

/* Of one sort: how many series, how often, about how many joules, and the first of them. */
struct doubt {
    size_t series;
    unsigned times;
    double joules;
    char first[DOUBT_NAME_SIZE];
};

struct kind_doubts {
    struct doubt resets, wraps, gaps, single, powers, raw_totals;
    struct doubt implausible, twice, unknown, still, mirrors;
    double nodes_j, pods_j; /* of all nodes, and of the pods on them: NAN if one of them is unknown */
    size_t stats;           /* series of the first Keplers without energy since their start */
    struct doubt sums;      /* rows whose own sum is another than that of their parts */
    unsigned left_out;      /* exporters that repeat a better one: bits, as of exporters_found */
};

void kind_doubts_add(struct kind_doubts *doubts, const struct metric_series *series, const struct kind_family *family,
                     const struct increase *increase, const struct kind_window *window);
/* A series of an exporter that a better one reports at the same time. */
void kind_doubts_left_out(struct kind_doubts *doubts, const struct kind_family *family);
/* It reports a power, which counts, as energy. */
void kind_doubts_power(struct kind_doubts *doubts, const struct metric_series *series);

/* It shows another's counter once more. */
struct attribution;
void kind_doubts_mirror(struct kind_doubts *doubts, const struct metric_series *series,
                        const struct attribution *attribution);
/* still: it is a node whose counters did not move. */
void kind_doubts_row(struct kind_doubts *doubts, const struct workload_row *row, bool still);
void kind_doubts_tell(const struct kind_doubts *doubts, struct notices *notices);

#endif
