# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libprobe.a
%C%_libprobe_a_SOURCES = \
  %D%/cmd_probe.c %D%/load.c %D%/load.h %D%/load_cpu.c %D%/load_disk.c %D%/load_done.c %D%/load_done.h \
  %D%/load_memory.c %D%/load_worker.h %D%/power_breakdown.c %D%/power_breakdown.h %D%/probe.h %D%/probe_answer.c \
  %D%/probe_fields.c %D%/probe_measure.c %D%/probe_plan.c %D%/probe_plan.h %D%/probe_result.c %D%/probe_text.c %D%/probe_verdict_text.c \
  %D%/probe_work.h
