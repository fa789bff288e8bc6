/* SPDX-License-Identifier: MIT
 * The records of one job's nodes and tasks as one result, with each node's energy counted once. Used throughout
 * commands/slurm. Begin with merge_read(). */
#ifndef COMMANDS_SLURM_MERGE_H
#define COMMANDS_SLURM_MERGE_H

#include "base/notice.h"
#include "base/quality.h"
#include "measurement/statistics.h"
#include "own/own_method.h"
#include "run/slurm_job.h"

#include <stdint.h>
#include <stdio.h>

#define MERGE_SCHEMA "carbon.merge/1"

/* Energies and emissions. Unknown is NAN. */
struct merge_sum {
    double gross_j, idle_j, net_j, gross_low_j, gross_high_j; /* low and high: equal to gross if it was measured */
    double facility_kwh, gross_kgco2eq, net_kgco2eq;
    double own_j, own_low_j, own_high_j, own_kgco2eq; /* low and high: equal to own if it has no range */
};

/* A time in which a node was measured; one for each counted run of a record. */
struct merge_window {
    uint64_t start_ns, end_ns;
    struct merge_sum sum;
};

/* A record that was read. */
struct merge_part {
    char path[4096], id[40], parent_id[40], zone[96], source_id[64];
    struct slurm_job job;
    char start[33];        /* which start of which machine; "" */
    size_t node;           /* its index among the nodes */
    const char *node_name; /* and the name there, once finished */
    struct merge_window *windows;
    size_t window_count;
    double net_half_j;           /* half of the 95 % CI of its total net energy; NAN: none */
    double pue, kgco2eq_per_kwh; /* used for its emissions */
    enum quality quality;
    enum own_method own_method;
    bool complete, recorded_tree;
    struct merge_sum all; /* sum of all windows */
    double counted;       /* the part of its time in the sum, 0 to 1 */
};

struct merge_node {
    char name[128]; /* the node's name, or the file's name if the record has none */
    char boot_id[40], start[33];
    bool named; /* the record has the name */
    size_t records;
    int64_t tasks; /* expected number of tasks; -1 unknown */
    uint64_t start_ns, end_ns;
    double duration_s; /* time in which it was measured, counted once */
    enum quality quality;
    enum own_method own_method; /* the lowest of its records' */
    struct merge_sum sum;
    double overlap_j; /* gross energy measured by several records, counted once in the sum */
};

struct merge {
    struct merge_part *parts;
    size_t part_count;
    struct merge_node *nodes;
    size_t node_count;
    int64_t nodes_expected; /* -1 unknown */
    struct slurm_job job;   /* the common facts of the records; known: they belong to one job */
    uint64_t start_ns, end_ns;
    enum quality quality; /* the worst of them */
    enum own_method own_method;
    bool recorded_tree; /* one of them is of a recorded machine */
    struct merge_sum sum;
    double overlap_j;
    struct interval net_interval_j; /* 95 %; NAN if a record has none, or is partly in the sum */
    struct notices notices;
};

/* merge_read.c: reads a record and adds it; a duplicate, or another form of the same record, is counted once and
 * becomes a notice. */
bool merge_read(struct merge *merge, const char *path, struct error *err) MUST_CHECK;

/* Calculates the rest. nodes: expected number, from the user; 0: from the records. False: no memory. */
bool merge_finish(struct merge *merge, int64_t nodes, struct error *err) MUST_CHECK;
void merge_close(struct merge *merge);

extern const struct schema merge_schema;

/* Forms. False: no memory; a stream that fails is the caller's. */
bool merge_json(const struct merge *merge, FILE *out, struct error *err) MUST_CHECK;
bool merge_csv(const struct merge *merge, FILE *out, struct error *err) MUST_CHECK;
void merge_text(const struct merge *merge, FILE *out);

#endif
