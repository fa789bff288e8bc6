# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libsources.a
%C%_libsources_a_SOURCES = \
  %D%/capture_scrub.c %D%/capture_tree.c %D%/capture_tree.h %D%/cmd_record.c %D%/cmd_sources.c %D%/grant.c %D%/grant.h \
  %D%/sources_fields.c %D%/sources_list.h %D%/watch.c %D%/watch.h %D%/watch_fields.c %D%/watch_screen.c %D%/watch_view.c
