# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libcalibrate.a
%C%_libcalibrate_a_SOURCES = \
  %D%/calibrate.h %D%/calibrate_apart.c %D%/calibrate_fit.c %D%/calibrate_fit.h %D%/calibrate_measure.c \
  %D%/calibrate_plan.c %D%/calibrate_plan.h %D%/calibrate_show.c %D%/calibrate_store.c %D%/cmd_calibrate.c
