# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libindicator.a
%C%_libindicator_a_SOURCES = \
  %D%/cmd_indicator.c %D%/fault.c %D%/fault.h %D%/indicator.h %D%/indicator_amun.c %D%/indicator_check.c \
  %D%/indicator_contract.c %D%/indicator_contract.h %D%/indicator_cpuinfo.c %D%/indicator_cputype.c \
  %D%/indicator_fields.c %D%/indicator_fields.h %D%/indicator_files.c %D%/indicator_flat.c %D%/indicator_gate.c \
  %D%/indicator_hwinfo.c %D%/indicator_hwinfo.h %D%/indicator_json.c %D%/indicator_live.c %D%/indicator_object.c \
  %D%/indicator_report.c %D%/indicator_report.h %D%/indicator_script.c %D%/indicator_spec.c %D%/indicator_spec.h \
  %D%/scan.c %D%/scan.h %D%/scan_read.c %D%/scan_read.h %D%/spans.c %D%/spans.h
