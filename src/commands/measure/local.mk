# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libmeasure.a
%C%_libmeasure_a_SOURCES = \
  %D%/cmd_measure.c %D%/measure_gate.c %D%/measure_gate.h %D%/measure_push.c %D%/measure_push.h \
  %D%/slurm_names.c %D%/slurm_names.h
