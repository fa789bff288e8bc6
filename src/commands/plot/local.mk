# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libplot.a
%C%_libplot_a_SOURCES = \
  %D%/cmd_plot.c %D%/plot.c %D%/plot.h %D%/plot_batch.c %D%/plot_records.c %D%/timeline.c %D%/timeline.h \
  %D%/timeline_script.c %D%/timeline_text.c
