# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libcommands.a
%C%_libcommands_a_SOURCES = \
  %D%/commands.c
