# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libform.a
%C%_libform_a_SOURCES = \
  %D%/append.c %D%/bars.c %D%/bars.h %D%/bars_script.c %D%/cells.c %D%/cells.h %D%/columns.c %D%/columns.h %D%/field.c \
  %D%/field.h %D%/field_item.c %D%/field_read.c %D%/field_schema.c %D%/field_schema.h %D%/field_text.c %D%/field_text.h %D%/fit.c %D%/fit.h \
  %D%/gnuplot.c %D%/gnuplot.h %D%/html.c %D%/html.h %D%/html_chart.c %D%/html_style.c %D%/json_parts.c %D%/json_parts.h \
  %D%/notices_text.c %D%/notices_text.h %D%/output.c %D%/output.h %D%/paragraph.c %D%/paragraph.h %D%/part_fields.c \
  %D%/part_fields.h %D%/sheet.c %D%/sheet.h %D%/shell.c %D%/shell.h %D%/shown.c %D%/shown.h %D%/text_columns.c \
  %D%/text_columns.h
