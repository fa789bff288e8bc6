# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libseries.a
%C%_libseries_a_SOURCES = \
  %D%/api.c %D%/api.h %D%/api_answer.c %D%/api_answer.h %D%/attribution.h %D%/exposition.c %D%/exposition.h \
  %D%/increase.c %D%/increase.h %D%/kind.c %D%/kind.h %D%/kind_choice.c %D%/kind_choice.h %D%/kind_doubts.c \
  %D%/kind_doubts.h %D%/kind_figures.c %D%/kind_figures.h %D%/kind_labels.c %D%/kind_prepare.c %D%/metric_series.c \
  %D%/metric_series.h %D%/workload_rows.c
