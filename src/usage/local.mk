# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libusage.a
%C%_libusage_a_SOURCES = \
  %D%/cgroup.c %D%/cgroup1.c %D%/cgroup_figures.c %D%/cgroup_figures.h %D%/cgroup_now.c %D%/cgroup_now.h \
  %D%/cgroup_place.c %D%/cgroup_place.h %D%/cgroup_tree.c %D%/cgroup_tree.h %D%/container_net.c %D%/container_net.h \
  %D%/cpu_time.c %D%/fill.h %D%/group_maker.c %D%/group_maker.h %D%/group_name.c %D%/group_name.h %D%/hardware.c \
  %D%/hardware_events.c %D%/hardware_events.h %D%/machine_counter.c %D%/machine_counter.h %D%/process_tree.c \
  %D%/process_tree.h %D%/process_usage.c %D%/root_group.c %D%/root_group.h %D%/sizing.c %D%/sizing.h \
  %D%/task_counter.c %D%/task_counter.h %D%/touched.c %D%/usage.h %D%/usage_drivers.c
