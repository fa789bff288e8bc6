/* SPDX-License-Identifier: MIT
 * pytest-benchmark: {"benchmarks": [{"fullname", "stats": {"mean", "stddev", "total", "iterations"}}]}, in seconds of
 * one iteration; total sums the rounds, each by the mean of its iterations. */
#include "benchmark/reader.h"

static bool knows(const struct cJSON *document)
{
    return json_is_array(json_member(document, "benchmarks")) && !json_is_null(json_member(document, "machine_info"));
}

static bool read_benchmarks(const struct cJSON *document, const char *path, struct benchmarks *benchmarks,
                            struct error *err)
{
    (void)path;
    for (const struct cJSON *item = json_first(json_member(document, "benchmarks")); item; item = json_next(item)) {
        const struct cJSON *stats = json_member(item, "stats");
        const char *name = json_text_of(item, "fullname");
        struct benchmark_row *row = benchmarks_add(benchmarks, *name ? name : json_text_of(item, "name"), err);

        if (!row)
            return false;
        row->s = benchmark_time_of(stats, "mean");
        row->deviation_s = json_number_of(stats, "stddev");
        row->total_s = benchmark_time_of(stats, "total") * benchmark_time_of(stats, "iterations");
    }
    return true;
}

const struct benchmark_reader pytest_benchmark_reader = { "pytest-benchmark", "pytest --benchmark-json FILE", knows,
                                                          read_benchmarks };
