/* SPDX-License-Identifier: MIT
 * JMH: [{"benchmark", "mode", "threads", "params", "primaryMetric": {"score", "scoreUnit", "rawData"}}]. Throughput is
 * that of all threads together; a time of an operation is one thread's. */
#include "benchmark/reader.h"

#include "base/parse_quantity.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

static bool knows(const struct cJSON *document)
{
    const struct cJSON *first = json_first(document);

    return json_is_array(document) && *json_text_of(first, "benchmark") &&
           !json_is_null(json_member(first, "primaryMetric"));
}

/* Of a name as JMH writes it; NAN for all others. */
static double unit_s(const char *name, size_t length)
{
    static const struct {
        const char *name;
        double s;
    } units[] = { { "ns", 1 / NS_PER_S }, { "us", 1e-6 },    { "ms", 1e-3 },         { "s", 1 },
                  { "min", 60 },          { "hr", 60 * 60 }, { "day", 24 * 60 * 60 } };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0)
            return units[i].s;
    return NAN;
}

/* Seconds of the job for one operation, where a score is "ops/ms" or "us/op". */
static double seconds_of(double score, const char *unit, double threads)
{
    const size_t length = strcspn(unit, "/");

    if (strncmp(unit, "ops/", strlen("ops/")) == 0)
        return unit_s(unit + strlen("ops/"), strlen(unit + strlen("ops/"))) / score;
    return strcmp(unit + length, "/op") == 0 ? score * unit_s(unit, length) / threads : NAN;
}

/* The mean and deviation of all iterations of all forks. */
static void take_spread(const struct cJSON *forks, const char *unit, double threads, struct benchmark_row *row)
{
    double sum = 0, squares = 0, count = 0;

    for (const struct cJSON *fork = json_first(forks); fork; fork = json_next(fork))
        for (const struct cJSON *item = json_first(fork); item; item = json_next(item)) {
            const double s = seconds_of(json_number(item), unit, threads);
            sum += s;
            squares += s * s;
            count++;
        }
    if (count > 1 && isfinite(sum))
        row->deviation_s = sqrt(fmax(0, (squares - sum * sum / count) / (count - 1)));
}

/* Iterations that last a time of their own: "10 s". */
static double total_of(const struct cJSON *item)
{
    const char *time = json_text_of(item, "measurementTime"), *unit = strchr(time, ' ');
    double each_s = NAN;

    if (unit && quantity_of(QUANTITY_SECONDS, time, &each_s))
        return each_s * benchmark_time_of(item, "measurementIterations") * benchmark_time_of(item, "forks");
    return NAN;
}

/* One method can have a row of each mode. */
static struct benchmark_row *add_named(const struct cJSON *item, struct benchmarks *benchmarks, struct error *err)
{
    struct benchmark_row *row;
    struct text name;

    text_open(&name, SIZE_MAX);
    text_add(&name, "%s [%s]", json_text_of(item, "benchmark"), json_text_of(item, "mode"));
    row = benchmarks_add(benchmarks, text_ok(&name) ? name.data : "", err);
    text_close(&name);
    return row;
}

static bool read_results(const struct cJSON *document, const char *path, struct benchmarks *benchmarks,
                         struct error *err)
{
    (void)path;
    for (const struct cJSON *item = json_first(document); item; item = json_next(item)) {
        const struct cJSON *metric = json_member(item, "primaryMetric");
        const char *unit = json_text_of(metric, "scoreUnit");
        const double threads = fmax(1, json_number_of(item, "threads"));
        struct benchmark_row *row = add_named(item, benchmarks, err);

        if (!row || !benchmark_name_params(row, json_member(item, "params"), err))
            return false;
        row->s = seconds_of(benchmark_time_of(metric, "score"), unit, threads);
        take_spread(json_member(metric, "rawData"), unit, threads, row);
        row->total_s = total_of(item);
    }
    return true;
}

const struct benchmark_reader jmh_reader = { "JMH", "java -jar benchmarks.jar -rf json", knows, read_results };
