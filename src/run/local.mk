# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/librun.a
%C%_librun_a_SOURCES = \
  %D%/capture.c %D%/capture.h %D%/cpus.c %D%/cpus.h %D%/environment.c %D%/environment.h %D%/exec_error.c \
  %D%/exec_error.h %D%/job.c %D%/job.h %D%/job_child.c %D%/job_parts.h %D%/landlock.c %D%/landlock.h %D%/mark_line.c \
  %D%/mark_line.h %D%/marks.c %D%/marks.h %D%/node_list.c %D%/node_list.h %D%/pattern.c %D%/pattern.h \
  %D%/pattern_program.h %D%/pattern_read.c %D%/privileges.c %D%/privileges.h %D%/side_command.c %D%/side_command.h \
  %D%/side_process.c %D%/side_process.h %D%/signals.c %D%/signals.h %D%/slurm_job.c %D%/slurm_job.h \
  %D%/system_calls.c %D%/system_calls.h
