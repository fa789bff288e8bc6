/* SPDX-License-Identifier: MIT
 * Rows of benchmark tools: the operation, and its duration. Used in benchmark, commands/compare and commands/join.
 * Begin with struct benchmark_row. */
#ifndef BENCHMARK_BENCHMARK_ROWS_H
#define BENCHMARK_BENCHMARK_ROWS_H

#include "io/json_read.h"

/* One row. Unknown is NAN. */
struct benchmark_row {
    char *name;         /* as the tool calls it, parameters included */
    char *command;      /* for a shell; NULL: the tool does not write one */
    double s;           /* of the job for one operation: with several threads, between two that end */
    double deviation_s; /* standard deviation of the same */
    double total_s;     /* of all operations that it is the mean of */
};

struct benchmarks {
    const char *tool; /* "hyperfine" */
    struct benchmark_row *rows;
    size_t count, room;
};

/* A row whose times are not known yet; NULL: no memory. The name is copied; an empty one is "row 3". */
struct benchmark_row *benchmarks_add(struct benchmarks *benchmarks, const char *name, struct error *err) MUST_CHECK;

/* What follows a row's name: " (size=10, kind=a)". The members of an object; none for another kind of value. */
bool benchmark_name_params(struct benchmark_row *row, const struct cJSON *params, struct error *err) MUST_CHECK;

/* A number above 0; NAN for all others. */
double benchmark_time_of(const struct cJSON *object, const char *key);

/* Of the numbers of an array; NAN for all others. */
double benchmark_sum(const struct cJSON *array);

void benchmarks_close(struct benchmarks *benchmarks);

#endif
