# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libmeasure.a
%C%_libmeasure_a_SOURCES = \
  %D%/cluster.c %D%/cluster.h %D%/cmd_measure.c
