# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libpage.a
%C%_libpage_a_SOURCES = \
  %D%/html_emissions.c %D%/html_energy.c %D%/html_hours.c %D%/html_job.c %D%/html_power.c %D%/html_record.c \
  %D%/html_record.h %D%/html_sections.c %D%/html_sections.h
