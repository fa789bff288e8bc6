# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libstored.a
%C%_libstored_a_SOURCES = \
  %D%/record_load.c %D%/record_load.h %D%/record_load_hourly.c %D%/record_load_meter.c %D%/record_load_strides.c \
  %D%/record_load_windows.c %D%/stored_record.c %D%/stored_record.h %D%/stored_record_comparable.c
