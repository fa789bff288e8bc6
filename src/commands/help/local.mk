# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libhelp.a
%C%_libhelp_a_SOURCES = \
  %D%/cmd_config.c %D%/cmd_help.c %D%/complete.c %D%/config.c %D%/config.h %D%/help.c %D%/help.h %D%/help_schema.c \
  %D%/manual.c
