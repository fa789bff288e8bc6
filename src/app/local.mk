# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libapp.a
%C%_libapp_a_SOURCES = \
  %D%/attach_options.c %D%/attach_options.h %D%/campaign.c %D%/campaign.h %D%/captured_output.c %D%/captured_output.h \
  %D%/ci_options.c %D%/ci_options.h %D%/command_files.c %D%/command_files.h %D%/command_work.c %D%/command_work.h \
  %D%/container_job.c %D%/container_job.h %D%/container_names.c %D%/container_names.h \
  %D%/csv_file.c %D%/csv_file.h %D%/estimate_cpu.c \
  %D%/estimate_footprint.c %D%/estimate_gpu.c %D%/estimate_steps.h %D%/gate_status.h %D%/ledger_options.c \
  %D%/ledger_options.h %D%/live_machine.c %D%/live_machine.h %D%/load_command.c %D%/load_command.h \
  %D%/pending_signals.c %D%/pending_signals.h %D%/profile_slopes.c %D%/profile_slopes.h %D%/prometheus_server.c \
  %D%/prometheus_server.h %D%/quiet.c %D%/quiet.h %D%/record_files.c %D%/record_files.h %D%/result_file.c \
  %D%/result_file.h %D%/result_forms.c %D%/result_forms.h %D%/run_options.c %D%/run_options.h %D%/session.c \
  %D%/session.h %D%/style.c %D%/style.h %D%/terminal.c %D%/terminal.h %D%/version.c %D%/version.h %D%/work_folders.c \
  %D%/work_folders.h
