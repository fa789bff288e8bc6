# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libcompare.a
%C%_libcompare_a_SOURCES = \
  %D%/candidates.c %D%/candidates.h %D%/cmd_compare.c %D%/compare.h %D%/compare_files.c %D%/compare_live.c \
  %D%/compare_records.c %D%/comparison.c %D%/comparison.h %D%/comparison_answer.c %D%/comparison_fields.c \
  %D%/comparison_gate.c %D%/comparison_gate.h %D%/comparison_html.c %D%/comparison_judge.c %D%/comparison_text.c \
  %D%/parameter_scan.c %D%/parameter_scan.h
