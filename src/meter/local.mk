# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libmeter.a
%C%_libmeter_a_SOURCES = \
  %D%/borrowed.c %D%/borrowed.h %D%/contradiction.c %D%/contradiction.h %D%/contradiction_groups.c \
  %D%/contradiction_groups.h %D%/contradiction_pairs.c %D%/contradiction_pairs.h %D%/counter.c %D%/cross_check.c \
  %D%/cross_check.h %D%/domain.c %D%/gpu_split.c %D%/gpu_split.h %D%/hole.c %D%/job_gpus.c %D%/meter.c %D%/meter.h \
  %D%/meter_open.c %D%/mirrors.c %D%/mirrors.h %D%/scope.c %D%/scope.h %D%/scope_notices.c %D%/scope_parts.h \
  %D%/still.c %D%/stretch.c %D%/window.c %D%/window.h
