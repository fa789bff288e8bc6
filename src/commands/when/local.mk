# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libwhen.a
%C%_libwhen_a_SOURCES = \
  %D%/cmd_when.c %D%/sleep_until.c %D%/sleep_until.h %D%/start_time.c %D%/start_time.h %D%/when.h %D%/when_advice.c \
  %D%/when_answer.c %D%/when_fields.c %D%/when_grid.c %D%/when_like.c %D%/when_options.c %D%/when_text.c
