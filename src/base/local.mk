# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libbase.a
%C%_libbase_a_SOURCES = \
  %D%/array.h %D%/auto.h %D%/c_locale.c %D%/c_locale.h %D%/cache.c %D%/cache.h %D%/clock.c %D%/clock.h %D%/cores.c \
  %D%/cores.h %D%/cpu_ticks.c %D%/cpu_ticks.h %D%/csv.c %D%/csv.h %D%/csv_library.h %D%/csv_linked.c %D%/data.c \
  %D%/data.h %D%/debug.c %D%/debug.h %D%/error.c %D%/error.h %D%/library.c %D%/library.h %D%/machine.c %D%/machine.h \
  %D%/machine_cpus.c %D%/machine_guest.c %D%/machine_parts.h %D%/near.c %D%/near.h %D%/notice.c %D%/notice.h \
  %D%/notice_kind.c %D%/notice_kind.h %D%/pfm_names.c %D%/pfm_names.h %D%/process.c %D%/process.h %D%/quality.c \
  %D%/quality.h %D%/quantity.c %D%/quantity.h %D%/redact.c %D%/redact.h %D%/root.c %D%/root.h %D%/shipped.c \
  %D%/shipped.h %D%/spread.c %D%/spread.h %D%/text.c %D%/text.h %D%/units.c %D%/units.h %D%/utf8.c %D%/utf8.h
