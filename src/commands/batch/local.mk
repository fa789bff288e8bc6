# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libbatch.a
%C%_libbatch_a_SOURCES = \
  %D%/batch.c %D%/batch.h %D%/batch_answer.c %D%/batch_charts.c %D%/batch_fields.c %D%/batch_files.c \
  %D%/batch_files.h %D%/batch_fink.c %D%/batch_html.c %D%/batch_list.c %D%/batch_list.h %D%/batch_result.c %D%/batch_resume.c \
  %D%/batch_text.c %D%/batch_work.h %D%/cmd_batch.c %D%/module_answer.c %D%/module_answer.h
