/* SPDX-License-Identifier: MIT
 * The records of one job's nodes and tasks as one result, in which each node's energy is counted once. */
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

/* Energies and masses. Unknown is NAN. */
struct merge_sum {
    double gross_j, idle_j, net_j, gross_low_j, gross_high_j; /* low and high: gross itself where it was measured */
    double facility_kwh, gross_kgco2eq, net_kgco2eq;
    double own_j, own_low_j, own_high_j, own_kgco2eq; /* low and high: own itself where it has no range */
};

/* A time in which a node was measured; of a record one for each run that counts. */
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
    double net_half_j;           /* half of the 95 % interval of its net energy in all; NAN: it has none */
    double pue, kgco2eq_per_kwh; /* that its masses were worked out with */
    enum quality quality;
    enum own_method own_method;
    bool complete, recorded_tree;
    struct merge_sum all; /* sum of all windows */
    double counted;       /* the part of its time that is in the sum, 0 to 1 */
};

struct merge_node {
    char name[128]; /* the node's name; the file's name where the record has none */
    char boot_id[40], start[33];
    bool named; /* the record says it */
    size_t records;
    int64_t tasks; /* that were to be there; -1 unknown */
    uint64_t start_ns, end_ns;
    double duration_s; /* in which it was measured, counted once */
    enum quality quality;
    enum own_method own_method; /* the least good of its records' */
    struct merge_sum sum;
    double overlap_j; /* gross energy measured by several records; it is counted once in the sum */
};

struct merge {
    struct merge_part *parts;
    size_t part_count;
    struct merge_node *nodes;
    size_t node_count;
    int64_t nodes_expected; /* -1 unknown */
    struct slurm_job job;   /* what the records agree in; known: they are of one job */
    uint64_t start_ns, end_ns;
    enum quality quality; /* the worst of them */
    enum own_method own_method;
    bool recorded_tree; /* one of them is of a recorded machine */
    struct merge_sum sum;
    double overlap_j;
    struct interval net_interval_j; /* 95 %; NAN where a record has none, or is in the sum in part */
    struct notices notices;
};

/* merge_read.c: reads a record and adds it; one that is there already, or another form of one that is, is counted once
 * and noticed. */
bool merge_read(struct merge *merge, const char *path, struct error *err) MUST_CHECK;

/* Works out the rest. nodes: how many there should be, where the user says so; 0: as the records say. False: no
 * memory. */
bool merge_finish(struct merge *merge, int64_t nodes, struct error *err) MUST_CHECK;
void merge_close(struct merge *merge);

extern const struct schema merge_schema;

/* Forms. False: no memory; a stream that fails is the caller's. */
bool merge_json(const struct merge *merge, FILE *out, struct error *err) MUST_CHECK;
bool merge_csv(const struct merge *merge, FILE *out, struct error *err) MUST_CHECK;
void merge_text(const struct merge *merge, FILE *out);

#endif
