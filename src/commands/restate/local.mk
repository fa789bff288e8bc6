# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/librestate.a
%C%_librestate_a_SOURCES = \
  %D%/cmd_restate.c %D%/cmd_verify.c %D%/sample_slices.c %D%/sample_slices.h %D%/standing.c %D%/verify.c \
  %D%/verify.h %D%/verify_fields.c
