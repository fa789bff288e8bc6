# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libpower.a
%C%_libpower_a_SOURCES = \
  %D%/board_power.c %D%/cloud_guest.c %D%/cloud_guest.h %D%/cloud_power.c %D%/cpu.h %D%/cpu_key.c %D%/cpu_named.c \
  %D%/cpu_power.c %D%/cpu_power.h %D%/cpu_search.c %D%/cpu_search.h %D%/cpu_similar.c %D%/cpu_tables.c \
  %D%/cpu_tables.h %D%/gpu_power.c %D%/gpu_power.h %D%/machine_profile.c %D%/machine_profile.h %D%/memory_power.c \
  %D%/modelled_machine.c %D%/modelled_machine.h %D%/power_curve.c %D%/power_curve.h %D%/profile_file.c \
  %D%/profile_power.c %D%/server_power.c %D%/server_tables.c %D%/server_tables.h %D%/wall_power.c %D%/words.c \
  %D%/words.h
