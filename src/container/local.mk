# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libcontainer.a
%C%_libcontainer_a_SOURCES = \
  %D%/ask.c %D%/ask.h %D%/container.c %D%/container.h %D%/container_attend.c %D%/container_image.c \
  %D%/container_image.h %D%/container_output.c %D%/container_output.h %D%/container_run.c %D%/container_run.h \
  %D%/container_stats.c %D%/container_stats.h %D%/engine.c %D%/engine.h %D%/engine_open.c %D%/engine_open.h \
  %D%/http_call.c %D%/http_call.h
