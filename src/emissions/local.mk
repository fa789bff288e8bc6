# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libemissions.a
%C%_libemissions_a_SOURCES = \
  %D%/aliases.c %D%/cloud.c %D%/duty.c %D%/embodied.c %D%/equivalents.c %D%/equivalents.h %D%/facility.c %D%/factor.h \
  %D%/factor_table.c %D%/factor_table.h %D%/footprint.c %D%/fuel.c %D%/fuel.h %D%/lookup.c %D%/market.c \
  %D%/plant_fuel.c %D%/plant_fuel.h %D%/residual.c %D%/resolve.c %D%/rows.c %D%/sci.c %D%/sci.h %D%/sets.c \
  %D%/sources.c %D%/supplementary.h %D%/wires.c %D%/zones.c %D%/zones.h
