# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libmeasurement.a
%C%_libmeasurement_a_SOURCES = \
  %D%/attach.c %D%/attach.h %D%/bottleneck.c %D%/bottleneck.h %D%/busy.c %D%/busy.h %D%/constant.c %D%/cpu_share.c \
  %D%/cpu_share.h %D%/cpu_sums.c %D%/cpu_sums.h %D%/cross_windows.c %D%/domain_notices.c %D%/domain_notices.h \
  %D%/energies.c %D%/gpu_notices.c %D%/gpu_notices.h %D%/gpu_watch.c %D%/gpu_watch.h %D%/idle.c %D%/idle.h \
  %D%/measurement.c %D%/measurement.h %D%/noise.c %D%/noise.h %D%/own_runs.c %D%/own_runs.h %D%/owns.c %D%/owns.h \
  %D%/part_watts.c %D%/part_watts.h %D%/phase_summary.c %D%/phase_summary.h %D%/phases.c %D%/phases.h %D%/power.c \
  %D%/power.h %D%/run_series.c %D%/run_series.h %D%/schedule.c %D%/schedule.h %D%/slices.c %D%/slices.h \
  %D%/statistics.c %D%/statistics.h %D%/summary.c %D%/watcher.c %D%/watcher.h %D%/workload.c %D%/workload.h \
  %D%/workload_plan.c %D%/workload_plan.h %D%/workload_step.c %D%/workload_step.h
