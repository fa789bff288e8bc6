/* SPDX-License-Identifier: MIT
 * cargo-criterion: documents with a "reason", a line each; those of "benchmark-complete" have {"id", "mean":
 * {"estimate", "unit"}, "measured_values", "unit"}. */
#include "benchmark/reader.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

static bool knows(const struct cJSON *document)
{
    return *json_text_of(document, "reason");
}

/* Seconds of an amount in this unit; other measurements than time have other units. */
static double seconds_of(double amount, const char *unit)
{
    return strcmp(unit, "ns") == 0 ? amount / NS_PER_S : NAN;
}

static bool read_message(const struct cJSON *document, const char *path, struct benchmarks *benchmarks,
                         struct error *err)
{
    const struct cJSON *mean = json_member(document, "mean");
    struct benchmark_row *row;

    (void)path;
    if (strcmp(json_text_of(document, "reason"), "benchmark-complete") != 0)
        return true;
    row = benchmarks_add(benchmarks, json_text_of(document, "id"), err);
    if (!row)
        return false;
    row->s = seconds_of(benchmark_time_of(mean, "estimate"), json_text_of(mean, "unit"));
    row->total_s = seconds_of(benchmark_sum(json_member(document, "measured_values")), json_text_of(document, "unit"));
    return true;
}

const struct benchmark_reader cargo_criterion_reader = { "cargo-criterion", "cargo criterion --message-format=json",
                                                         knows, read_message };
