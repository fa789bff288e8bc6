# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libslurm.a
%C%_libslurm_a_SOURCES = \
  %D%/cmd_merge.c %D%/cmd_slurm.c %D%/job_energy.c %D%/job_energy.h %D%/merge.c %D%/merge.h %D%/merge_fields.c \
  %D%/merge_read.c %D%/merge_text.c %D%/node_bounds.c %D%/sacct.c %D%/sacct.h %D%/sacct_fields.c %D%/sacct_fields.h \
  %D%/sacct_times.c %D%/sacct_times.h %D%/slurm_ask.c %D%/slurm_fields.c %D%/slurm_model.c %D%/slurm_share.c \
  %D%/slurm_text.c %D%/slurm_work.h
