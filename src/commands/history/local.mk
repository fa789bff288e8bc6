# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libhistory.a
%C%_libhistory_a_SOURCES = \
  %D%/cmd_history.c %D%/cmd_import.c %D%/cmd_ledger.c %D%/cmd_recover.c %D%/codecarbon.h %D%/codecarbon_layout.c \
  %D%/codecarbon_layout.h %D%/codecarbon_log.c %D%/codecarbon_read.c %D%/codecarbon_runs.c %D%/codecarbon_values.c \
  %D%/history.h %D%/history_fields.c %D%/history_show.c %D%/history_text.c %D%/import.h %D%/import_files.c \
  %D%/import_sum.c %D%/import_sum.h %D%/imported.c %D%/imported.h %D%/imported_fields.c %D%/imported_text.c \
  %D%/record_from_samples.c %D%/record_from_samples.h %D%/series_line.c %D%/series_line.h
