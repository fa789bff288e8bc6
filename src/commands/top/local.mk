# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libtop.a
%C%_libtop_a_SOURCES = \
  %D%/cmd_top.c %D%/top.h %D%/top_fields.c %D%/top_keys.c %D%/top_loop.c %D%/top_loop.h %D%/top_notices.c \
  %D%/top_options.c %D%/top_options.h %D%/top_terminal.c %D%/top_terminal.h %D%/top_text.c %D%/top_view.c
