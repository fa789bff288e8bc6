# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libcompare.a
%C%_libcompare_a_SOURCES = \
  %D%/cmd_compare.c %D%/compare.h %D%/compare_files.c %D%/compare_live.c %D%/compare_records.c %D%/contenders.c \
  %D%/contenders.h %D%/contest.c %D%/contest.h %D%/contest_answer.c %D%/contest_fields.c %D%/contest_table.c \
  %D%/parameters.c %D%/parameters.h
