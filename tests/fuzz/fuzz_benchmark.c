/* SPDX-License-Identifier: MIT
 * Results of benchmark tools: 'f' a file, 'd' a folder of Criterion, of paths and contents that end in NUL. */
#include "folder.h"

#include "benchmark/benchmark.h"

#include <math.h>

static bool is_time(double s)
{
    return isnan(s) || (s > 0 && isfinite(s));
}

static void try_path(const char *path)
{
    struct benchmarks benchmarks;
    struct error err = { .kind = ERROR_NONE };

    if (benchmarks_read(path, &benchmarks, &err)) {
        FUZZ_MUST(benchmarks.count > 0 && benchmarks.tool);
        for (size_t i = 0; i < benchmarks.count; i++) {
            FUZZ_MUST(benchmarks.rows[i].name && *benchmarks.rows[i].name);
            FUZZ_MUST(is_time(benchmarks.rows[i].s));
            FUZZ_MUST(!(benchmarks.rows[i].deviation_s < 0) && !(benchmarks.rows[i].total_s < 0));
        }
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    benchmarks_close(&benchmarks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const uint64_t kind = input_number(&input, 1);
    char path[300];

    folder_open();
    const int next_fd = fuzz_next_fd();
    snprintf(path, sizeof path, "%s%s", folder.path, kind == 'd' ? "" : "/results");
    if (kind == 'd') {
        while (input_left(&input)) {
            char *name = input_text(&input), *content = input_text(&input);

            folder_put(name, content);
            free(name);
            free(content);
        }
    } else {
        folder_write("results", input.at, input_left(&input), true);
    }
    try_path(path);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
