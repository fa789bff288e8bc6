/* SPDX-License-Identifier: MIT
 * Results of benchmark tools, whichever tool wrote them. Used in commands/compare and
 * commands/join. Begin with benchmarks_read(). */
#ifndef BENCHMARK_BENCHMARK_H
#define BENCHMARK_BENCHMARK_H

#include "benchmark/benchmark_rows.h"

/* A file, or of Criterion the folder target/criterion. Fails where no tool's form is known in it, or it has no row.
 * Given to benchmarks_close, after a failure too. */
bool benchmarks_read(const char *path, struct benchmarks *benchmarks, struct error *err) MUST_CHECK;

#endif
