# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libmeter.a
%C%_libmeter_a_SOURCES = \
  %D%/borrowed.c %D%/borrowed.h %D%/counter.c %D%/domain.c %D%/hole.c %D%/job_gpus.c %D%/meter.c %D%/meter.h \
  %D%/scope.c %D%/scope.h %D%/still.c %D%/stretch.c
