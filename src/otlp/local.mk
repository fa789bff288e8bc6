# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libotlp.a
%C%_libotlp_a_SOURCES = \
  %D%/otlp_names.c %D%/otlp_names.h %D%/otlp_points.c %D%/otlp_points.h %D%/otlp_push.c %D%/otlp_push.h \
  %D%/otlp_resource.c %D%/otlp_resource.h
