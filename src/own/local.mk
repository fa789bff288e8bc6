# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libown.a
%C%_libown_a_SOURCES = \
  %D%/learnt.c %D%/learnt.h %D%/own.c %D%/own.h %D%/own_bounds.c %D%/own_bounds.h %D%/own_method.c %D%/own_method.h \
  %D%/possible.c %D%/possible.h %D%/regression.c %D%/regression.h %D%/regression_doubt.c %D%/regression_steps.h \
  %D%/strides.c %D%/strides.h
