# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libfactors.a
%C%_libfactors_a_SOURCES = \
  %D%/cloud_list.c %D%/cloud_list.h %D%/cmd_factors.c %D%/factors.h %D%/factors_clouds.c %D%/factors_clouds_forms.c \
  %D%/factors_compare.c %D%/factors_fields.c %D%/factors_live.c %D%/factors_live_fields.c %D%/factors_live_text.c \
  %D%/factors_text.c %D%/mix.c %D%/mix.h
