# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libprofiling.a
%C%_libprofiling_a_SOURCES = \
  %D%/cmd_profile.c %D%/profile.h %D%/profile_change.c %D%/profile_change.h %D%/profile_diff.c %D%/profile_fields.c %D%/profile_files.c %D%/profile_files.h \
  %D%/profile_flamegraph.c %D%/profile_flamegraph_script.c %D%/profile_folded.c %D%/profile_html.c %D%/profile_pprof.c \
  %D%/profile_run.c %D%/profile_run.h %D%/profile_speedscope.c %D%/profile_text.c
