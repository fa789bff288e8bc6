# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/liboutside.a
%C%_liboutside_a_SOURCES = \
  %D%/outside.c %D%/outside.h %D%/outside_answer.c %D%/outside_ask.c %D%/outside_get.c %D%/redfish.c
