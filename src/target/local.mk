# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libtarget.a
%C%_libtarget_a_SOURCES = \
  %D%/pod_group.c %D%/pod_group.h %D%/target.c %D%/target.h %D%/target_cgroup.c %D%/target_coming.c \
  %D%/target_container.c %D%/target_container.h %D%/target_groups.c %D%/target_groups.h %D%/target_made.c \
  %D%/target_made.h %D%/target_parts.c %D%/target_parts.h %D%/target_pod.c %D%/target_pod.h %D%/target_process.c \
  %D%/target_stats.c %D%/target_stats.h
