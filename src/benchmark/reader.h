/* SPDX-License-Identifier: MIT
 * The form of one benchmark tool: a file NAME.c with a const struct benchmark_reader, and a line in readers.c. Used in
 * benchmark. Begin with struct benchmark_reader. */
#ifndef BENCHMARK_READER_H
#define BENCHMARK_READER_H

#include "benchmark/benchmark_rows.h"

struct benchmark_reader {
    const char *tool; /* "hyperfine" */
    const char *how;  /* how its file is made: "hyperfine --export-json FILE" */

    bool (*knows)(const struct cJSON *document);

    /* Adds the rows of a document, which may be none. */
    bool (*read)(const struct cJSON *document, const char *path, struct benchmarks *benchmarks,
                 struct error *err) MUST_CHECK;
};

/* NULL-ended. */
extern const struct benchmark_reader *const benchmark_readers[];

/* criterion.c: each NAME/new/estimates.json below a folder, in the order of the names. */
bool criterion_read_folder(const char *path, struct benchmarks *benchmarks, struct error *err) MUST_CHECK;

#endif
