# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libestimate.a
%C%_libestimate_a_SOURCES = \
  %D%/estimate.h %D%/estimate_fields.c
