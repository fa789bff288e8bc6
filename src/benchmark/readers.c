/* SPDX-License-Identifier: MIT
 * The benchmark tools whose forms are read. */
#include "benchmark/reader.h"

/* clang-format off: one a line */
extern const struct benchmark_reader cargo_criterion_reader, criterion_reader, hyperfine_reader, jmh_reader,
    pytest_benchmark_reader;

const struct benchmark_reader *const benchmark_readers[] = {
    &hyperfine_reader, &pytest_benchmark_reader, &criterion_reader, &cargo_criterion_reader, &jmh_reader, NULL,
};
/* clang-format on */
