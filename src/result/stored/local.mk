# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libstored.a
%C%_libstored_a_SOURCES = \
  %D%/past.c %D%/past.h %D%/past_comparable.c %D%/rebuild.c %D%/rebuild.h %D%/rebuild_hourly.c %D%/rebuild_meter.c \
  %D%/rebuild_strides.c %D%/rebuild_windows.c
