/* SPDX-License-Identifier: MIT
 * Rows of benchmark tools: how they are put together. */
#include "benchmark/benchmark_rows.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct benchmark_row *benchmarks_add(struct benchmarks *benchmarks, const char *name, struct error *err)
{
    struct benchmark_row *row;
    char number[32];

    benchmarks->rows = array_room(benchmarks->rows, &benchmarks->room, benchmarks->count + 1, sizeof *row);
    if (benchmarks->room == benchmarks->count) {
        error_errno(err, "no memory for %zu benchmarks", benchmarks->count + 1);
        return NULL;
    }
    snprintf(number, sizeof number, "row %zu", benchmarks->count + 1);
    row = &benchmarks->rows[benchmarks->count];
    *row =
        (struct benchmark_row){ .name = strdup(*name ? name : number), .s = NAN, .deviation_s = NAN, .total_s = NAN };
    if (!row->name) {
        error_errno(err, "no memory for the name of a benchmark");
        return NULL;
    }
    benchmarks->count++;
    return row;
}

bool benchmark_name_params(struct benchmark_row *row, const struct cJSON *params, struct error *err)
{
    const char *before = " (";
    struct text text;
    bool good;

    if (json_kind(params) != JSON_OBJECT || !json_items(params))
        return true;
    text_open(&text, SIZE_MAX);
    text_add(&text, "%s", row->name);
    for (const struct cJSON *item = json_items(params); item; item = json_next(item), before = ", ") {
        char number[TEXT_NUMBER_SIZE];

        text_add(&text, "%s%s=%s", before, json_key(item),
                 json_kind(item) == JSON_NUMBER ? text_number(json_number(item), number) : json_text(item));
    }
    text_add(&text, ")");
    good = text_ok(&text);
    if (good) {
        free(row->name);
        row->name = text.data;
    } else {
        text_close(&text);
    }
    return good || error_errno(err, "no memory for the name of a benchmark");
}

double benchmark_time_of(const struct cJSON *object, const char *key)
{
    const double value = json_number_of(object, key);

    return value > 0 && isfinite(value) ? value : NAN;
}

double benchmark_sum(const struct cJSON *array)
{
    double sum = 0;

    if (!json_is_array(array))
        return NAN;
    for (const struct cJSON *item = json_first(array); item; item = json_next(item))
        sum += json_number(item);
    return sum;
}

void benchmarks_close(struct benchmarks *benchmarks)
{
    for (size_t i = 0; i < benchmarks->count; i++) {
        free(benchmarks->rows[i].name);
        free(benchmarks->rows[i].command);
    }
    free(benchmarks->rows);
    *benchmarks = (struct benchmarks){ .count = 0 };
}
