# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libbenchmark.a
%C%_libbenchmark_a_SOURCES = \
  %D%/benchmark.c %D%/benchmark.h %D%/benchmark_rows.c %D%/benchmark_rows.h %D%/cargo_criterion.c %D%/criterion.c %D%/hyperfine.c %D%/jmh.c \
  %D%/pytest_benchmark.c %D%/reader.h %D%/readers.c
