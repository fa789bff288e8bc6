# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libbug.a
%C%_libbug_a_SOURCES = \
  %D%/bug.h %D%/bug_archive.c %D%/bug_run.c %D%/bug_scrub.c %D%/cmd_report_bug.c
