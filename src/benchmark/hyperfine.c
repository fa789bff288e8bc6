/* SPDX-License-Identifier: MIT
 * hyperfine: {"results": [{"command", "mean", "stddev", "times", "parameters"}]}, in seconds. */
#include "benchmark/reader.h"

#include <string.h>

static bool knows(const struct cJSON *document)
{
    const struct cJSON *first = json_first(json_member(document, "results"));

    return json_is_array(json_member(document, "results")) &&
           (!first || (*json_text_of(first, "command") && json_is_array(json_member(first, "times"))));
}

static bool read_results(const struct cJSON *document, const char *path, struct benchmarks *benchmarks,
                         struct error *err)
{
    (void)path;
    for (const struct cJSON *item = json_first(json_member(document, "results")); item; item = json_next(item)) {
        const char *command = json_text_or_null(item, "command");
        struct benchmark_row *row = benchmarks_add(benchmarks, command ? command : "", err);

        if (!row)
            return false;
        row->command = command ? strdup(command) : NULL;
        if (command && !row->command)
            return error_errno(err, "no memory for a command");
        row->s = benchmark_time_of(item, "mean");
        row->deviation_s = json_number_of(item, "stddev");
        row->total_s = benchmark_sum(json_member(item, "times"));
        if (!benchmark_name_params(row, json_member(item, "parameters"), err))
            return false;
    }
    return true;
}

const struct benchmark_reader hyperfine_reader = { "hyperfine", "hyperfine --export-json FILE", knows, read_results };
