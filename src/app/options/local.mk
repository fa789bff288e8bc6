# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/liboptions.a
%C%_liboptions_a_SOURCES = \
  %D%/command.c %D%/command.h %D%/contract_file.c %D%/contract_file.h %D%/emission_options.c %D%/emission_options.h \
  %D%/gate_options.c %D%/gate_options.h %D%/hourly_options.c %D%/hourly_options.h %D%/live_options.c \
  %D%/live_options.h %D%/machine_options.c %D%/machine_options.h %D%/machines_made.c %D%/machines_made.h \
  %D%/meant_value.c %D%/meant_value.h %D%/measuring_options.c %D%/missing_file.c %D%/missing_file.h \
  %D%/naming_options.c %D%/naming_options.h %D%/options.c %D%/options.h %D%/otlp_options.c %D%/otlp_options.h \
  %D%/sci_options.c %D%/sci_options.h %D%/server_options.h %D%/settings.c %D%/typed_line.c %D%/typed_line.h
