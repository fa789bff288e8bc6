/* SPDX-License-Identifier: MIT
 * The energy of a record, joined to the rows of the benchmark tool that it measured: joules per operation. Used in
 * commands/join. Begin with join_work_out(). */
#ifndef COMMANDS_JOIN_JOIN_H
#define COMMANDS_JOIN_JOIN_H

#include "benchmark/benchmark.h"
#include "form/field.h"
#include "result/answer.h"

#define JOIN_SCHEMA "carbon.join/1"

/* One operation of a benchmark. Unknown is NAN. */
struct join_row {
    const char *name;
    double s_per_operation, deviation_s, total_s; /* times as the tool has them */
    bool by_phase;                                /* power_w is that of the phase of this name; else the whole run's */
    double power_w;
    double j_per_operation, low_j_per_operation, high_j_per_operation, gross_j_per_operation;
    double kgco2eq_per_operation, see_kwh_per_operation, sci_kgco2eq_per_operation;
};

struct join {
    const struct report *report;
    const char *tool;
    enum figure figure;
    enum quality quality;
    double duration_s, power_w; /* mean run */
    double covered;             /* share of that time that the rows' operations took */
    struct join_row *rows;
    size_t count;
    struct notices notices; /* without the record's own, which are in report */
};

/* Both are borrowed. Given to join_close, after a failure too. */
bool join_work_out(struct join *join, const struct report *report, const struct benchmarks *benchmarks,
                   struct error *err) MUST_CHECK;
void join_close(struct join *join);

/* join_text.c */
struct table_style;
void join_text(const struct join *join, const struct table_style *style, FILE *out);

/* join_fields.c */
extern const struct schema join_schema;
void join_csv(const struct join *join, FILE *out);

#endif
