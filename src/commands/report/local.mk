# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libreport.a
%C%_libreport_a_SOURCES = \
  %D%/annual.h %D%/annual_answer.c %D%/annual_appendix.c %D%/annual_appendix.h %D%/annual_basis.c %D%/annual_change.c %D%/annual_csv.c \
  %D%/annual_fields.c %D%/annual_fields.h %D%/annual_fleet.c %D%/annual_html.c %D%/annual_item_fields.c \
  %D%/annual_labels.c %D%/annual_names.c %D%/annual_names.h %D%/annual_notices.c %D%/annual_period.c \
  %D%/annual_price.c %D%/annual_price.h %D%/annual_scopes.c %D%/annual_sources.c %D%/annual_sum.c %D%/annual_sum.h \
  %D%/annual_text.c %D%/annual_total.c %D%/annual_total.h %D%/chunks.c %D%/chunks.h %D%/cmd_report.c %D%/document.c \
  %D%/document.h %D%/fleet.c %D%/fleet.h %D%/fleet_basis.c %D%/fleet_carry.c %D%/fleet_carry.h %D%/fleet_choice.c \
  %D%/fleet_choice.h %D%/fleet_contributions.c %D%/fleet_contributions.h %D%/fleet_cover.c %D%/fleet_cover.h \
  %D%/fleet_day.c %D%/fleet_day.h %D%/fleet_handover.c %D%/fleet_handover.h %D%/fleet_labels.c %D%/fleet_labels.h \
  %D%/fleet_options.c %D%/fleet_options.h %D%/fleet_part.h %D%/fleet_query.c %D%/fleet_query.h %D%/report_options.c \
  %D%/report_options.h
