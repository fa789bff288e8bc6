# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libestimate.a
%C%_libestimate_a_SOURCES = \
  %D%/cmd_estimate.c %D%/estimate_text.c
