/* SPDX-License-Identifier: MIT
 * Rows of benchmark tools: the tool of a file, and its rows. */
#include "benchmark/benchmark.h"

#include "base/auto.h"
#include "base/text.h"
#include "benchmark/reader.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct benchmark_reader *reader_of(const struct cJSON *document)
{
    for (size_t i = 0; benchmark_readers[i]; i++)
        if (benchmark_readers[i]->knows(document))
            return benchmark_readers[i];
    return NULL;
}

static bool fail_unknown(const char *path, struct error *err)
{
    struct text text;

    error_set(err, ERROR_BAD_DATA, "'%.200s' is not a result of a known benchmark tool", path);
    text_open(&text, SIZE_MAX);
    for (size_t i = 0; benchmark_readers[i]; i++)
        text_add(&text, "%s%s", i ? "; " : "", benchmark_readers[i]->how);
    error_why(err, "the forms of these are read: %s", text.data ? text.data : "");
    text_close(&text);
    return error_fix(err, "give a file that one of them wrote");
}

/* Some tools write several documents, a line each. */
static bool read_file(const char *path, struct benchmarks *benchmarks, struct error *err)
{
    AUTO_FREE char *text = json_read_text(path, err);
    const char *rest = text;
    bool good = text;

    while (good && *rest) {
        struct cJSON *document = json_parse_next(&rest, path, err);
        const struct benchmark_reader *reader = reader_of(document);

        good = document && (reader || fail_unknown(path, err)) && reader->read(document, path, benchmarks, err);
        if (good)
            benchmarks->tool = reader->tool;
        json_close(document);
    }
    return good;
}

/* What a tool wrote by mistake, or others in its place, is unknown. */
static void drop_impossible(struct benchmarks *benchmarks)
{
    for (size_t i = 0; i < benchmarks->count; i++) {
        struct benchmark_row *row = &benchmarks->rows[i];

        row->s = row->s > 0 && isfinite(row->s) ? row->s : NAN;
        row->deviation_s = row->deviation_s >= 0 && isfinite(row->deviation_s) ? row->deviation_s : NAN;
        row->total_s = row->total_s >= 0 && isfinite(row->total_s) ? row->total_s : NAN;
    }
}

bool benchmarks_read(const char *path, struct benchmarks *benchmarks, struct error *err)
{
    struct stat status;

    *benchmarks = (struct benchmarks){ .count = 0 };
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        benchmarks->tool = "Criterion";
        if (!criterion_read_folder(path, benchmarks, err))
            return false;
    } else if (!read_file(path, benchmarks, err)) {
        return false;
    }
    drop_impossible(benchmarks);
    if (benchmarks->count)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%.200s' has no benchmark", path);
    error_why(err, S_ISDIR(status.st_mode) ? "no NAME/new/estimates.json is below it" : "%s ran none",
              benchmarks->tool);
    return error_fix(err, S_ISDIR(status.st_mode) ? "give the folder that 'cargo bench' wrote: target/criterion"
                                                  : "run the benchmarks again, and give the file that they write");
}
