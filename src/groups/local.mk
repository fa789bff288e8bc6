# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libgroups.a
%C%_libgroups_a_SOURCES = \
  %D%/collector.c %D%/collector.h %D%/gpu_shares.c %D%/gpu_shares.h %D%/group_scan.c %D%/group_scan.h \
  %D%/group_titles.c %D%/group_titles.h %D%/groups.c %D%/groups.h %D%/own_idle.c %D%/own_idle.h %D%/process_names.c \
  %D%/process_names.h %D%/process_scan.c %D%/process_scan.h
