# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libresult.a
%C%_libresult_a_SOURCES = \
  %D%/answer.c %D%/answer.h %D%/answer_line.c %D%/answer_text.c %D%/budget.c %D%/budget.h %D%/by_hour.c %D%/by_hour.h %D%/by_hour_rows.c \
  %D%/carbon_fields.c %D%/carbon_fields.h %D%/codecarbon_row.c %D%/codecarbon_row.h %D%/energy_fields.c \
  %D%/energy_fields.h %D%/factor_text.c %D%/factor_text.h %D%/formula.c %D%/formula.h %D%/hourly_text.c \
  %D%/hourly_text.h %D%/meter_fields.c %D%/own_text.c %D%/own_text.h %D%/phases_text.c %D%/phases_text.h \
  %D%/provenance.c %D%/provenance.h %D%/record_csv.c %D%/record_fields.c %D%/record_fields.h %D%/record_json.c \
  %D%/record_json.h %D%/record_parts.h %D%/record_text.c %D%/report.h %D%/report_finish.c %D%/run_fields.c \
  %D%/sample_columns.c %D%/sample_columns.h %D%/sample_read.c %D%/sample_read.h %D%/samples.c %D%/samples.h \
  %D%/sci_text.c %D%/sci_text.h %D%/session_fields.c %D%/session_fields.h %D%/summary_fields.c %D%/summary_fields.h \
  %D%/supplementary_text.c %D%/supplementary_text.h %D%/table_energy.c %D%/table_energy.h %D%/usage_text.c \
  %D%/usage_text.h %D%/verdict_text.c %D%/verdict_text.h %D%/window_fields.c %D%/window_fields.h
