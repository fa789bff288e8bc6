# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libgate.a
%C%_libgate_a_SOURCES = \
  %D%/ci.c %D%/ci.h %D%/ci_forms.c %D%/ci_forms.h %D%/ci_row.c %D%/ci_row.h \
  %D%/gate.c %D%/gate.h %D%/gate_fields.c %D%/gate_text.c %D%/proxy.c %D%/proxy.h %D%/sequence.c %D%/sequence.h
